import { afterEach, describe, expect, test } from 'vitest';
import { Desk } from './desk.ts';

let desk: Desk;
afterEach(() => desk.close());

/** Raster interrupt in line 100, border colours, writes to chips and below them, two sprites that meet. */
const source = `
* = $c000
        sei
        lda #<irq
        sta $0314
        lda #>irq
        sta $0315
        lda #$7f
        sta $dc0d
        lda #$1b
        sta $d011
        lda #100
        sta $d012
        lda #1
        sta $d01a
        sta $d019
        cli
main    inc $0400
        ldx counter
        stx $0500
        inc $0600
        jsr below
        jmp main
below   sei
        lda #$34
        sta $01
        inc $d020
        lda #$37
        sta $01
        cli
        rts
irq     lda $d019
        sta $d019
        inc counter
        lda counter
border  sta $d020
        and #3
        sta $d418
        jmp $ea81
counter .byte 0
`;

interface StopData {
  readonly cause: string;
  readonly reason: string;
  readonly breakpoint?: {
    readonly id: number;
    readonly type: string;
    readonly logged?: number;
    readonly snapshot?: string;
  };
  readonly event: {
    readonly time: number;
    readonly pc: number;
    readonly instruction: string;
    readonly beam: { readonly frame: number; readonly line: number; readonly cycle: number };
    readonly access?: Readonly<Record<string, unknown>>;
    readonly collision?: { readonly type: string; readonly sprites: number };
    readonly interrupt?: { readonly line: string; readonly source?: string };
  };
}

async function started(text = source): Promise<void> {
  desk = await Desk.withC64();
  await desk.call('program_run', { source: text });
}

const run = async (args: Record<string, unknown> = {}) => (await desk.data('run', args)).stop as StopData;
const set = async (type: string, args: Record<string, unknown> = {}) =>
  Number((await desk.data('breakpoint_set', { type, ...args })).id);
const list = async () => (await desk.data('breakpoint_list')).breakpoints as readonly Record<string, unknown>[];
const cycle = async () => Number((await desk.data('state_read')).cycle);

