import { describe, expect, it } from 'vitest';
import { fields, stateWords } from './fields.ts';
import { Sid, type SidModel } from './sid.ts';

function powered(model: SidModel) {
  const state = new Int32Array(stateWords);
  const sid = new Sid(state, model);
  sid.powerOn();
  return { state, sid };
}

function randomFrom(seed: number) {
  let x = seed | 1;
  return (below: number) => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 0) % below;
  };
}

const CONTROLS = [
  0x10, 0x11, 0x20, 0x21, 0x40, 0x41, 0x80, 0x81, 0x15, 0x51, 0x71, 0x00, 0x08, 0x88, 0x89, 0x23, 0x17, 0x43, 0x83,
  0xc1, 0xf1,
];

function disturb(sid: Sid, random: (below: number) => number, calm: boolean): number {
  if (random(3) === 0) return sid.read(0x19 + random(5));
  const register = random(25);
  let value = random(256);
  if (register < 21 && register % 7 === 4) value = CONTROLS[random(calm ? 19 : CONTROLS.length)] as number;
  sid.write(register, value);
  return -1;
}

describe.each(['6581', '8580'] as const)('%s', (model) => {
  it('catches up to exactly what single ticks do', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const one = powered(model);
      const other = powered(model);
      const random = randomFrom(seed * 7919);
      const again = randomFrom(seed * 7919);
      const calm = seed % 4 !== 0;
      for (let i = 0; i < 120; i++) {
        const below = i % 7 === 0 ? 9000 : 60;
        const cycles = random(below);
        again(below);
        for (let c = 0; c < cycles; c++) one.sid.tick();
        other.sid.catchUp(cycles);
        if (!one.state.every((word, w) => other.state[w] === word))
          expect(other.state, `seed ${seed}`).toEqual(one.state);
        expect(disturb(other.sid, again, calm)).toBe(disturb(one.sid, random, calm));
      }
    }
  });

  it('goes on alike from a copy of its words', () => {
    const { state, sid } = powered(model);
    const random = randomFrom(3);
    for (let i = 0; i < 500; i++) {
      sid.catchUp(random(200));
      disturb(sid, random, false);
    }
    const copy = state.slice();
    const twin = new Sid(copy, model);
    const a = randomFrom(5);
    const b = randomFrom(5);
    for (let i = 0; i < 500; i++) {
      sid.catchUp(a(200));
      twin.catchUp(b(200));
      for (let register = 0; register < 32; register++) twin.peek(register);
      expect(disturb(twin, b, false)).toBe(disturb(sid, a, false));
    }
    expect(copy).toEqual(state);
  });

  it('shows the sawtooth of voice 3 in OSC3', () => {
    const { sid } = powered(model);
    sid.write(0x12, 0x08);
    sid.write(0x0f, 0x10);
    sid.write(0x12, 0x20);
    sid.catchUp(16 * 100 + 2);
    const first = sid.read(0x1b);
    sid.catchUp(16 * 5);
    expect(sid.read(0x1b)).toBe(first + 5);
  });

  it('has the full range of noise from the reset register', () => {
    const { sid } = powered(model);
    sid.write(0x0f, 0xff);
    sid.write(0x12, 0x80);
    const seen = new Set<number>();
    for (let i = 0; i < 20_000; i++) {
      sid.catchUp(17);
      seen.add(sid.read(0x1b));
    }
    expect(seen.size).toBe(256);
  });

  it('keeps a written byte on the bus for a while', () => {
    const { sid } = powered(model);
    sid.write(0, 0x55);
    sid.catchUp(0x1000);
    expect(sid.read(0)).toBe(0x55);
    sid.catchUp(0x100000);
    expect(sid.read(0)).toBe(0);
  });
});

it('goes on showing what a combined waveform left of the noise, until the next shift', () => {
  const one = powered('6581');
  const other = powered('6581');
  for (const { sid } of [one, other]) {
    sid.write(0x0f, 0x01);
    sid.write(0x11, 0x0f);
    sid.write(0x12, 0xc0);
    for (let i = 0; i < 10; i++) sid.tick();
    sid.write(0x12, 0x80);
  }
  for (let i = 0; i < 50; i++) one.sid.tick();
  other.sid.catchUp(50);
  expect(other.sid.read(0x1b)).toBe(one.sid.read(0x1b));
  other.sid.catchUp(5000);
  expect(other.sid.read(0x1b)).not.toBe(one.sid.read(0x1b));
});

describe('envelope', () => {
  it('attacks, decays to the sustain level and releases to zero', () => {
    const { state, sid } = powered('8580');
    sid.catchUp(400_000);
    expect(sid.read(0x1c)).toBe(0);
    sid.write(0x13, 0x00);
    sid.write(0x14, 0x80);
    sid.write(0x12, 0x01);
    sid.catchUp(9 * 256 + 20);
    expect(sid.read(0x1c)).toBeGreaterThan(0xf0);
    sid.catchUp(9 * 300);
    expect(sid.read(0x1c)).toBe(0x88);
    sid.write(0x12, 0x00);
    sid.catchUp(40_000);
    expect(sid.read(0x1c)).toBe(0);
    expect(state[fields.voice3Counting]).toBe(0);
  });

  it('waits a round of the rate counter when the period is set below it', () => {
    const { sid } = powered('6581');
    sid.catchUp(400_000);
    sid.write(0x13, 0xf0);
    sid.write(0x12, 0x01);
    sid.catchUp(1000);
    sid.write(0x13, 0x00);
    sid.catchUp(20_000);
    expect(sid.read(0x1c)).toBe(0);
    sid.catchUp(14_000);
    expect(sid.read(0x1c)).toBeGreaterThan(0);
  });
});
