import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Desk } from './desk.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.withC64({ boot: false });
});
afterEach(() => desk.close());

describe('routine_call', () => {
  const multiply = [
    '* = $c000',
    '; A times X, the result in A, low, and Y, high',
    'multiply sta $fb',
    ' stx $fc',
    ' lda #0',
    ' ldy #8',
    'loop lsr $fc',
    ' bcc skip',
    ' clc',
    ' adc $fb',
    'skip ror',
    ' ror $fd',
    ' dey',
    ' bne loop',
    ' tay',
    ' lda $fd',
    ' rts',
    'endless jmp endless',
    'bad jam',
    'handler inc $02',
    ' rti',
    'spin nop',
    ' jmp spin',
    'unbalanced lda #>spin',
    ' pha',
    ' lda #<spin',
    ' pha',
    ' rts',
    'five = 5',
  ].join('\n');
  beforeEach(() => desk.call('program_run', { source: multiply, start: false }));

  test('gives registers, cycles and changes back, and leaves the machine as it was', async () => {
    await desk.call('memory_write', { address: '$fb', bytes: 'ff ff ff' });
    const state = await desk.data('state_read');
    const memory = await desk.bytes('$00', 256);
    const result = await desk.data('routine_call', { address: 'multiply', registers: { A: '200', X: '$64' } });
    expect(result).toMatchObject({ returned: true, registers: { A: 20000 & 255, Y: 20000 >> 8 } });
    expect(result.cycles).toBeGreaterThan(100);
    expect(result.changes).toEqual([{ address: 0xfb, before: 'FF FF FF', after: 'C8 00 20' }]);
    expect(await desk.data('state_read')).toEqual(state);
    expect(await desk.bytes('$00', 256)).toBe(memory);
    expect(await desk.call('routine_call', { address: 'multiply', registers: { A: '3', X: '5' } })).toMatch(
      /^returned · [\d,]+ cycles, [\d,]+ instructions\nA=0F X=05 Y=00 SP=.. P=.. \(.*\) PC=....\n3 bytes changed\n\$00FB: /,
    );
  });

  test('writes memory first, takes handlers, and says why something did not return', async () => {
    const handler = await desk.data('routine_call', { address: 'handler', as_handler: true, memory: { $02: '41' } });
    expect(handler).toMatchObject({ returned: true, changes: [{ address: 2, before: '41', after: '42' }] });
    expect(await desk.call('routine_call', { address: 'endless', max_cycles: 5000 })).toMatch(
      /^did not return: 5,000 cycles were not enough ·/,
    );
    const unbalanced = await desk.call('routine_call', { address: 'unbalanced', max_cycles: 5000 });
    const { address } = await desk.data('memory_read', { address: 'unbalanced', length: 1 });
    const rts = (Number(address) + 6).toString(16).toUpperCase();
    expect(unbalanced).toMatch(
      new RegExp(`^did not return: .*; the return at \\$${rts} went elsewhere, since its address`),
    );
    expect(await desk.call('routine_call', { address: 'bad' })).toMatch(
      /^did not return: the processor jammed at \$C0/,
    );
    expect(await desk.call('routine_call', { address: 'multiply', registers: { Q: '1' } })).toMatch(
      /No register Q\..*\n.*A, X, Y, P, SP/,
    );
    const given = { address: 'multiply', registers: { A: 3, X: 'five' }, memory: { 'multiply+200': [1, 2] } };
    expect((await desk.data('routine_call', given)).registers).toMatchObject({ A: 15 });
    expect(await desk.call('routine_call', { ...given, memory: { $02: [256] } })).toMatch(
      /\$02 is not a list of bytes/,
    );
    expect(await desk.call('routine_call', { ...given, registers: { A: true } })).toMatch(
      /A: true is not a register value/,
    );
    expect(await desk.call('routine_call', { address: 'multiply', registers: { A: '300' } })).toMatch(
      /A cannot be 300/,
    );
  });

  test('meets no breakpoints, and a long one lets others have their turn', async () => {
    await desk.call('breakpoint_set', { address: 'multiply' });
    await desk.call('breakpoint_set', { address: '$fb', type: 'write' });
    expect(await desk.data('routine_call', { address: 'multiply' })).toMatchObject({ returned: true });
    expect((await desk.data('breakpoint_list')).breakpoints).toMatchObject([{ hits: 0 }, { hits: 0 }]);
    const long = desk.call('routine_call', { address: 'endless', max_cycles: 3_000_000 });
    const pcs = [];
    for (let n = 0; n < 5; n++) pcs.push((await desk.data('state_read')).pc);
    expect(new Set(pcs).size).toBe(1);
    expect(await long).toMatch(/3,000,000 cycles were not enough/);
  });
});

