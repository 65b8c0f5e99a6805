import { describe, expect, test } from 'vitest';
import { fields, stateWords, type Via6522State } from './fields.ts';
import { Via6522, viaInterrupt } from './via6522.ts';

function via() {
  const state = new Int32Array(stateWords) as Via6522State;
  const chip = new Via6522(state);
  chip.powerOn();
  return { chip, state };
}

/** Ticks until the pin is pulled; -1 if that does not happen. */
function cyclesToIrq({ chip, state }: ReturnType<typeof via>, limit = 1000): number {
  for (let count = 1; count <= limit; count++) {
    chip.tick();
    if (state[fields.irq] !== 0) return count;
  }
  return -1;
}

describe('timer 1', () => {
  test('one shot: an interrupt after N + 2 cycles, and only one', () => {
    const both = via();
    both.chip.write(14, 0xc0);
    both.chip.write(4, 10);
    both.chip.write(5, 0);
    expect(cyclesToIrq(both)).toBe(12);
    expect(both.chip.peek(13)).toBe(0xc0);
    expect(both.chip.read(4)).toBe(0xff);
    expect(both.state[fields.irq]).toBe(0);
    expect(cyclesToIrq(both)).toBe(-1);
  });

  test('free running: every N + 2 cycles, with PB7 turning over', () => {
    const both = via();
    both.chip.write(11, 0xc0);
    both.chip.write(2, 0x80);
    both.chip.write(14, 0xc0);
    both.chip.write(4, 20);
    both.chip.write(5, 0);
    const seen = [both.state[fields.pbOut] >> 7];
    for (let round = 0; round < 3; round++) {
      expect(cyclesToIrq(both)).toBe(22);
      seen.push(both.state[fields.pbOut] >> 7);
      both.chip.read(4);
    }
    expect(seen).toEqual([0, 1, 0, 1]);
  });

  test('the latch can be written while it runs', () => {
    const both = via();
    both.chip.write(11, 0x40);
    both.chip.write(14, 0xc0);
    both.chip.write(4, 5);
    both.chip.write(5, 0);
    both.chip.tick();
    both.chip.write(6, 50);
    both.chip.write(7, 0);
    expect(cyclesToIrq(both)).toBe(6);
    both.chip.write(13, viaInterrupt.t1);
    expect(cyclesToIrq(both)).toBe(52);
  });
});

describe('timer 2 alone', () => {
  test('counts down once and goes on counting', () => {
    const both = via();
    both.chip.write(14, 0xa0);
    both.chip.write(8, 100);
    both.chip.write(9, 0);
    expect(cyclesToIrq(both)).toBe(102);
    both.chip.read(8);
    expect(cyclesToIrq(both, 0x1_0000)).toBe(-1);
  });

  test('counts pulses on PB6', () => {
    const both = via();
    both.chip.write(11, 0x20);
    both.chip.write(14, 0xa0);
    both.chip.write(8, 2);
    both.chip.write(9, 0);
    expect(cyclesToIrq(both, 100)).toBe(-1);
    const pulse = () => {
      both.chip.setPortB(0xbf);
      both.chip.tick();
      both.chip.setPortB(0xff);
      both.chip.tick();
    };
    for (let count = 0; count < 2; count++) pulse();
    expect(both.state[fields.irq]).toBe(0);
    pulse();
    expect(both.state[fields.irq]).toBe(1);
  });
});

describe('timer 1 on PB7', () => {
  const pb7 = ({ state }: ReturnType<typeof via>) => state[fields.pbOut] >> 7;

  test('one shot: low from the write to the time-out; the pin is an output whatever DDRB says', () => {
    const both = via();
    both.chip.write(11, 0x80);
    expect(pb7(both)).toBe(1);
    both.chip.write(4, 3);
    both.chip.write(5, 0);
    const seen = Array.from({ length: 8 }, () => {
      const level = pb7(both);
      both.chip.tick();
      return level;
    });
    expect(seen).toEqual([0, 0, 0, 0, 0, 1, 1, 1]);
  });

  test('it starts high when it is switched on, and a time-out turns it over then', () => {
    const both = via();
    both.chip.write(4, 3);
    both.chip.write(5, 0);
    both.chip.write(11, 0x80);
    expect(pb7(both)).toBe(1);
    for (let count = 0; count < 5; count++) both.chip.tick();
    expect(both.chip.peek(0) >> 7).toBe(0);
  });
});