describe('raster', () => {
  test('stops once a frame, exactly where the line begins, and again a frame later', async () => {
    await started();
    const id = await set('raster', { options: { line: 100 } });
    const first = await run();
    expect(first).toMatchObject({ cause: 'breakpoint', breakpoint: { id, type: 'raster' } });
    expect(first.event.beam).toMatchObject({ line: 100, cycle: 1 });
    const second = await run();
    expect(second.event.time - first.event.time).toBe(63 * 312);
    expect(second.event.beam).toEqual({ ...first.event.beam, frame: first.event.beam.frame + 1 });
    // Halted at the end of the instruction that was under way.
    expect((await cycle()) - 1 - second.event.time).toBeLessThan(8);
  });

  test('a range stops on entry, or in each line', async () => {
    await started();
    const range = await set('raster', { options: { line: 310, last_line: 311 } });
    const entries = [(await run()).event.beam.line, (await run()).event.beam.line];
    expect(entries).toEqual([310, 310]);
    await desk.call('breakpoint_delete', { id: range });
    await set('raster', { options: { line: 0, last_line: 2, each: true } });
    const lines = [];
    for (let count = 0; count < 6; count++) lines.push((await run()).event.beam.line);
    expect(lines).toEqual([0, 1, 2, 0, 1, 2]);
  });

  test('a range over the end of a frame is told to be a composite, which stops on entry', async () => {
    await started();
    const refused = await desk.call('breakpoint_set', { type: 'raster', options: { line: 310, last_line: 5 } });
    expect(refused).toMatch(/The last line comes before the first[\s\S]*composite joins two: \{"or":/);
    const or = [
      { type: 'raster', line: 310, last_line: 311 },
      { type: 'raster', line: 0, last_line: 5 },
    ];
    await set('composite', { options: { tree: { or } } });
    expect([(await run()).event.beam.line, (await run()).event.beam.line]).toEqual([310, 310]);
  });

  test('with a condition that is asked in that cycle, and backwards', async () => {
    await started();
    await set('raster', { options: { line: 50 }, condition: 'frame % 1 == 0 || raster != 50' }).catch(() => {});
    await set('raster', { options: { line: 50 }, condition: 'raster == 50 && [counter] > 2' });
    const stop = await run();
    const times = [stop.event.time];
    times.push((await run()).event.time, (await run()).event.time);
    const back = await run({ back: true });
    expect(back.event.time).toBe(times[1]);
    expect((await run({ back: true })).event.time).toBe(times[0]);
    expect((await run()).event.time).toBe(times[1]);
  });

  test('also while a step goes over a subroutine', async () => {
    await started(
      '* = $c000\nmain jsr wait\n jmp main\nwait ldx #0\nouter ldy #0\ninner dey\n bne inner\n dex\n bne outer\n rts',
    );
    await desk.call('run', { until: 'main' });
    await set('raster', { options: { line: 77 } });
    const { stop } = await desk.data('step', { kind: 'over' });
    expect(stop).toMatchObject({ cause: 'breakpoint', event: { beam: { line: 77, cycle: 1 } } });
  });
});

describe('chip_write', () => {
  test('stops for writes that reach the chip, not for those to RAM below', async () => {
    await started();
    const id = await set('chip_write', { options: { chip: 'vic2', register: '$20' } });
    const stop = await run();
    expect(stop).toMatchObject({
      breakpoint: { id, type: 'chip_write' },
      event: {
        instruction: 'STA $D020',
        access: {
          kind: 'write',
          address: 0xd020,
          space: 'io',
          value: 1,
          bytes: 1,
          chip: { name: 'vic2', register: 0x20 },
        },
      },
    });
    expect(stop.event.access).toHaveProperty('old');
    expect((await run()).event.access).toMatchObject({ value: 2 });
    expect((await list())[0]).toMatchObject({ hits: 2, chip: 'vic2' });
    // A plain watch sees the RAM as well.
    await set('write', { address: '$d020', options: { bank: 'ram' } });
    expect((await run()).event).toMatchObject({ instruction: 'INC $D020', access: { space: 'ram' } });
  });

  test('knows value and old_value, other chips, and registers by their address', async () => {
    await started();
    await set('chip_write', { options: { chip: 'sid', register: 0x18 }, condition: 'value == 3' });
    await set('chip_write', { address: '$d020', condition: 'value == 2 && (old_value & 15) == 1' });
    expect((await run()).event.access).toMatchObject({ chip: { name: 'vic2' }, value: 2 });
    expect((await run()).event).toMatchObject({
      instruction: 'STA $D418',
      access: { chip: { name: 'sid', register: 0x18 }, value: 3 },
    });
    expect(await desk.call('breakpoint_set', { type: 'chip_write', options: { chip: 'ted', register: 1 } })).toMatch(
      /No chip "ted" here.*vic2, sid, cia1, cia2/s,
    );
  });
});

describe('interrupts', () => {
  test('irq stops before the first instruction of the handler, and says who asked', async () => {
    await started();
    await set('irq');
    const stop = await run();
    expect(stop.event).toMatchObject({ interrupt: { line: 'irq', source: 'vic2 raster' }, pc: 0xff48 });
    expect(stop.event.beam.line).toBe(100);
    expect(stop.reason).toMatch(/^breakpoint 1, irq: vic2 raster, interrupted \$[0-9A-F]{4}/);
    const next = await run();
    expect(Math.abs(next.event.time - stop.event.time - 63 * 312)).toBeLessThan(60);
    const back = await run({ back: true });
    expect(back.event.time).toBe(stop.event.time);
  });

  test('nmi and brk are others', async () => {
    await started('* = $c000\nmain inc $0400\n jmp main\ntrap brk\n nop\n jmp main');
    const nmi = await set('nmi', { log_only: true });
    const brk = await set('brk');
    await set('irq', { condition: 'pc == 0' });
    await desk.call('registers_write', { values: { PC: 'trap' } });
    expect(await run()).toMatchObject({
      breakpoint: { id: brk },
      event: { interrupt: { line: 'brk', interrupted: 0xc008 } },
    });
    await desk.call('registers_write', { values: { PC: 'main' } });
    await desk.call('input_send', { keys: ['restore'] });
    const { events } = await desk.data('events_read', { types: ['breakpoint'] });
    expect(events).toMatchObject([
      { data: { id: nmi, event: { interrupt: { line: 'nmi', source: 'RESTORE' }, pc: 0xfe43 } } },
    ]);
  });
});

/** Two sprites one line apart in Y that overlap; the second begins to be shown in its third line. */
const sprites = `
* = $c000
        sei
        lda #13
        sta $07f8
        sta $07f9
        ldx #62
fill    lda #255
        sta $0340,x
        dex
        bpl fill
        lda #100
        sta $d000
        sta $d002
        lda #150
        sta $d001
        lda #160
        sta $d003
        lda #3
        sta $d015
        lda $d01e
        lda $d01f
main    inc $0400
        jmp main
`;

describe('collisions', () => {
  test('stop on the edge, when the chip sets the bit, once until the register is read', async () => {
    await started(sprites);
    const id = await set('sprite_sprite', { options: { mask: 2 } });
    const stop = await run();
    expect(stop).toMatchObject({ breakpoint: { id, type: 'sprite_sprite' }, event: { collision: { sprites: 3 } } });
    // The second sprite's first line is one below its Y.
    expect(stop.event.beam.line).toBe(161);
    expect((await cycle()) - stop.event.time).toBeLessThan(8);
    expect(await run({ frames: 3 })).toMatchObject({ cause: 'limit' });
    await desk.call('memory_read', { address: '$d01e', space: 'io' });
    expect(await run({ frames: 3 })).toMatchObject({ cause: 'limit' });
    await desk.call('registers_write', { values: { PC: 'main-3' } });
    await desk.call('memory_write', { address: '$c100', bytes: 'ad 1e d0 4c 00 c1' });
    await desk.call('registers_write', { values: { PC: '$c100' } });
    expect((await run()).event.collision).toMatchObject({ type: 'sprite_sprite' });
  });

  test('with a mask that does not fit, never; with the background', async () => {
    await started(sprites);
    const none = await set('sprite_sprite', { options: { mask: 0xf8 } });
    expect(await run({ frames: 5 })).toMatchObject({ cause: 'limit' });
    await desk.call('breakpoint_delete', { id: none });
    await set('sprite_background', { options: { mask: 1 } });
    expect(await run({ frames: 5 })).toMatchObject({ cause: 'limit' });
    // A row of solid characters where the first sprite is.
    await desk.call('memory_write', { address: '$05e0', bytes: 'a0'.repeat(120) });
    const stop = await run({ frames: 5 });
    expect(stop.event.collision).toEqual({ type: 'sprite_background', sprites: 1 });
    const back = await run({ back: true, frames: 3 });
    expect(back).toMatchObject({ cause: 'limit' });
  });

  test('are told in the same cycle whether or not the program lets them interrupt', async () => {
    await started(sprites);
    await set('sprite_sprite');
    const plain = await run();
    await desk.close();
    await started(sprites.replace('lda $d01e', 'lda #4\n sta $d01a\n lda $d01e'));
    await set('sprite_sprite');
    const masked = await run();
    expect(masked.event.beam).toEqual({ ...plain.event.beam, frame: masked.event.beam.frame });
  });
});

describe('composite', () => {
  test('and: a trigger while the beam is in a range and a condition holds', async () => {
    await started();
    const write = { type: 'chip_write', chip: 'vic2', register: '$20' };
    await set('composite', {
      options: { tree: { and: [write, { type: 'raster', line: 100, last_line: 110 }, { condition: 'A == 5' }] } },
    });
    const stop = await run();
    expect(stop).toMatchObject({ breakpoint: { type: 'composite' }, event: { access: { value: 5 } } });
    expect(await run({ frames: 3 })).toMatchObject({ cause: 'limit' });
  });

  test('and of a line and expressions stops once while it holds, not at every instruction', async () => {
    await started();
    await set('composite', {
      options: { tree: { and: [{ type: 'raster', line: 200 }, { condition: 'X == [counter]' }] } },
    });
    const [one, two] = [await run(), await run()];
    expect([one.event.beam.line, two.event.beam.line]).toEqual([200, 200]);
    expect(two.event.beam.frame - one.event.beam.frame).toBe(1);
  });

  test('or: whichever comes first, and the same backwards', async () => {
    await started();
    const or = [
      { type: 'exec', address: 'border' },
      { type: 'raster', line: 10 },
      { condition: 'raster == 250 && raster_cycle > 5' },
    ];
    await set('composite', { options: { tree: { or } } });
    const lines = [];
    for (let count = 0; count < 6; count++) lines.push((await run()).event.beam.line);
    const turn = lines.slice(0, 3).sort((a, b) => a - b);
    expect([turn[0], turn[2]]).toEqual([10, 250]);
    expect(turn[1]).toBeGreaterThanOrEqual(100);
    expect(turn[1]).toBeLessThan(104);
    expect(lines.slice(3).map((line) => line - (line % 10))).toEqual(
      lines.slice(0, 3).map((line) => line - (line % 10)),
    );
    const back = [(await run({ back: true })).event.beam.line, (await run({ back: true })).event.beam.line];
    expect(back).toEqual([lines[4], lines[3]]);
  });

  test('an instruction that writes: both at once', async () => {
    await started();
    await set('composite', {
      options: {
        tree: {
          and: [
            { type: 'exec', address: 'main' },
            { type: 'write', address: '$0400' },
          ],
        },
      },
    });
    expect((await run()).event).toMatchObject({ access: { address: 0x400 }, instruction: 'INC $0400' });
    expect(await desk.call('breakpoint_list')).toMatch(/composite \(exec \$C0\w\w main .*AND write \$0400\), 1 hit/);
  });

  test('bad trees say what is wrong', async () => {
    await started();
    const refused = (tree: unknown) => desk.call('breakpoint_set', { type: 'composite', options: { tree } });
    expect(await refused({ and: [] })).toMatch(/tree/);
    expect(await refused({ xor: [{ condition: 'A' }] })).toMatch(/tree/);
    expect(await refused({ and: [{ type: 'composite' }] })).toMatch(/No part of type "composite"/);
    expect(await refused({ and: [{ condition: 'nosuch == 1' }] })).toMatch(/no name nosuch/);
    expect(await refused({ and: [{ type: 'raster', line: 100, each: true }] })).toMatch(/Leave "each" out/);
    let deep: unknown = { condition: 'A' };
    for (let depth = 0; depth < 20; depth++) deep = { and: [deep] };
    expect(await refused(deep)).toMatch(/at most 8 deep/);
    expect(await desk.call('breakpoint_set', { type: 'composite' })).toMatch(/needs a tree/);
    expect(await desk.call('breakpoint_set', { type: 'raster', options: { line: 400 } })).toMatch(
      /outside the raster.*0 to 311/s,
    );
    expect(await desk.call('breakpoint_set', { type: 'raster' })).toMatch(/needs a place/);
    expect(await desk.call('breakpoint_set', { type: 'raster', options: { line: 1, colour: 2 } })).toMatch(/colour/);
    expect(await desk.call('breakpoint_set', { type: 'exec', address: '$c000', options: { mask: 2 } })).toMatch(
      /has no mask/,
    );
    expect(await list()).toEqual([]);
  });
});

describe('everything else of a breakpoint', () => {
  test('ignore counts, and a condition, without losing the number', async () => {
    await started();
    const id = await set('exec', { address: 'border', options: { ignore: 3 } });
    expect((await desk.data('run')).stop).toMatchObject({ cause: 'breakpoint' });
    expect(await desk.bytes('counter', 1)).toBe('04');
    expect((await list())[0]).toMatchObject({ id, hits: 4, ignore: 3 });
    await desk.call('breakpoint_set', { id, options: { ignore: 1 } });
    await run();
    expect(await desk.bytes('counter', 1)).toBe('06');
    expect(await desk.call('breakpoint_set', { id, condition: 'A == 9' })).toMatch(/breakpoint 1: exec .* if A == 9/);
    await run();
    expect(await desk.bytes('counter', 1)).toBe('09');
    expect(await desk.call('breakpoint_set', { id, condition: '' })).not.toMatch(/ if /);
    await run();
    expect(await desk.bytes('counter', 1)).toBe('0A');
    expect(await desk.call('breakpoint_set', { id, address: '$c000' })).toMatch(
      /address of a breakpoint cannot be changed/,
    );
    expect(await desk.call('breakpoint_set', { id: 77, condition: 'A' })).toMatch(/No breakpoint 77.*There are: 1/s);
    expect(await desk.call('breakpoint_set', { id, condition: 'A ==' })).toMatch(/missing at the end/);
    expect((await list())[0]).toMatchObject({ id, hits: 8 });
  });

  test('groups are switched and deleted together', async () => {
    await started();
    await set('exec', { address: 'border', options: { group: 'irq' } });
    await set('raster', { options: { line: 20, group: 'irq' } });
    const other = await set('exec', { address: 'main', options: { group: 'main' } });
    expect(await desk.call('breakpoint_delete', { group: 'irq', action: 'disable' })).toBe('breakpoints 1, 2 disabled');
    expect((await run()).breakpoint).toMatchObject({ id: other, group: 'main' });
    await desk.call('breakpoint_delete', { group: 'irq', action: 'enable' });
    expect((await list()).map(({ enabled }) => enabled)).toEqual([true, true, true]);
    await desk.call('breakpoint_delete', { group: 'main' });
    expect((await list()).map(({ id }) => id)).toEqual([1, 2]);
    expect(await desk.call('breakpoint_delete', { group: 'none' })).toMatch(/No group "none".*Groups: irq/s);
    await set('exec', { address: 'main' });
    expect(await desk.call('breakpoint_delete', { group: '*' })).toMatch(/^breakpoints (\d+, ){2}\d+ deleted$/);
    expect(await desk.call('breakpoint_delete', { group: '*' })).toBe('There are no breakpoints.');
    expect(await desk.call('breakpoint_delete', {})).toMatch(/Give "id" or "group"/);
  });

  test('logs an expression for some frames, and is then off', async () => {
    await started();
    const id = await set('exec', { address: 'border', log_only: true, options: { log: 'A * 2', frames: 4 } });
    expect(await run({ frames: 10 })).toMatchObject({ cause: 'limit' });
    const { events } = await desk.data('events_read', { types: ['breakpoint'] });
    const told = (events as readonly { readonly text: string; readonly data: Record<string, unknown> }[]).map(
      ({ text, data }) => ({ text, ...data }),
    );
    const hits = told.filter(({ text }) => text.includes(' hit at '));
    expect(hits.length).toBeGreaterThanOrEqual(3);
    expect(hits.length).toBeLessThanOrEqual(4);
    expect(hits[0]).toMatchObject({
      id,
      type: 'exec',
      logged: 2,
      event: { instruction: 'STA $D020', beam: { line: expect.any(Number) } },
    });
    expect(hits[0]?.text).toMatch(/hit at \$C04F STA \$D020: log = 2/);
    expect(told.at(-1)?.text).toMatch(/^breakpoint 1 was on for 4 frames and is off now: \d hits$/);
    expect((await list())[0]).toMatchObject({ enabled: false });
  });

  test('the hit of an instruction that the end of its time cuts in two is among those it tells', async () => {
    // Eleven cycles a round, without bad lines: each frame ends one cycle later in it, and once between the two writes.
    await started('* = $c000\n sei\n lda #0\n sta $d011\nloop inc $0400\n nop\n jmp loop');
    await run({ frames: 2 });
    let from = 0;
    for (let round = 0; round < 11; round += 1) {
      const options = { log: 'A', frames: 1 };
      const id = await set('write', { address: '$0400', log_only: true, options });
      await run({ frames: 2 });
      const [{ hits = 0 } = {}] = await list();
      const page = await desk.data('events_read', { types: ['breakpoint'], from });
      const texts = (page.events as readonly { readonly text: string }[]).map(({ text }) => text);
      from = page.next as number;
      expect(texts).toContain(`breakpoint ${id} was on for 1 frame and is off now: ${hits} hits`);
      await desk.call('breakpoint_delete', { id });
    }
  });

  test('saves a snapshot at each stop', async () => {
    await started();
    await set('exec', { address: 'border', options: { snapshot: true } });
    const stop = await run();
    expect(stop.breakpoint?.snapshot).toBe('breakpoint-1-hit-1');
    for (let count = 0; count < 12; count++) await run();
    const then = await cycle();
    await run({ frames: 2 });
    const { snapshots } = await desk.data('snapshot_list');
    expect((snapshots as readonly { name: string }[]).map(({ name }) => name)).toHaveLength(10);
    await desk.call('snapshot_restore', { name: 'breakpoint-1-hit-13' });
    expect(await cycle()).toBe(then);
  });

  test('temporary ones of every type go', async () => {
    await started();
    await set('raster', { options: { line: 30 }, temporary: true });
    expect(await run()).toMatchObject({ breakpoint: { type: 'raster' } });
    expect(await list()).toEqual([]);
  });
});

describe('a stop', () => {
  test('in the cycle that was asked for lies within an instruction, forwards and backwards', async () => {
    await started('* = $c000\nmain inc $0400\n jmp main');
    await desk.call('run', { until: 'main' });
    const begin = await cycle();
    expect(await run({ cycles: 3 })).toMatchObject({
      cause: 'limit',
      reason: 'cycles',
      event: { time: begin + 3, instruction: 'INC $0400' },
    });
    const state = await desk.data('state_read');
    expect(state).toMatchObject({ cycle: begin + 3, pc: 0xc000, state: 'PAUSED', stop: { reason: 'cycles' } });
    await desk.call('step');
    expect(await cycle()).toBe(begin + 6);
    await run({ cycles: 4, back: true });
    expect(await cycle()).toBe(begin + 2);
  });

  test('of a step tells what was met in it', async () => {
    await started('* = $c000\nmain inc $0400\n jmp main');
    await desk.call('run', { until: 'main' });
    await set('change', { address: '$0400' });
    const { stop } = await desk.data('step');
    expect(stop).toMatchObject({ cause: 'breakpoint', event: { access: { kind: 'write', address: 0x400 } } });
    expect((await desk.data('step')).stop).toMatchObject({ cause: 'step' });
  });
});

test('chip_write takes the names of registers that traces show', async () => {
  await started();
  await set('chip_write', { options: { chip: 'vic2', register: 'EXTCOL' } });
  expect((await run()).event.access).toMatchObject({ address: 0xd020, chip: { name: 'vic2', register: 0x20 } });
  const tree = {
    or: [{ type: 'chip_write', register: 'extcol', condition: 'value == old_value' }, { condition: 'A == 3' }],
  };
  await set('composite', { options: { tree } });
  expect(await desk.call('breakpoint_list')).toMatch(/chip_write vic2 \$20\b.*\n.*chip_write vic2 \$20/);
  expect(
    await desk.call('breakpoint_set', { type: 'chip_write', options: { chip: 'sid', register: 'EXTCOL' } }),
  ).toMatch(/^ERROR /);
});

test('a condition that can mean nothing where it stands is refused', async () => {
  await started();
  const refused = (args: Record<string, unknown>) => desk.call('breakpoint_set', args);
  expect(await refused({ address: 'main', condition: 'A == 1 && value == 0' })).toMatch(
    /value is that of an access, and here is none \(column 11\)/,
  );
  expect(await refused({ type: 'raster', options: { line: 3, log: 'old_value' } })).toMatch(
    /old_value is that of an access/,
  );
  expect(await refused({ address: 'main', condition: 'sprite_x[8] > 5' })).toMatch(/there is no sprite 8/);
  expect(await refused({ address: 'main', condition: 'counter == 3' })).toMatch(
    /counter is an address, 0x.*write \[counter\] /s,
  );
  expect(await desk.call('run', { condition: 'value == 3' })).toMatch(/value is that of an access/);
  expect(await list()).toEqual([]);
  const tree = { and: [{ type: 'write', address: '$0400' }, { condition: 'value > 3' }] };
  await set('composite', { options: { tree } });
  expect((await run()).event.access?.value).toBeGreaterThan(3);
  await set('write', { address: '$d020', options: { log: 'value' }, log_only: true });
});