describe('history_read', () => {
  const source = [
    '* = $c000',
    ' ldx #0',
    'loop inx',
    ' stx $02a7',
    ' lda $02a8',
    ' cpx #200',
    ' bne loop',
    ' lda #$34',
    ' sta ($fb),y',
    ' jam',
  ].join('\n');

  test('the last instructions before a jam, with registers and lines of source', async () => {
    await desk.call('program_run', { source });
    await desk.call('memory_write', { address: '$fb', bytes: '00 04' });
    await desk.call('run', { frames: 5 });
    const text = await desk.call('history_read', { count: 4 });
    expect(text).toMatch(
      /^\d+ \$C00B BNE loop +A=.. X=C8 Y=00 SP=.. P=.. {2}; source.asm:7\n\d+ \$C00D LDA #\$34.*\n\d+ \$C00F STA \(\$FB\),Y +A=34.*\n\d+ \$C011 JAM.*source.asm:10$/,
    );
    const { instructions } = await desk.data('history_read', { count: 1000 });
    expect(instructions).toHaveLength(1000);
    // Nothing has moved.
    expect(await desk.call('history_read', { count: 4 })).toBe(text);
  });

  test('who last wrote and read a byte, also through a pointer, and what was never touched', async () => {
    await desk.call('program_run', { source });
    await desk.call('memory_write', { address: '$fb', bytes: '00 04' });
    await desk.call('run', { frames: 5 });
    expect(await desk.data('history_read', { address: '$02a7', length: 2 })).toMatchObject({
      write: { pc: 0xc003, address: 0x2a7, value: 200, text: 'STX $02A7' },
      read: { pc: 0xc006, address: 0x2a8 },
    });
    expect(await desk.call('history_read', { address: '$0400' })).toMatch(
      /^last written: \$C00F .*STA \(\$FB\),Y, cycle [\d,]+, \$0400 was 34 after it\nlast read: never, as far as it is remembered$/,
    );
  });

  test('farther back than a frame', async () => {
    const once = '* = $c000\n lda #7\n sta $02a7\nwait jmp wait';
    await desk.call('program_run', { source: once });
    await desk.call('run', { frames: 10 });
    expect(await desk.data('history_read', { address: '$02a7', timeout_ms: 40_000 })).toMatchObject({
      write: { pc: 0xc002, address: 0x2a7, value: 7 },
      isWhole: true,
    });
  });
});

