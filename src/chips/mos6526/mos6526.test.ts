import { describe, expect, it } from 'vitest';
import { fields, stateWords } from './fields.ts';
import { Mos6526, type Mos6526Model } from './mos6526.ts';

const CLOCK_HZ = 985_248;

function powered(model: Mos6526Model = '6526A', mainsHz = 50) {
  const state = new Int32Array(stateWords);
  const cia = new Mos6526(state, model);
  cia.powerOn(CLOCK_HZ, mainsHz);
  return { state, cia };
}

/** A small generator, so that a failure can be run again. */
function randomFrom(seed: number) {
  let x = seed | 1;
  return (below: number) => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 0) % below;
  };
}

function disturb(cia: Mos6526, random: (below: number) => number): number {
  const action = random(20);
  if (action === 0) cia.setFlag(random(2));
  else if (action === 1) cia.setCnt(random(2));
  else if (action === 2) cia.setSp(random(2));
  else if (action < 10) return cia.read(random(16));
  else {
    const register = random(16);
    let value = random(256);
    // Short timers, so that a lot happens; running more often than not.
    if (register === 5 || register === 7) value = random(8) === 0 ? 1 : 0;
    if ((register === 4 || register === 6) && random(2) === 0) value &= 7;
    if (register >= 14 && random(3) !== 0) value |= 1;
    cia.write(register, value);
  }
  return -1;
}

describe.each(['6526', '6526A'] as const)('%s', (model) => {
  it('catches up to exactly what single ticks do', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const one = powered(model, seed % 3 === 0 ? 0 : 50);
      const other = powered(model, seed % 3 === 0 ? 0 : 50);
      // Mains fast enough to be met.
      one.state[fields.clockHz] = other.state[fields.clockHz] = 20_000;
      const random = randomFrom(seed * 7919);
      const again = randomFrom(seed * 7919);
      for (let i = 0; i < 400; i++) {
        const cycles = random(i % 5 === 0 ? 700 : 12);
        again(i % 5 === 0 ? 700 : 12);
        for (let c = 0; c < cycles; c++) one.cia.tick();
        other.cia.catchUp(cycles);
        if (!one.state.every((word, w) => other.state[w] === word))
          expect(other.state, `seed ${seed}`).toEqual(one.state);
        expect(disturb(other.cia, again)).toBe(disturb(one.cia, random));
      }
    }
  });

  it('changes no output in quiet cycles', () => {
    const { state, cia } = powered(model);
    const random = randomFrom(4711);
    const outputs = () =>
      [fields.irq, fields.paOut, fields.pbOut, fields.cntOut, fields.spOut, fields.pc].map((i) => state[i]);
    for (let i = 0; i < 3000; i++) {
      const quiet = Math.min(cia.quietCycles(), 500);
      const before = outputs();
      for (let c = 0; c < quiet; c++) cia.tick();
      expect(outputs()).toEqual(before);
      for (let c = random(6); c > 0; c--) cia.tick();
      disturb(cia, random);
    }
  });

  it('goes on alike from a copy of its words, and peeking leaves no trace', () => {
    const { state, cia } = powered(model);
    const random = randomFrom(99);
    for (let i = 0; i < 2000; i++) {
      cia.catchUp(random(9));
      disturb(cia, random);
    }
    const copy = state.slice();
    const twin = new Mos6526(copy, model);
    const a = randomFrom(5);
    const b = randomFrom(5);
    for (let i = 0; i < 2000; i++) {
      cia.catchUp(a(9));
      twin.catchUp(b(9));
      for (let register = 0; register < 16; register++) twin.peek(register);
      expect(disturb(twin, b)).toBe(disturb(cia, a));
    }
    expect(copy).toEqual(state);
  });

  it('pulls IRQ when the model does', () => {
    const { state, cia } = powered(model);
    cia.write(13, 0x81);
    cia.write(4, 2);
    cia.write(5, 0);
    cia.write(14, 0x11);
    const line: number[] = [];
    for (let c = 0; c < 8; c++) {
      cia.tick();
      line.push(state[fields.irq] as number);
    }
    expect(line).toEqual(model === '6526' ? [0, 0, 0, 0, 0, 1, 1, 1] : [0, 0, 0, 0, 1, 1, 1, 1]);
    expect(cia.read(13)).toBe(0x81);
    expect(state[fields.irq]).toBe(0);
  });
});

describe('timers', () => {
  const counts = (cia: Mos6526, register: number, cycles: number) =>
    Array.from({ length: cycles }, () => {
      cia.tick();
      return cia.peek(register);
    });

  it('start two cycles after the write and never show zero', () => {
    const { cia } = powered();
    cia.write(4, 3);
    cia.write(5, 0);
    cia.write(14, 0x01);
    expect(counts(cia, 4, 12)).toEqual([3, 3, 2, 1, 3, 3, 2, 1, 3, 3, 2, 1]);
  });

  it('stop after one round in one-shot mode', () => {
    const { cia } = powered();
    cia.write(4, 2);
    cia.write(5, 0);
    cia.write(14, 0x09);
    expect(counts(cia, 4, 8)).toEqual([2, 2, 1, 2, 2, 2, 2, 2]);
    expect(cia.peek(14)).toBe(0x08);
  });

  it('show zero when B counts underflows of A', () => {
    const { cia } = powered();
    cia.write(4, 2);
    cia.write(5, 0);
    cia.write(6, 2);
    cia.write(7, 0);
    cia.write(15, 0x41);
    cia.write(14, 0x01);
    const seen = counts(cia, 6, 30);
    expect(seen).toContain(0);
    expect(cia.peek(13)).toBe(3);
  });

  it('count rising edges of CNT', () => {
    const { cia } = powered();
    cia.write(4, 9);
    cia.write(5, 0);
    cia.write(14, 0x21);
    for (let edge = 0; edge < 4; edge++) {
      cia.setCnt(0);
      cia.catchUp(5);
      cia.setCnt(1);
      cia.catchUp(5);
    }
    expect(cia.peek(4)).toBe(5);
  });

  it('drive PB6 and PB7 as pulse and toggle', () => {
    const { state, cia } = powered();
    cia.write(4, 3);
    cia.write(5, 0);
    cia.write(6, 3);
    cia.write(7, 0);
    cia.write(14, 0x03);
    cia.write(15, 0x07);
    const pins = Array.from({ length: 14 }, () => {
      cia.tick();
      return (state[fields.pbOut] as number) >> 6;
    });
    expect(pins.map((p) => p & 1)).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0]);
    expect(pins.map((p) => p >> 1)).toEqual([1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0]);
  });
});

