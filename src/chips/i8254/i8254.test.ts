import { describe, expect, it } from 'vitest';
import { stateWords } from './fields.ts';
import { I8254, PIT_HZ } from './i8254.ts';

/** One instruction is one tick, so that a test can count ticks. */
function timer(instructionsPerSecond = PIT_HZ) {
  const state = new Int32Array(stateWords);
  const edges: [number, number][] = [];
  const clock = { now: 0 };
  const pit = new I8254(state, {
    now: () => clock.now,
    instructionsPerSecond,
    out0: (level) => edges.push([clock.now, level]),
  });
  pit.powerOn();
  /** Runs as a board does: from event to event. */
  const runTo = (count: number) => {
    for (let next = pit.nextEvent(); next <= count; next = pit.nextEvent()) {
      clock.now = next;
      pit.catchUp(next);
    }
    clock.now = count;
  };
  const load = (control: number, low: number, high: number) => {
    pit.write(3, control);
    pit.write(control >> 6, low);
    pit.write(control >> 6, high);
  };
  return { state, edges, clock, pit, runTo, load };
}

const levels = (t: ReturnType<typeof timer>, counter: number, ticks: number) =>
  Array.from({ length: ticks }, () => {
    const level = t.pit.output(counter);
    t.clock.now++;
    return level;
  }).join('');

describe('8254 outputs', () => {
  it.each([
    [0, 4, '000001111111'],
    [2, 4, '111101110111'],
    [3, 4, '111001100110'],
    [3, 5, '111100111001'],
    [4, 4, '111110111111'],
  ])('mode %i with %i', (mode, count, expected) => {
    const t = timer();
    t.pit.setGate(2, 1);
    t.load(0xb0 | (mode << 1), count, 0);
    expect(levels(t, 2, 12)).toBe(expected);
  });

  it.each([
    [1, 4, '100001111'],
    [5, 4, '111110111'],
  ])('mode %i with %i begins with its trigger, and again', (mode, count, expected) => {
    const t = timer();
    t.load(0xb0 | (mode << 1), count, 0);
    expect(levels(t, 2, 5)).toBe('11111');
    for (let round = 0; round < 2; round++) {
      t.pit.setGate(2, 1);
      expect(levels(t, 2, 9)).toBe(expected);
      t.pit.setGate(2, 0);
    }
  });

  it('gate 0 holds mode 0 where it is, and puts mode 3 high', () => {
    const t = timer();
    t.pit.setGate(2, 1);
    t.load(0xb0, 8, 0);
    t.clock.now = 5;
    t.pit.setGate(2, 0);
    t.clock.now = 500;
    t.pit.write(3, 0x80);
    expect([t.pit.read(2), t.pit.read(2)]).toEqual([4, 0]);
    t.pit.setGate(2, 1);
    expect(levels(t, 2, 6)).toBe('000011');
    t.load(0xb6, 6, 0);
    t.clock.now += 5;
    expect(t.pit.output(2)).toBe(0);
    t.pit.setGate(2, 0);
    expect(t.pit.output(2)).toBe(1);
  });

  it('a new count in mode 3 waits for the end of the half', () => {
    const t = timer();
    t.pit.setGate(2, 1);
    t.load(0xb6, 6, 0);
    t.clock.now = 2;
    t.pit.write(2, 2);
    t.pit.write(2, 0);
    expect(levels(t, 2, 8)).toBe('11010101');
  });

  it('counts how long OUT 2 is high', () => {
    const t = timer();
    t.pit.setGate(2, 1);
    t.load(0xb6, 10, 0);
    expect(t.pit.highTicks2(1, 101)).toBe(50);
    expect(t.pit.highTicks2(1, 4)).toBe(3);
    expect(t.pit.highTicks2(5, 12)).toBe(2);
    // Also when somebody has looked at the counter later.
    t.clock.now = 987;
    t.pit.output(2);
    expect([t.pit.highTicks2(1, 101), t.pit.highTicks2(5, 12)]).toEqual([50, 2]);
  });
});

describe('8254 counts', () => {
  it('latches, reads back and shows status with null count', () => {
    const t = timer();
    t.load(0x34, 0x34, 0x12);
    t.pit.write(3, 0xc2);
    expect(t.pit.read(0)).toBe(0x80 | 0x40 | 0x34);
    // Status first, then the latched count.
    expect(t.pit.read(0) | (t.pit.read(0) << 8)).toBe(0x1234);
    t.clock.now = 0x101;
    t.pit.write(3, 0x00);
    t.clock.now = 0x200;
    t.pit.write(3, 0x00);
    expect(t.pit.read(0) | (t.pit.read(0) << 8)).toBe(0x1134);
    t.pit.write(3, 0xe2);
    expect(t.pit.read(0)).toBe(0x80 | 0x34);
  });

  it('counts in BCD', () => {
    const t = timer();
    t.load(0x31, 0x00, 0x01);
    t.clock.now = 2;
    expect(t.pit.read(0) | (t.pit.read(0) << 8)).toBe(0x99);
    t.clock.now = 103;
    expect(t.pit.read(0) | (t.pit.read(0) << 8)).toBe(0x9998);
  });

  it('reads one byte only where the control word says so', () => {
    const t = timer();
    t.pit.write(3, 0x14);
    t.pit.write(0, 0x80);
    t.clock.now = 1;
    expect([t.pit.read(0), t.pit.read(0)]).toEqual([0x80, 0x80]);
    t.pit.write(3, 0x24);
    t.pit.write(0, 0x02);
    t.clock.now = 3;
    expect([t.pit.read(0), t.pit.read(0)]).toEqual([0x01, 0x01]);
  });
});

describe('8254 events', () => {
  it('fires the PC tick at exact instruction counts, without drift', () => {
    const t = timer(4_000_000);
    t.load(0x36, 0, 0);
    t.edges.length = 0;
    t.runTo(4_000_000 * 100);
    const rising = t.edges.filter(([, level]) => level === 1).map(([at]) => at);
    expect(rising.length).toBe(Math.floor((100 * PIT_HZ - 1) / 65_536));
    expect(rising).toEqual(rising.map((_, i) => Math.ceil((((i + 1) * 65_536 + 1) * 4_000_000) / PIT_HZ)));
  });

  it('is the same whether caught up in one step or many, also from a copy of its words', () => {
    const one = timer(3_000_017);
    const many = timer(3_000_017);
    for (const t of [one, many]) t.load(0x34, 0x10, 0x27);
    one.runTo(9_999_999);
    for (let at = 0; at <= 9_999_999; at += 1_237) {
      many.runTo(at);
      many.pit.output(0);
    }
    many.runTo(9_999_999);
    one.pit.output(0);
    many.pit.output(0);
    expect(many.edges).toEqual(one.edges);
    expect(many.state).toEqual(one.state);
    expect(one.edges.length).toBeGreaterThan(600);
  });
});
