import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Desk } from './desk.ts';

let desk: Desk;
let vic20: Desk;
beforeAll(async () => {
  [desk, vic20] = await Promise.all([Desk.withC64(), Desk.withVic20()]);
  await desk.call('run', { frames: 150 });
  await vic20.call('run', { frames: 150 });
});
afterAll(async () => {
  await desk.close();
  await vic20.close();
});

interface Register {
  readonly address: number;
  readonly name: string;
  readonly value: number;
  readonly description: string;
}

describe('chip_read in numbers', () => {
  test('all 47 registers of the VIC-II', async () => {
    const { registers, numbers } = await desk.data('chip_read', { chip: 'vic2' });
    const all = registers as readonly Register[];
    expect(all).toHaveLength(47);
    expect(all.map(({ address }) => address)).toEqual(Array.from({ length: 47 }, (_, index) => 0xd000 + index));
    expect(new Set(all.map(({ name }) => name)).size).toBe(47);
    expect(all[0x20]).toMatchObject({ name: 'EXTCOL', value: 0xfe, description: 'colour of the border' });
    expect(all[0x18]).toMatchObject({ name: 'VMCSB', value: 0x15 });
    expect(numbers).toMatchObject({ border: 14, screen: 0x400, columns: 40, rows: 25, y_scroll: 3 });
    const { bad_lines: badLines } = numbers as { readonly bad_lines: readonly number[] };
    expect([badLines[0], badLines.at(-1), badLines.length]).toEqual([51, 243, 25]);
  });

  test('voices in hertz and milliseconds, the filter', async () => {
    await desk.call('memory_write', { address: '$d400', bytes: '25 1d 00 08 41 09 f0', space: 'io' });
    await desk.call('memory_write', { address: '$d415', bytes: '00 80 f1 1f', space: 'io' });
    const { items } = await desk.data('chip_read', { chip: 'sid', part: 'voice', all: true });
    const [voice] = items as readonly { readonly numbers: Record<string, unknown> }[];
    expect(voice?.numbers).toMatchObject({
      voice: 1,
      frequency: 0x1d25,
      waveform: ['pulse'],
      duty_percent: 50,
      gate: true,
      attack_ms: 2,
      decay_ms: 761,
      sustain: 15,
      release_ms: 6,
    });
    expect(voice?.numbers.frequency_hz).toBeCloseTo((0x1d25 * 985_248) / 2 ** 24, 1);
    const { numbers } = await desk.data('chip_read', { chip: 'sid' });
    expect(numbers).toMatchObject({
      volume: 15,
      filter: { cutoff: 1024, cutoff_hz: 4600, resonance: 15, low_pass: true, high_pass: false, voices: [1] },
    });
  });

  test('all timers, with latch, value and mode', async () => {
    const timers = await Promise.all(
      ['cia1', 'cia2'].map((chip) => desk.data('chip_read', { chip, part: 'timer', all: true })),
    );
    const all = timers.flatMap(({ items }) => items as readonly { readonly numbers: Record<string, unknown> }[]);
    expect(all.map(({ numbers }) => numbers.timer)).toEqual(['A', 'B', 'A', 'B']);
    expect(all[0]?.numbers).toMatchObject({ running: true, mode: 'continuous', counts: 'cycles', interrupt: true });
    const { value, latch } = (all[0]?.numbers ?? {}) as { readonly value: number; readonly latch: number };
    expect(latch).toBeGreaterThan(15_000);
    expect(value).toBeLessThanOrEqual(latch);
  });

  test('the same for the chips of a VIC-20', async () => {
    const { numbers, registers } = await vic20.data('chip_read', { chip: 'vic' });
    expect(numbers).toMatchObject({
      columns: 22,
      rows: 23,
      character_height: 8,
      screen: 0x1e00,
      border: 3,
      background: 1,
    });
    expect((registers as readonly Register[]).map(({ name }) => name)).toContain('SOPRANO');
    const { items } = await vic20.data('chip_read', { chip: 'via2', part: 'timer', all: true });
    expect((items as readonly { readonly numbers: unknown }[])[0]?.numbers).toMatchObject({
      timer: 1,
      mode: 'continuous',
    });
    const via = await vic20.data('chip_read', { chip: 'via1' });
    expect(via.numbers).toMatchObject({ port_a: { direction: 128 }, timer_1: { timer: 1 } });
  });
});

