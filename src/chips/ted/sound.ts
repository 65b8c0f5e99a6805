/** The words of the sound generator. */
export const soundFields = {
  /** $FF0E to $FF12: low bytes of both voices, upper bits of the second, control, upper bits of the first. */
  first: 0,
  second: 1,
  secondHigh: 2,
  control: 3,
  firstHigh: 4,
  /** Half cycles until the next step of both counters. */
  divider: 5,
  /** Steps until each voice changes, and its level. */
  firstCounter: 6,
  secondCounter: 7,
  firstLevel: 8,
  secondLevel: 9,
  noise: 10,
} as const;

export const soundWords = 12;

type SoundState = Int32Array & Record<(typeof soundFields)[keyof typeof soundFields], number>;

const f = soundFields;
const halvesPerStep = 8;
const counts = 0x400;
const firstOn = 0x10;
const secondOn = 0x20;
const noiseOn = 0x40;
const digital = 0x80;
/** How loud one voice is, by the volume in the control register; above 8 it grows no more. */
const loudness = [0, 6, 16, 26, 36, 46, 56, 66, 75] as const;
/** Of both voices together. */
export const loudest = 150;

export type SoundListener = (level: number, cycles: number) => void;

/**
 * The two voices of a TED: counters at an eighth of its clock, squares, noise in the second one's stead, or levels that stand
 * still for samples. Not emulated: that a level which does not change fades within minutes.
 */
export class TedSound {
  readonly #s: SoundState;

  constructor(state: Int32Array) {
    this.#s = state as SoundState;
  }

  powerOn(): void {
    const s = this.#s;
    s.fill(0);
    s[f.divider] = halvesPerStep;
    s[f.firstCounter] = counts;
    s[f.secondCounter] = counts;
    s[f.noise] = 0xff;
  }

  /** Registers $0E-$12, after `catchUp` to now. */
  write(register: number, value: number): void {
    const s = this.#s;
    s[(register - 0x0e) as typeof f.first] = value;
    if ((s[f.control] & digital) === 0) return;
    s[f.firstLevel] = 1;
    s[f.secondLevel] = 1;
    s[f.noise] = 0xff;
    s[f.firstCounter] = this.#reload(s[f.first], s[f.firstHigh]);
    s[f.secondCounter] = this.#reload(s[f.second], s[f.secondHigh]);
  }

  /** Lets this many half cycles pass. */
  catchUp(cycles: number, listener?: SoundListener): void {
    const s = this.#s;
    for (let left = cycles; left > 0; ) {
      const isSteady = (s[f.control] & digital) !== 0;
      const steps = Math.min(s[f.firstCounter], s[f.secondCounter]);
      const untilChange = isSteady ? left : s[f.divider] + (steps - 1) * halvesPerStep;
      const span = Math.min(left, untilChange);
      listener?.(this.level, span);
      left -= span;
      this.#pass(span, isSteady);
    }
  }

  #pass(span: number, isSteady: boolean): void {
    const s = this.#s;
    const past = halvesPerStep - s[f.divider] + span;
    const steps = Math.floor(past / halvesPerStep);
    s[f.divider] = halvesPerStep - (past % halvesPerStep);
    if (isSteady || steps === 0) return;
    s[f.firstCounter] -= steps;
    s[f.secondCounter] -= steps;
    if (s[f.firstCounter] === 0) {
      s[f.firstCounter] = this.#reload(s[f.first], s[f.firstHigh]);
      // As fast as it can be, a voice does not change at all.
      if (s[f.firstCounter] !== 1) s[f.firstLevel] ^= 1;
    }
    if (s[f.secondCounter] === 0) {
      s[f.secondCounter] = this.#reload(s[f.second], s[f.secondHigh]);
      if (s[f.secondCounter] !== 1) this.#stepSecond();
    }
  }

  #stepSecond(): void {
    const s = this.#s;
    const noise = s[f.noise];
    s[f.secondLevel] ^= 1;
    const bit = ((noise >> 7) ^ (noise >> 5) ^ (noise >> 4) ^ (noise >> 1)) & 1;
    s[f.noise] = ((noise << 1) & 0xff) | bit;
  }

  #reload(low: number, high: number): number {
    return counts - (((low | ((high & 3) << 8)) + 1) & (counts - 1));
  }

  /** From 0 to `loudest`. */
  get level(): number {
    const s = this.#s;
    const control = s[f.control];
    const volume = loudness[Math.min(control & 15, 8)] ?? 0;
    const first = control & firstOn ? s[f.firstLevel] : 0;
    const second = control & secondOn ? s[f.secondLevel] : control & noiseOn ? s[f.noise] & 1 : 0;
    return (first + second) * volume;
  }
}
