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
      /^did not return: it did not return within 5,000 cycles/,
    );
    expect(await desk.call('routine_call', { address: 'bad' })).toMatch(
      /^did not return: the processor jammed at \$C0/,
    );
    expect(await desk.call('routine_call', { address: 'multiply', registers: { Q: '1' } })).toMatch(/Q cannot be 1/);
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
    expect(await long).toMatch(/within 3,000,000 cycles/);
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

  test('farther back than a frame, on a machine that was booted', async () => {
    const booted = await Desk.withC64();
    // The KERNAL counts time in its interrupt, and cleared the screen long ago.
    expect(await booted.data('history_read', { address: '$a2' })).toMatchObject({ write: { address: 0xa2 } });
    expect(await booted.data('history_read', { address: '$0427' })).toMatchObject({
      write: { address: 0x427, value: 32 },
    });
    await booted.close();
  });
});

describe('value_find', () => {
  test('narrows down to the counter of a program, by values and by changes', async () => {
    const source = '* = $c000\n lda #3\n sta $02a7\nwait jmp wait\nlose dec $02a7\n jmp wait';
    await desk.call('program_run', { source });
    await desk.call('run', { frames: 1 });
    expect(await desk.call('value_find', { compare: 'changed' })).toMatch(/No search has begun/);
    const first = await desk.data('value_find', { restart: true, space: 'ram', compare: 'equal', value: 3 });
    expect(first.left).toBeGreaterThan(1);
    await desk.call('registers_write', { values: { PC: 'lose' } });
    await desk.call('run', { frames: 1 });
    expect(await desk.call('value_find', { compare: 'decreased' })).toBe('1 place fits after 2 steps\n$02A7: 02 (2)');
    expect(await desk.data('value_find', { compare: 'unchanged' })).toMatchObject({ left: 1, steps: 3 });
    expect(await desk.data('value_find', { compare: 'less', value: 2 })).toMatchObject({ left: 0 });
    expect(await desk.call('value_find', { compare: 'greater' })).toMatch(/compares with a value/);
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