describe('value_find', () => {
  test('narrows down to the counter of a program, by values and by changes', async () => {
    const source = '* = $c000\n lda #3\n sta $02a7\nwait jmp wait\nlose dec $02a7\n jmp wait';
    await desk.call('program_run', { source });
    await desk.call('run', { frames: 1 });
    expect(await desk.call('value_find', { compare: 'changed' })).toMatch(/No search has begun/);
    const first = await desk.data('value_find', { restart: true, compare: 'equal', value: 3 });
    expect(first.left).toBeGreaterThan(1);
    await desk.call('registers_write', { values: { PC: 'lose' } });
    await desk.call('run', { frames: 1 });
    expect(await desk.call('value_find', { compare: 'decreased' })).toBe('1 place fits after 2 steps\n$02A7: 02 (2)');
    expect(await desk.data('value_find', { compare: 'unchanged' })).toMatchObject({ left: 1, steps: 3 });
    expect(await desk.data('value_find', { compare: 'less', value: 2 })).toMatchObject({ left: 0 });
    // Colour RAM has four bits; what is read for the others changes all the time.
    await desk.call('value_find', { restart: true });
    await desk.call('run', { cycles: 10_000 });
    const { places } = await desk.data('value_find', { compare: 'changed', limit: 200 });
    expect((places as { address: number }[]).filter(({ address }) => address >= 0xd000)).toEqual([]);
    expect(await desk.call('value_find', { compare: 'greater' })).toMatch(/compares with a value/);
    expect(await desk.call('value_find', { compare: 'equal', value: 256 })).toMatch(/A byte is at most 255.*"width"/s);
  });

  test('finds words as well', async () => {
    await desk.call('memory_write', { address: '$c000', bytes: '34 12', space: 'ram' });
    const find = { restart: true, space: 'ram', width: 'word', compare: 'equal', value: 0x1234 };
    expect((await desk.data('value_find', find)).places).toContainEqual({
      address: 0xc000,
      value: 0x1234,
      before: 0x1234,
    });
  });
});