describe('time of day', () => {
  const set = (cia: Mos6526, hours: number, minutes: number, seconds: number, tenths: number) => {
    cia.write(11, hours);
    cia.write(10, minutes);
    cia.write(9, seconds);
    cia.write(8, tenths);
  };
  const shown = (cia: Mos6526) => [11, 10, 9, 8].map((register) => cia.read(register));

  it('counts a tenth in five waves of 50 Hz, from a second of cycles exactly', () => {
    const { cia } = powered();
    cia.write(14, 0x80);
    set(cia, 0x01, 0, 0, 0);
    cia.catchUp(CLOCK_HZ * 7);
    expect(shown(cia)).toEqual([0x01, 0, 0x07, 0]);
    cia.write(14, 0);
    set(cia, 0x01, 0, 0, 0);
    cia.catchUp(CLOCK_HZ * 6);
    expect(shown(cia)).toEqual([0x01, 0, 0x05, 0]);
  });

  it('turns 11:59:59.9 PM into midnight and 12:59 into 1:00', () => {
    const { cia } = powered();
    cia.write(14, 0x80);
    set(cia, 0x91, 0x59, 0x59, 9);
    cia.catchUp(CLOCK_HZ / 10 + 1);
    expect(shown(cia)).toEqual([0x12, 0, 0, 0]);
    // Twelve is turned over as it is written.
    set(cia, 0x92, 0x59, 0x59, 9);
    expect(cia.peek(11)).toBe(0x12);
    cia.catchUp(CLOCK_HZ / 10 + 1);
    expect(shown(cia)).toEqual([0x01, 0, 0, 0]);
  });

  it('freezes what is read from hours to tenths, and stops at a write of hours', () => {
    const { cia } = powered();
    cia.write(14, 0x80);
    set(cia, 0x03, 0, 0, 0);
    cia.catchUp(CLOCK_HZ);
    expect(cia.read(11)).toBe(3);
    cia.catchUp(CLOCK_HZ);
    expect([cia.read(9), cia.read(8)]).toEqual([0x01, 0]);
    expect(cia.read(9)).toBe(0x02);
    cia.write(11, 0x04);
    cia.catchUp(CLOCK_HZ * 2);
    expect(cia.read(9)).toBe(0x02);
  });

  it('raises the alarm', () => {
    const { state, cia } = powered();
    cia.write(14, 0x80);
    cia.write(15, 0x80);
    set(cia, 0x01, 0, 0x01, 0);
    cia.write(15, 0);
    // The alarm passed the time of day while it was written.
    cia.catchUp(3);
    expect(cia.read(13)).toBe(0x04);
    cia.catchUp(3);
    cia.write(13, 0x84);
    set(cia, 0x01, 0, 0, 0);
    cia.catchUp(CLOCK_HZ - 10);
    expect(state[fields.irq]).toBe(0);
    cia.catchUp(20);
    expect(state[fields.irq]).toBe(1);
    expect(cia.read(13)).toBe(0x84);
  });
});

describe('shift register', () => {
  it('puts a byte out bit by bit and takes it in again', () => {
    const out = powered();
    const into = powered();
    out.cia.write(4, 5);
    out.cia.write(5, 0);
    out.cia.write(14, 0x51);
    out.cia.write(12, 0xa7);
    for (let c = 0; c < 200; c++) {
      out.cia.tick();
      into.cia.setSp(out.state[fields.spOut] as number);
      into.cia.setCnt(out.state[fields.cntOut] as number);
      into.cia.tick();
    }
    expect(into.cia.peek(12)).toBe(0xa7);
    expect(into.cia.read(13) & 8).toBe(8);
    expect(out.cia.read(13) & 8).toBe(8);
  });
});

describe('ports', () => {
  it('read what the pins are, and pulse PC after an access to port B', () => {
    const { state, cia } = powered();
    cia.write(2, 0xf0);
    cia.write(0, 0x50);
    expect(state[fields.paOut]).toBe(0x5f);
    state[fields.paIn] = 0xbe;
    expect(cia.read(0)).toBe(0x1e);
    cia.read(1);
    const pulse = Array.from({ length: 3 }, () => {
      cia.tick();
      return state[fields.pc];
    });
    expect(pulse).toEqual([0, 1, 1]);
  });

  it('latches the falling edge of FLAG', () => {
    const { state, cia } = powered();
    cia.write(13, 0x90);
    cia.setFlag(0);
    cia.catchUp(3);
    expect(state[fields.irq]).toBe(1);
    expect(cia.read(13)).toBe(0x90);
    cia.setFlag(1);
    cia.catchUp(3);
    expect(cia.read(13)).toBe(0);
  });
});
