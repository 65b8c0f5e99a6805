/** The words of the sound generator: of each voice the cycles until its next step, its shift register, and the bit it puts out. */
export const soundFields = {
  /** Registers 10-14. */
  registers: 0,
  counters: 5,
  shifts: 9,
  outputs: 13,
  /** The noise, and its lowest bit before the last step. */
  noise: 17,
  noiseBefore: 18,
} as const;

export const soundLengths: Readonly<Record<string, number>> = { registers: 5, counters: 4, shifts: 4, outputs: 4 };
export const soundWords = 20;

type SoundState = Int32Array & Record<(typeof soundFields)[keyof typeof soundFields], number>;

const REGISTERS = soundFields.registers;
const COUNTERS = soundFields.counters;
const SHIFTS = soundFields.shifts;
const OUTPUTS = soundFields.outputs;
const NOISE = soundFields.noise;
const NOISE_BEFORE = soundFields.noiseBefore;

/** Bass, alto, soprano, noise: the count of a voice is so many bits longer than its register. */
const scales = [4, 3, 2, 1] as const;
const voices = scales.length;
const noiseVoice = 3;

/** Hears which bits the voices put out: `sum` of them for this many cycles. */
export type SoundListener = (sum: number, cycles: number) => void;

/**
 * The four voices of a 6560 or 6561. Each is a counter that shifts a register of eight bits whose last bit comes back inverted,
 * which makes a square wave; that of the fourth is shifted by a noise of sixteen bits.
 *
 * Source: what xvic does, and its authors' measurements.
 */
export class Mos6560Sound {
  readonly #s: SoundState;

  constructor(state: Int32Array) {
    this.#s = state as SoundState;
  }

  powerOn(): void {
    this.#s.fill(0, 0, soundWords);
    // What it has taken in by the time anybody switches it on.
    this.#s[NOISE] = 0xffff;
    for (let voice = 0; voice < voices; voice += 1) this.#s[COUNTERS + voice] = this.#period(voice);
  }

  /** Registers 10 to 14. Time has to have passed up to now. */
  write(register: number, value: number): void {
    this.#s[REGISTERS + register - 10] = value;
  }

  get volume(): number {
    return this.#s[REGISTERS + 4] & 15;
  }

  /** Lets this many cycles pass. */
  catchUp(cycles: number, listener?: SoundListener): void {
    const s = this.#s;
    for (let left = cycles; left > 0; ) {
      let span = left;
      for (let voice = 0; voice < voices; voice += 1) span = Math.min(span, s[COUNTERS + voice]);
      // A step shows in the cycle in which the counter ends.
      if (listener && span > 1) listener(this.#sum, span - 1);
      for (let voice = 0; voice < voices; voice += 1) {
        s[COUNTERS + voice] -= span;
        if (s[COUNTERS + voice] === 0) this.#step(voice);
      }
      listener?.(this.#sum, 1);
      left -= span;
    }
  }

  get #sum(): number {
    const s = this.#s;
    let sum = 0;
    for (let voice = 0; voice < voices; voice += 1) sum += s[OUTPUTS + voice];
    return sum;
  }

  #period(voice: number): number {
    const count = ~this.#s[REGISTERS + voice] & 127;
    return (count === 0 ? 128 : count) << scales[voice];
  }

  #step(voice: number): void {
    const s = this.#s;
    const isOn = s[REGISTERS + voice] >> 7;
    s[COUNTERS + voice] = this.#period(voice);
    if (voice !== noiseVoice || (s[NOISE] & ~s[NOISE_BEFORE] & 1) !== 0) {
      const shift = s[SHIFTS + voice];
      s[SHIFTS + voice] = ((shift << 1) & 255) | (~(shift >> 7) & isOn);
    }
    if (voice === noiseVoice) this.#stepNoise(isOn);
    s[OUTPUTS + voice] = s[SHIFTS + voice] & (voice === noiseVoice ? isOn : 1);
  }

  /** Its input is high while the voice is off. */
  #stepNoise(isOn: number): void {
    const s = this.#s;
    const noise = s[NOISE];
    const isEven = ~((noise >> 3) ^ (noise >> 12) ^ (noise >> 14) ^ (noise >> 15)) & 1;
    s[NOISE_BEFORE] = noise & 1;
    s[NOISE] = ((noise << 1) & 0xffff) | ((isEven & isOn) ^ 1);
  }
}