describe('what ran', () => {
  const source = [
    '* = $c000',
    'main jsr draw',
    ' lda $02',
    ' beq main',
    ' jsr fire',
    ' jmp main',
    'draw inc $d020',
    ' jsr inner',
    ' rts',
    'inner nop',
    ' rts',
    'fire lda #0',
    ' sta $02',
    ' rts',
  ].join('\n');
  beforeEach(async () => {
    await desk.call('memory_write', { address: '$02', bytes: '00' });
    await desk.call('program_run', { source });
    await desk.call('run', { frames: 2 });
  });

  interface Listed {
    name: string;
    calls: number;
    callers: { where: string }[];
    callees: { where: string }[];
    returns: { aligned: number; misaligned: number };
    bytes: number;
  }
  const functions = async () => (await desk.data('functions_list', { sort: 'address' })).functions as Listed[];

  test('functions of the last second, with nothing switched on before', async () => {
    const found = await functions();
    expect(found.map(({ name }) => name)).toEqual(['draw', 'inner']);
    const [draw, inner] = found as [Listed, Listed];
    expect(draw).toMatchObject({ callers: [{ where: '$C000' }], callees: [{ where: '$C014' }], bytes: 7 });
    expect(inner.callers).toMatchObject([{ where: '$C010' }]);
    expect(draw.calls).toBeGreaterThan(500);
    expect(Math.abs(draw.calls - inner.calls)).toBeLessThanOrEqual(1);
    expect(draw.calls - draw.returns.aligned).toBeLessThanOrEqual(1);
    expect(draw.returns.misaligned).toBe(0);
    // What was looked at is not counted twice.
    expect((await functions())[0]?.calls).toBe(draw.calls);
    await desk.call('run', { frames: 1 });
    expect((await functions())[0]?.calls).toBeGreaterThan(draw.calls);
  });

  test('a function does not own its callers: its call came before the first look, or it returns past parameters', async () => {
    const more = [
      '* = $c000',
      'main jsr slow',
      ' jsr skip',
      ' .byte 1, 2, 3, 4',
      ' inc $d021',
      ' jmp main',
      'slow ldy #200',
      'again jsr inner',
      ' dey',
      ' bne again',
      ' rts',
      'inner ldx #0',
      'wait inx',
      ' bne wait',
      ' rts',
      'skip pla',
      ' clc',
      ' adc #4',
      ' tax',
      ' pla',
      ' pha',
      ' txa',
      ' pha',
      ' rts',
    ].join('\n');
    await desk.call('program_run', { source: more });
    await desk.call('run', { frames: 80 });
    const own = (await functions()).filter(({ name }) => ['slow', 'inner', 'skip'].includes(name));
    expect(own).toMatchObject([
      { name: 'slow', bytes: 9, callers: [{ where: '$C000' }], callees: [{ where: '$C019' }] },
      { name: 'inner', bytes: 6, callees: [] },
      { name: 'skip', bytes: 10, callees: [], returns: { aligned: 0 } },
    ]);
  });

  test('a function ends where it returns, also to an address that was pushed for it', async () => {
    const more = [
      '* = $c200',
      'main jsr leaf',
      ' lda #>(back-1)',
      ' pha',
      ' lda #<(back-1)',
      ' pha',
      ' jmp leaf',
      'back jsr chosen',
      ' jmp main',
      'leaf nop',
      ' rts',
      'chosen lda #>(case-1)',
      ' pha',
      ' lda #<(case-1)',
      ' pha',
      ' rts',
      'case rts',
    ].join('\n');
    await desk.call('program_run', { source: more });
    await desk.call('run', { frames: 3 });
    const own = (await functions()).filter(({ name }) => ['leaf', 'chosen'].includes(name));
    expect(own).toMatchObject([
      { name: 'leaf', bytes: 2, callers: [{ where: '$C200' }], callees: [] },
      { name: 'chosen', bytes: 8, callers: [{ where: '$C20C' }], callees: [] },
    ]);
  });

  test('coverage, and what ran only in one of two runs', async () => {
    await desk.call('coverage_read', { action: 'start', name: 'idle' });
    await desk.call('run', { frames: 2 });
    await desk.call('coverage_read', { action: 'stop', name: 'idle' });
    await desk.call('coverage_read', { action: 'start', name: 'fire' });
    await desk.call('memory_write', { address: '$02', bytes: '01' });
    await desk.call('step', { count: 300 });
    await desk.call('coverage_read', { action: 'stop', name: 'fire' });
    // Nothing is recorded any more.
    await desk.call('run', { frames: 2 });
    expect(await desk.call('coverage_read', { action: 'read', name: 'fire', without: 'idle' })).toMatch(
      /^fire without idle: 5 instructions ran, 5 for the first time; .*\n(?:.*\n)*.*fire/,
    );
    expect(await desk.call('coverage_read', { action: 'read', name: 'idle', by: 'range' })).toMatch(/\$C000/);
    const nothing = { action: 'read', name: 'idle', without: 'idle', by: 'line' };
    expect(await desk.call('coverage_read', nothing)).toMatch(/0 instructions ran/);
  });

  test('each instruction is counted once, however the machine is run', async () => {
    const runs = async (name: string, go: () => Promise<unknown>) => {
      await desk.call('coverage_read', { action: 'start', name });
      await go();
      await desk.call('coverage_read', { action: 'stop', name });
      const { parts } = await desk.data('coverage_read', { action: 'read', name, by: 'range' });
      return (parts as { executions: number }[]).reduce((sum, { executions }) => sum + executions, 0);
    };
    expect(await runs('steps', () => desk.call('step', { count: 50 }))).toBe(50);
    await desk.call('run', { until: 'inner' });
    const rounds = async () => {
      for (let n = 0; n < 10; n++) await desk.call('run', { until: 'inner' });
    };
    // NOP RTS, RTS, LDA BEQ JSR, INC JSR.
    expect(await runs('rounds', rounds)).toBe(80);
    await desk.call('breakpoint_set', { address: 'inner' });
    const hits = async () => {
      for (let n = 0; n < 10; n++) await desk.call('run', {});
    };
    expect(await runs('hits', hits)).toBe(80);
    expect(await runs('overs', () => desk.call('step', { kind: 'out' }))).toBe(2);
  });

  test('recording changes nothing that the machine does', async () => {
    const twin = await Desk.withC64({ boot: false });
    const cycles = [];
    for (const each of [desk, twin]) {
      await each.call('machine_reset', { mode: 'hard' });
      await each.call('memory_write', { address: '$02', bytes: '00' });
      await each.call('program_run', { source });
      if (each === desk) await each.call('coverage_read', { action: 'start', name: 'all' });
      await each.call('run', { cycles: 5000 });
      await each.call('step', { count: 7 });
      await each.call('run', { frames: 3 });
      cycles.push(await each.data('cycles_read'), await each.bytes('$0000', 1024));
    }
    expect(cycles.slice(0, 2)).toEqual(cycles.slice(2));
    await twin.close();
  });

  test('the graph: blocks with their instructions, edges by type, as text and as a picture', async () => {
    const text = await desk.call('graph_read', { address: 'draw', scope: 'function' });
    expect(text).toMatch(/INC \$D020/);
    expect(text).toMatch(/call/);
    const dot = await desk.call('graph_read', { as: 'dot' });
    expect(dot).toMatch(/^digraph/m);
  });

  test('a trace: in a range, under a condition, until it is full, and without a future that was taken back', async () => {
    await desk.call('run', { until: 'main' });
    await desk.call('trace_start', { first: 'main', last: 'main+5' });
    await desk.call('step', { count: 20 });
    expect(await desk.call('trace_read', { from: 0, limit: 4 })).toMatch(
      /\n0 \$C000 JSR draw +A=.. X=.. Y=.. SP=.. P=..\n1 \$C003 LDA \$02.*\n2 \$C005 BEQ main.*\n3 \$C000 JSR draw/,
    );
    const { total } = await desk.data('trace_read');
    await desk.call('step', { back: true, count: 16 });
    expect((await desk.data('trace_read')).total).toBeLessThan(Number(total));
    await desk.call('step', { count: 16 });
    expect((await desk.data('trace_read')).total).toBe(total);
    await desk.call('trace_start', { condition: 'pc == main', max_entries: 3, when_full: 'stop' });
    await desk.call('run', { frames: 1 });
    expect(await desk.data('trace_read')).toMatchObject({ total: 3, full: true, active: false });
    await desk.call('trace_stop');
  });

  test('names for addresses, which then stand everywhere', async () => {
    await desk.call('names_write', { address: '$c00d', name: 'border_up', comment: 'one brighter' });
    expect(await desk.call('disassemble', { address: '$c000', count: 1 })).toMatch(/JSR (?:draw|border_up)/);
    expect((await desk.data('memory_read', { address: 'border_up', length: 1 })).address).toBe(0xc00d);
    expect(await desk.call('names_write', {})).toMatch(/border_up/);
    // With a program in a file they are kept, for other machines and other days.
    const bytes = '00 c1 ee 20 d0 60';
    await desk.call('program_run', { bytes, start: false });
    await desk.call('names_write', { address: '$c100', name: 'brighter' });
    await desk.call('program_run', { bytes: '00 c2 60', start: false });
    expect(await desk.call('memory_read', { address: 'brighter' })).toMatch(/neither an address nor a known symbol/);
    await desk.call('program_run', { bytes, start: false });
    expect((await desk.data('memory_read', { address: 'brighter', length: 1 })).address).toBe(0xc100);
  });
});

test('a VIC-20 is understood by the same tools', async () => {
  const vic = await Desk.withVic20({ boot: false });
  const source = '* = $1200\n; @mcp-function: counts\nmain jsr count\n jmp main\ncount inc $02\n rts';
  await vic.call('program_run', { source });
  await vic.call('run', { frames: 2 });
  expect(await vic.call('functions_list')).toMatch(/\$1206 count: [\d,]+ calls/);
  expect(await vic.call('history_read', { address: '$02' })).toMatch(/^last written: \$1206 count.*INC \$02/);
  expect(await vic.data('routine_call', { address: 'count', memory: { $02: '05' } })).toMatchObject({
    returned: true,
    changes: [{ address: 2, before: '05', after: '06' }],
  });
  expect((await vic.data('annotations_read', { address: 'main' })).total).toBe(1);
  await vic.close();
});
