import { describe, expect, it } from 'vitest';
import { OPERATOR_WORDS, operatorFields, stateWords } from './fields.ts';
import { Opl2 } from './opl2.ts';

const IPS = 4_000_000;

function opl(active = true) {
  const clock = { now: 0 };
  const samples: number[] = [];
  const state = new Int32Array(stateWords);
  const wires = {
    now: () => clock.now,
    instructionsPerSecond: IPS,
    sink: {
      active,
      add: (index: number, value: number) => {
        samples[index] = value;
      },
    },
  };
  const chip = new Opl2(state, wires);
  chip.powerOn();
  const set = (index: number, value: number) => {
    chip.write(0, index);
    chip.write(1, value);
  };
  return { chip, clock, samples, state, set, wires };
}

/** A sine of 440 Hz on channel 0: fast attack, full sustain. */
function note(set: (index: number, value: number) => void) {
  set(0x20, 0x21);
  set(0x23, 0x21);
  set(0x40, 0x3f);
  set(0x43, 0x00);
  set(0x63, 0xf0);
  set(0x83, 0x0f);
  set(0xa0, 580 & 0xff);
  set(0xb0, 0x20 | (4 << 2) | (580 >> 8));
}

describe('timers', () => {
  it('are found as AdLib detection looks for them', () => {
    const { chip, clock, set } = opl();
    set(4, 0x60);
    set(4, 0x80);
    expect(chip.read(0) & 0xe0).toBe(0);
    set(2, 0xff);
    set(4, 0x21);
    clock.now += Math.floor(IPS * 79e-6);
    expect(chip.read(0) & 0xe0).toBe(0);
    clock.now += Math.ceil(IPS * 2e-6);
    expect(chip.read(0) & 0xe0).toBe(0xc0);
    set(4, 0x60);
    set(4, 0x80);
    expect(chip.read(0)).toBe(0x06);
  });

  it('run out within a hundred reads, however fast the processor is', () => {
    const { chip, clock, set } = opl();
    set(4, 0x60);
    set(4, 0x80);
    set(2, 0xff);
    set(4, 0x21);
    let reads = 0;
    while ((chip.read(0) & 0xe0) !== 0xc0 && reads < 200) {
      reads++;
      clock.now++;
    }
    expect(reads).toBeGreaterThan(60);
    expect(reads).toBeLessThan(90);
  });

  it('run at 80 and 320 microseconds a count, masked ones unseen', () => {
    const { chip, clock, set } = opl();
    set(3, 0xf0);
    set(4, 0x02);
    clock.now += Math.floor(IPS * 16 * 320e-6);
    expect(chip.read(0) & 0xe0).toBe(0);
    clock.now += Math.ceil(IPS * 100e-6);
    expect(chip.read(0) & 0xe0).toBe(0xa0);
    set(4, 0x80);
    set(4, 0x22);
    clock.now += IPS;
    expect(chip.read(0) & 0xe0).toBe(0);
  });
});

describe('sound', () => {
  it('plays a note at its frequency, and falls silent after it', () => {
    const { chip, clock, samples, set } = opl();
    note(set);
    clock.now = IPS;
    set(0xb0, (4 << 2) | (580 >> 8));
    let rises = 0;
    for (let i = 1; i < samples.length; i++) if ((samples[i] ?? 0) > 0 && (samples[i - 1] ?? 0) <= 0) rises++;
    // f = 580 * 49716 / 2^(20 - 4)
    expect(Math.abs(rises - 440)).toBeLessThanOrEqual(1);
    expect(Math.max(...samples)).toBeGreaterThan(0.12);
    expect(samples.length).toBeGreaterThan(44_090);
    clock.now = IPS * 2;
    chip.catchUp(clock.now);
    expect(samples.slice(60_000).every((value) => value === 0)).toBe(true);
  });

  it('has four waveforms', () => {
    const shapes = [0, 1, 2, 3].map((waveform) => {
      const { chip, clock, samples, set } = opl();
      set(1, 0x20);
      set(0xe3, waveform);
      note(set);
      clock.now = IPS / 4;
      chip.catchUp(clock.now);
      const mean = samples.reduce((sum, value) => sum + value, 0) / samples.length;
      return { mean: Math.abs(Math.round((mean / Math.max(...samples)) * 100)), low: Math.min(...samples) };
    });
    // Means of a sine, its upper half, its absolute value and the rising quarters: 0, 1/pi, 2/pi, 1/pi.
    expect(shapes.map(({ mean }) => mean)).toEqual([0, 32, 64, 32]);
    expect(shapes.map(({ low }) => low < 0)).toEqual([true, false, false, false]);
  });

  it('attenuates by level: 63 steps of 0.75 dB', () => {
    const peak = (level: number) => {
      const { chip, clock, samples, set } = opl();
      note(set);
      set(0x43, level);
      clock.now = IPS / 10;
      chip.catchUp(clock.now);
      return Math.max(...samples);
    };
    expect(20 * Math.log10(peak(8) / peak(0))).toBeCloseTo(-6, 1);
    expect(20 * Math.log10(peak(16) / peak(8))).toBeCloseTo(-6, 0);
  });

  it('decays twice as long a rate below', () => {
    const length = (rate: number) => {
      const { chip, clock, set, state } = opl();
      note(set);
      set(0xb0, 0);
      clock.now += IPS;
      chip.catchUp(clock.now);
      set(0x63, 0xf0 | rate);
      set(0x83, 0xff);
      set(0xa0, 0);
      set(0xb0, 0x20);
      clock.now += 400;
      chip.catchUp(clock.now);
      const start = clock.now;
      while ((state[3 * OPERATOR_WORDS + operatorFields.level] as number) < 495 && clock.now < start + IPS * 10) {
        clock.now += 400;
        chip.catchUp(clock.now);
      }
      return clock.now - start;
    };
    expect(length(10) / length(11)).toBeCloseTo(2, 1);
    expect(length(8) / length(10)).toBeCloseTo(4, 1);
  });

  it('drums with noise, and sounds the same from a copy, caught up in any steps', () => {
    const one = opl();
    const program = ({ set }: ReturnType<typeof opl>) => {
      note(set);
      for (const offset of [0x10, 0x11, 0x12, 0x13, 0x14, 0x15]) {
        set(0x20 + offset, 0x01);
        set(0x60 + offset, 0xf5);
        set(0x80 + offset, 0x55);
      }
      set(0xa7, 0x57);
      set(0xb7, 0x09);
      set(0xbd, 0x3f);
    };
    program(one);
    one.clock.now = 1_000_000;
    one.chip.catchUp(1_000_000);
    const many = opl();
    program(many);
    for (let now = 0; now <= 1_000_000; now += 997) many.chip.catchUp(now);
    many.clock.now = 1_000_000;
    many.chip.catchUp(1_000_000);
    expect(many.samples).toEqual(one.samples);
    expect(many.state).toEqual(one.state);
    expect(new Set(one.samples).size).toBeGreaterThan(1000);
  });
});