describe('timer 2', () => {
  test('starts and stops a cycle after the ACR says so', () => {
    const { chip, state } = via();
    chip.write(8, 0x80);
    chip.write(9, 0x10);
    chip.tick();
    expect(state[fields.t2Counter]).toBe(0x1080);
    chip.write(11, 0x20);
    const stopping = Array.from({ length: 3 }, () => {
      chip.tick();
      return state[fields.t2Counter];
    });
    expect(stopping).toEqual([0x107f, 0x107f, 0x107f]);
    chip.write(11, 0);
    const starting = Array.from({ length: 3 }, () => {
      chip.tick();
      return state[fields.t2Counter];
    });
    expect(starting).toEqual([0x107f, 0x107e, 0x107d]);
  });

  test('an output on PB6 counts as well as an input', () => {
    const { chip, state } = via();
    chip.write(2, 0x40);
    chip.write(0, 0x40);
    chip.write(11, 0x20);
    chip.write(8, 9);
    chip.write(9, 0);
    chip.tick();
    chip.tick();
    for (let pulse = 0; pulse < 3; pulse++) {
      chip.write(0, 0);
      chip.tick();
      chip.write(0, 0x40);
      chip.tick();
    }
    expect(state[fields.t2Counter]).toBe(6);
  });
});

describe('shift register', () => {
  const shifting = (acr: number, latch = 4) => {
    const both = via();
    both.chip.write(8, latch);
    both.chip.write(9, 0);
    both.chip.write(14, 0x84);
    both.chip.write(11, acr);
    both.chip.tick();
    return both;
  };

  test('out with the system clock: a bit every two cycles on CB2, CB1 as its clock, then the flag', () => {
    const { chip, state } = shifting(0x18);
    for (let count = 0; count < 4; count++) chip.tick();
    chip.write(10, 0b1010_0011);
    const bits: number[] = [];
    let cycles = 0;
    for (let before = 1; state[fields.irq] === 0 && cycles < 100; cycles += 1) {
      chip.tick();
      if (before === 1 && state[fields.cb1Out] === 0) bits.push(state[fields.cb2Out]);
      before = state[fields.cb1Out];
    }
    expect(bits).toEqual([1, 0, 1, 0, 0, 0, 1, 1]);
    expect(cycles).toBe(17);
    expect(chip.read(10)).toBe(0b1010_0011);
    expect(state[fields.irq]).toBe(0);
  });

  test('in with the system clock: CB2 is taken where CB1 rises', () => {
    const { chip, state } = shifting(0x08);
    for (let count = 0; count < 4; count++) chip.tick();
    chip.read(10);
    chip.tick();
    for (const bit of [0, 1, 1, 0, 1, 0, 0, 1]) {
      chip.tick();
      chip.setCb2(bit);
      chip.tick();
    }
    expect(state[fields.irq]).toBe(1);
    expect(chip.peek(10)).toBe(0b0110_1001);
  });

  test('with timer 2: its low byte runs in a circle, each second wrap is a bit', () => {
    const { chip, state } = shifting(0x14, 3);
    chip.write(10, 0x80);
    let cycles = 0;
    for (; state[fields.irq] === 0 && cycles < 1000; cycles++) chip.tick();
    // Sixteen half bits of N + 2 cycles each, from wherever the timer was.
    expect(cycles).toBeGreaterThan(15 * 5);
    expect(cycles).toBeLessThan(17 * 5);
    expect(chip.peek(10)).toBe(0x80);
  });

  test('running freely it never ends and sets no flag', () => {
    const { chip, state } = shifting(0x10, 0);
    chip.write(10, 0x0f);
    const levels = Array.from({ length: 640 }, () => {
      chip.tick();
      return state[fields.cb2Out];
    });
    expect(levels.slice(320)).toEqual(levels.slice(256, 576));
    expect(new Set(levels)).toEqual(new Set([0, 1]));
    expect(state[fields.irq]).toBe(0);
  });

  test('with a clock from outside: eight pulses on CB1', () => {
    const { chip, state } = shifting(0x0c);
    chip.read(10);
    for (const bit of [1, 1, 0, 0, 1, 0, 1, 0]) {
      chip.setCb1(0);
      chip.setCb2(bit);
      expect(state[fields.irq]).toBe(0);
      chip.setCb1(1);
    }
    expect(state[fields.irq]).toBe(1);
    expect(chip.read(10)).toBe(0b1100_1010);
    chip.write(11, 0x1c);
    chip.write(10, 0x81);
    const out = Array.from({ length: 8 }, () => {
      chip.setCb1(0);
      const bit = state[fields.cb2Out];
      chip.setCb1(1);
      return bit;
    });
    expect(out).toEqual([1, 0, 0, 0, 0, 0, 0, 1]);
  });

  test('switched off, it gives CB2 back to the PCR and holds its flag down', () => {
    const { chip, state } = shifting(0x18);
    chip.write(12, 0xc0);
    chip.write(10, 0xff);
    for (let count = 0; count < 40; count++) chip.tick();
    expect([state[fields.cb2Out], chip.peek(13) & 4]).toEqual([1, 4]);
    chip.write(11, 0);
    expect([state[fields.cb2Out], chip.peek(13) & 4]).toEqual([0, 0]);
  });
});