describe('chip_write', () => {
  test('a sprite is written and read as an object', async () => {
    const values = { x: 300, y: 77, color: 5, pointer: 13 };
    const flags = { enabled: 1, multicolor: 1, expand_x: 1, expand_y: 0, priority: 1 };
    const asRead = { enabled: true, multicolor: true, expand_x: true, expand_y: false, priority: true };
    const sprite = { chip: 'vic2', part: 'sprite', index: 3 };
    await desk.call('chip_write', { ...sprite, values: { ...values, ...flags } });
    const { numbers } = await desk.data('chip_read', sprite);
    expect(numbers).toMatchObject({ sprite: 3, ...values, ...asRead, data_address: 13 * 64 });
    expect(await desk.bytes('$d010', 1, 'io')).toBe('08');
    expect(await desk.bytes('$d015', 1, 'io')).toBe('08');
    expect(await desk.bytes('$07fb', 1)).toBe('0D');
    await desk.call('chip_write', { ...sprite, values: { x: 20, enabled: 0 } });
    expect((await desk.data('chip_read', sprite)).numbers).toMatchObject({ x: 20, y: 77, enabled: false });
    expect(await desk.bytes('$d010', 1, 'io')).toBe('00');
  });

  test('registers by name and by address', async () => {
    await desk.call('chip_write', { chip: 'vic2', values: { EXTCOL: 2, $D021: 7 } });
    expect((await desk.data('chip_read', { chip: 'vic2' })).numbers).toMatchObject({
      border: 2,
      background: [7, 1, 2, 3],
    });
    await desk.call('chip_write', { chip: 'cia2', values: { TALO: 0x34, TAHI: 0x12 } });
    expect((await desk.data('chip_read', { chip: 'cia2', part: 'timer' })).numbers).toMatchObject({ value: 0x1234 });
    await vic20.call('chip_write', { chip: 'vic', values: { COLORS: 0x1d } });
    expect((await vic20.data('chip_read', { chip: 'vic' })).numbers).toMatchObject({ border: 5, background: 1 });
  });

  test('all or nothing, and what cannot be is refused by name', async () => {
    const before = await desk.call('chip_read', { chip: 'vic2', part: 'sprite', index: 1 });
    const sprite = { chip: 'vic2', part: 'sprite', index: 1 };
    expect(await desk.call('chip_write', { ...sprite, values: { y: 9, z: 1 } })).toMatch(
      /nothing called "z".*\n.*x, y, color/,
    );
    expect(await desk.call('chip_write', { ...sprite, values: { y: 9, x: 512 } })).toMatch(
      /x cannot be 512.*\n.*0 to 511/,
    );
    expect(await desk.call('chip_write', { ...sprite, values: { enabled: 2 } })).toMatch(/Use 1 or 0/);
    expect(await desk.call('chip_read', { chip: 'vic2', part: 'sprite', index: 1 })).toBe(before);
    expect(await desk.call('chip_write', { chip: 'vic2', part: 'charset', values: { a: 1 } })).toMatch(
      /cannot be written/,
    );
    expect(await desk.call('chip_write', { chip: 'vic2', part: 'sprite', index: 8, values: {} })).toMatch(/0 to 7/);
  });

  test('what was written is part of the past', async () => {
    await desk.call('chip_write', { chip: 'vic2', values: { EXTCOL: 5 } });
    await desk.call('run', { frames: 2 });
    await desk.call('run', { frames: 1, back: true });
    expect((await desk.data('chip_read', { chip: 'vic2' })).numbers).toMatchObject({ border: 5 });
  });
});

describe('cycles_read', () => {
  test('cycles with frames and raster lines, and checkpoints beside the mark', async () => {
    await desk.call('cycles_read', { mark: true });
    await desk.call('cycles_read', { mark: true, name: 'first' });
    await desk.call('run', { cycles: 20_000 });
    await desk.call('cycles_read', { mark: true, name: 'second' });
    await desk.call('run', { cycles: 630 });
    const { elapsed, checkpoints } = await desk.data('cycles_read');
    const { cycles } = elapsed as { readonly cycles: number };
    expect(cycles).toBeGreaterThanOrEqual(20_630);
    expect(elapsed).toEqual({ cycles, frames: 1, raster_lines: Math.floor(cycles / 63) });
    expect(checkpoints).toMatchObject([
      { name: 'first', cycles, frames: 1 },
      { name: 'second', frames: 0, raster_lines: 10 },
    ]);
    expect(await desk.call('cycles_read')).toMatch(/cycles \(1 frame, 327 raster lines\) since first/);
  });
});

test('the colours of the border with their lines', async () => {
  await desk.call('program_run', {
    source: `* = $c000
loop    lda $d012
        cmp #80
        bne loop
        lda #7
        sta $d020
wait    lda $d012
        cmp #90
        bne wait
        lda #0
        sta $d020
        jmp loop`,
  });
  await desk.call('run', { frames: 3 });
  const { history } = await desk.data('frame_trace', { action: 'borders', frames: 2 });
  const all = history as readonly Record<string, unknown>[];
  const frame = all[0]?.frame as number;
  expect(all.slice(0, 6).map((each) => [each.frame, each.raster_line, each.color])).toEqual([
    [frame, 0, 0],
    [frame, 80, 7],
    [frame, 90, 0],
    [frame + 1, 0, 0],
    [frame + 1, 80, 7],
    [frame + 1, 90, 0],
  ]);
  expect(all[1]).toMatchObject({ pc: '$C009', symbol: expect.stringMatching(/^loop\+9/) });
});