describe('an OPL3', () => {
  function opl3() {
    const clock = { now: 0 };
    const samples: number[] = [];
    const sink = {
      active: true,
      add(index: number, value: number) {
        samples[index] = value;
      },
    };
    const wires = { now: () => clock.now, instructionsPerSecond: IPS, sink };
    const chip = new Opl2(new Int32Array(stateWords), wires, new Int32Array(stateWords));
    chip.powerOn();
    const set = (index: number, value: number) => {
      chip.write(index >= 0x100 ? 2 : 0, index & 0xff);
      chip.write(index >= 0x100 ? 3 : 1, value);
    };
    const listen = () => {
      clock.now += IPS / 10;
      chip.catchUp(clock.now);
      // Not the holes before.
      return samples.splice(0).filter(() => true);
    };
    return { chip, set, listen };
  }
  const peak = (samples: readonly number[]) => samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  /** Moves all registers of a channel's note by so much. */
  const noteAt = (set: (index: number, value: number) => void, by: number) =>
    note((index, value) => set(index + by, value));

  it('is told by its status, and has its second set only when it is switched on', () => {
    const { chip, set, listen } = opl3();
    expect(chip.read(0) & 6).toBe(0);
    noteAt(set, 0x100);
    // Without the new features that was the first set.
    expect([chip.peek(0x43), chip.peek(0x63), chip.peek(0x163)]).toEqual([0, 0xf0, 0]);
    set(0xb0, 0);
    listen();
    set(0x105, 1);
    noteAt(set, 0x100);
    expect(chip.peek(0x163)).toBe(0xf0);
    listen();
    expect(peak(listen())).toBe(0);
    set(0x1c0, 0x10);
    const left = peak(listen());
    set(0x1c0, 0x30);
    expect(left).toBeGreaterThan(0.01);
    expect(peak(listen())).toBeCloseTo(left * 2, 3);
  });

  it('has eight waveforms', () => {
    const { set, listen } = opl3();
    set(0x105, 1);
    note(set);
    set(0xc0, 0x30);
    const shares = [4, 5, 6, 7].map((waveform) => {
      set(0xe3, waveform);
      listen();
      const heard = listen();
      const high = peak(heard);
      const part = (wanted: (value: number) => boolean) => heard.filter(wanted).length / heard.length;
      return [
        part((value) => Math.abs(value) < high / 50),
        part((value) => value < -high / 2),
        part((value) => value > high / 2),
      ];
    });
    const near = (found: number | undefined, wanted: number) =>
      expect(Math.abs((found ?? 9) - wanted)).toBeLessThan(0.04);
    // Half of it nothing; both halves upwards; a square; a spike each way.
    near(shares[0]?.[0], 0.5);
    near(shares[0]?.[1], shares[0]?.[2] ?? 0);
    near(shares[1]?.[1], 0);
    near(shares[2]?.[1], 0.5);
    near(shares[2]?.[2], 0.5);
    expect(shares[3]?.[2]).toBeLessThan(0.1);
  });

  it('joins channels to voices of four operators, in each of four ways', () => {
    const { chip, set, listen } = opl3();
    set(0x105, 1);
    set(0x104, 1);
    note(set);
    // The third and fourth operator, at their own levels; notes come from the first channel.
    for (const operator of [8, 11]) {
      set(0x20 + operator, 0x21);
      set(0x60 + operator, 0xf0);
      set(0x80 + operator, 0x0f);
    }
    set(0x60, 0xf0);
    set(0x80, 0x0f);
    set(0x40, 0x00);
    const ways = [0, 1].flatMap((first) =>
      [0, 1].map((second) => {
        set(0xc0, 0x30 | first);
        set(0xc3, 0x30 | second);
        listen();
        return peak(listen());
      }),
    );
    // One, two, two or three operators are heard.
    const [one = 0, both = 0, outer = 0, three = 0] = ways;
    expect(one).toBeGreaterThan(0.05);
    for (const two of [both, outer]) expect(two).toBeGreaterThan(one * 1.3);
    expect(three).toBeGreaterThan(Math.max(both, outer));
    set(0xb3, 0x20);
    set(0xb0, 0);
    for (let tenth = 0; tenth < 3; tenth++) listen();
    expect([peak(listen()), chip.peek(0x104)]).toEqual([0, 1]);
  });
});