describe('ports', () => {
  test('port A reads its pins, port B what it drives', () => {
    const { chip, state } = via();
    chip.write(3, 0x0f);
    chip.write(2, 0x0f);
    chip.write(1, 0x05);
    chip.write(0, 0x05);
    state[fields.paIn] = 0x3a;
    state[fields.pbIn] = 0x3a;
    expect(chip.peek(1)).toBe(0x30);
    expect(chip.peek(0)).toBe(0x35);
    expect([state[fields.paOut], state[fields.pbOut]]).toEqual([0xf5, 0xf5]);
  });

  test('inputs are held from the edge on CA1 while latching is on', () => {
    const { chip, state } = via();
    chip.write(11, 1);
    state[fields.paIn] = 0x11;
    chip.setCa1(0);
    state[fields.paIn] = 0x22;
    expect(chip.read(1)).toBe(0x11);
    expect(chip.read(1)).toBe(0x22);
  });
});

describe('handshake lines', () => {
  test('edges as chosen, flags cleared by the port', () => {
    const { chip, state } = via();
    chip.write(14, 0x92);
    chip.setCa1(0);
    expect(state[fields.irq]).toBe(1);
    chip.read(15);
    expect(state[fields.irq]).toBe(1);
    chip.read(1);
    expect(state[fields.irq]).toBe(0);
    chip.write(12, 0x11);
    chip.setCa1(1);
    expect(chip.peek(13)).toBe(0x82);
    chip.write(13, 0x7f);
    chip.setCb1(0);
    chip.setCb1(1);
    expect(chip.peek(13)).toBe(0x90);
    chip.write(0, 0);
    expect(chip.peek(13)).toBe(0);
  });

  test('CA2 and CB2 as inputs, independent or not', () => {
    const { chip } = via();
    chip.write(12, 0x62);
    chip.setCa2(0);
    chip.setCb2(0);
    chip.setCb2(1);
    expect(chip.peek(13)).toBe(viaInterrupt.ca2 | viaInterrupt.cb2);
    chip.read(1);
    chip.read(0);
    expect(chip.peek(13)).toBe(viaInterrupt.ca2 | viaInterrupt.cb2);
    chip.write(12, 0);
    chip.read(1);
    chip.read(0);
    expect(chip.peek(13)).toBe(0);
  });

  test('CA2 and CB2 as outputs: levels, handshake, pulse', () => {
    const { chip, state } = via();
    chip.write(12, 0xec);
    expect([state[fields.ca2Out], state[fields.cb2Out]]).toEqual([0, 1]);
    chip.write(12, 0x8a);
    chip.read(1);
    chip.write(0, 1);
    expect([state[fields.ca2Out], state[fields.cb2Out]]).toEqual([0, 0]);
    chip.tick();
    expect([state[fields.ca2Out], state[fields.cb2Out]]).toEqual([1, 0]);
    chip.setCb1(0);
    expect(state[fields.cb2Out]).toBe(1);
  });
});

test('catching up is the same as ticking, whatever the timers do', () => {
  const one = via();
  const two = via();
  let seed = 1;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (seed >> 8) % below;
  };
  for (let round = 0; round < 2000; round++) {
    const register = [0, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14][random(13)] ?? 4;
    const value = random(register === 5 || register === 7 || register === 9 ? 2 : 256);
    for (const { chip } of [one, two]) chip.write(register, value);
    const cycles = random(300);
    for (let count = 0; count < cycles; count++) one.chip.tick();
    two.chip.catchUp(cycles);
    expect([...two.state]).toEqual([...one.state]);
  }
});
