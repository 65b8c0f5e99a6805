import { fields, OPERATOR_WORDS, type OperatorState, type Opl2State, operatorFields, stateWords } from './fields.ts';
import { ATTACK, advance, output, RELEASE, refresh, SILENT, setKey } from './operator.ts';
import { drums, nextNoise } from './rhythm.ts';
import { firstOperator, operatorAt, pairedChannels } from './tables.ts';

/** Operators of channels 6 to 8. */
const DRUMS = 0x3f000;
/** Bits of register C0h of an OPL3. */
const SIDES = 0x30;

/** A set of registers: nine channels of two operators, the last three perhaps drums, and (OPL3) pairs of channels as one. */
export class OplBank {
  readonly #s: Opl2State;
  readonly #operators: readonly OperatorState[];

  constructor(state: Int32Array) {
    this.#s = state as Opl2State;
    this.#operators = Array.from(
      { length: 18 },
      (_, index) => state.subarray(index * OPERATOR_WORDS, (index + 1) * OPERATOR_WORDS) as OperatorState,
    );
  }

  powerOn(): void {
    const s = this.#s;
    s.fill(0, 0, stateWords);
    s[fields.noise] = 1;
    for (const o of this.#operators) {
      o[operatorFields.level] = SILENT;
      o[operatorFields.stage] = RELEASE;
    }
    this.refresh(1);
  }

  /** A register other than those of timers. */
  write(index: number, value: number): void {
    this.#s[(fields.registers + index) as typeof fields.registers] = value;
    this.refresh(index);
    if (index >= 0xb0 && index <= 0xb8) this.#keyChannel(index - 0xb0, (value & 0x20) !== 0);
    else if (index === 0xbd) this.#keyDrums(value);
  }

  /** Which pairs of channels are one of four operators. */
  join(fours: number): void {
    this.#s[fields.fours] = fours;
    this.refresh(1);
  }

  get isSilent(): boolean {
    return this.#s[fields.open] === 0;
  }

  /** Brings the operators up to date that a register belongs to. */
  refresh(index: number): void {
    if (index === 1 || index === 8) for (let operator = 0; operator < 18; operator++) this.#refreshOperator(operator);
    else if (index >= 0xa0 && index <= 0xb8) {
      const first = firstOperator[index & 15];
      if (first === undefined) return;
      this.#refreshOperator(first);
      this.#refreshOperator(first + 3);
      if (this.#isFour(index & 15)) {
        this.#refreshOperator(first + 6);
        this.#refreshOperator(first + 9);
      }
    } else if (index >= 0x20 && (index < 0xa0 || index >= 0xe0)) this.#refreshOperator(operatorAt[index & 31] ?? -1);
  }

  #refreshOperator(operator: number): void {
    const o = this.#operators[operator];
    if (o !== undefined) refresh(this.#s, o, operator);
  }

  /** The sum of all channels at a sample; then everything moves on. */
  sample(sample: number): number {
    const s = this.#s;
    const rhythm = (s[fields.registers + 0xbd] & 0x20) !== 0;
    const channels = rhythm ? 7 : 9;
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) {
      const first = firstOperator[channel];
      const isFour = this.#isFour(channel);
      if ((s[fields.open] & ((isFour ? 0b1001001001 : 0b1001) << first)) !== 0 && !this.#isSecondHalf(channel)) {
        const value = isFour
          ? this.#four(channel, first, sample)
          : this.#channel(channel, first, sample, rhythm && channel === 6);
        sum += s[fields.isNew] === 0 ? value : value * this.#share(channel);
      }
    }
    if (rhythm) {
      sum += 2 * drums(s, this.#operators, sample);
      nextNoise(s);
    }
    this.#advance(sample, rhythm);
    return sum;
  }

  /** Left and right go to the one loudspeaker. */
  #share(channel: number): number {
    const sides = this.#s[(fields.registers + 0xc0 + channel) as typeof fields.registers] & SIDES;
    return sides === SIDES ? 1 : sides === 0 ? 0 : 0.5;
  }

  #isFour(channel: number): boolean {
    return channel < pairedChannels && ((this.#s[fields.fours] >> channel) & 1) !== 0;
  }

  #isSecondHalf(channel: number): boolean {
    return channel >= pairedChannels && channel < 2 * pairedChannels && this.#isFour(channel - pairedChannels);
  }

  #advance(sample: number, rhythm: boolean): void {
    const s = this.#s;
    // The phases of drums matter to each other; otherwise what is silent starts from the beginning.
    const moving = rhythm ? s[fields.open] | DRUMS : s[fields.open];
    for (let operator = 0; operator < 18; operator++) {
      if ((moving & (1 << operator)) === 0) continue;
      const o = this.#operators[operator] as OperatorState;
      advance(s, o, operator, sample);
      if (o[operatorFields.level] >= SILENT && o[operatorFields.stage] !== ATTACK) this.#close(o, operator);
    }
  }

  #close(o: OperatorState, operator: number): void {
    this.#s[fields.open] &= ~(1 << operator);
    o[operatorFields.output] = 0;
    o[operatorFields.before] = 0;
  }

  /** One channel: the first operator bends the second one's phase, or both are added. */
  #channel(channel: number, first: number, sample: number, isBassDrum: boolean): number {
    const s = this.#s;
    const carrier = this.#operators[first + 3] as OperatorState;
    const one = this.#modulator(channel, first, sample);
    const added = (s[fields.registers + 0xc0 + channel] & 1) !== 0;
    const carrierPlace = (carrier[operatorFields.phase] >> 9) + (added ? 0 : one);
    const two = output(s, carrier, carrierPlace, sample);
    if (isBassDrum) return 2 * two;
    return added ? one + two : two;
  }

  /** Four operators, in one of four ways that the two channels' lowest bits choose. */
  #four(channel: number, first: number, sample: number): number {
    const s = this.#s;
    const play = (operator: number, bend: number) => {
      const o = this.#operators[operator] as OperatorState;
      return output(s, o, (o[operatorFields.phase] >> 9) + bend, sample);
    };
    const control = (of: number) => s[(fields.registers + 0xc0 + of) as typeof fields.registers] & 1;
    const one = this.#modulator(channel, first, sample);
    const [firstAdds, secondAdds] = [control(channel) !== 0, control(channel + pairedChannels) !== 0];
    const two = play(first + 3, firstAdds ? 0 : one);
    const secondIsOwn = !firstAdds && secondAdds;
    const three = play(first + 6, secondIsOwn ? 0 : two);
    const four = play(first + 9, firstAdds && secondAdds ? 0 : three);
    if (!firstAdds) return secondAdds ? two + four : four;
    return secondAdds ? one + three + four : one + four;
  }

  /** The first operator of a channel, which bends itself. */
  #modulator(channel: number, first: number, sample: number): number {
    const s = this.#s;
    const modulator = this.#operators[first] as OperatorState;
    const feedback = (s[fields.registers + 0xc0 + channel] >> 1) & 7;
    const bend =
      feedback === 0 ? 0 : (modulator[operatorFields.output] + modulator[operatorFields.before]) >> (9 - feedback);
    modulator[operatorFields.before] = modulator[operatorFields.output];
    const one = output(s, modulator, (modulator[operatorFields.phase] >> 9) + bend, sample);
    modulator[operatorFields.output] = one;
    return one;
  }

  #keyChannel(channel: number, down: boolean): void {
    const first = firstOperator[channel];
    if (this.#isSecondHalf(channel)) return;
    for (const operator of this.#isFour(channel) ? [0, 3, 6, 9] : [0, 3]) this.#key(first + operator, 1, down);
  }

  /** Register BDh: bass drum (two operators), snare, tom-tom, cymbal, hi-hat; none without the rhythm bit. */
  #keyDrums(value: number): void {
    const keys = (value & 0x20) !== 0 ? value : 0;
    for (const [operator, bit] of [
      [12, 0x10],
      [15, 0x10],
      [16, 0x08],
      [14, 0x04],
      [17, 0x02],
      [13, 0x01],
    ] as const)
      this.#key(operator, 2, (keys & bit) !== 0);
  }

  #key(operator: number, key: number, down: boolean): void {
    setKey(this.#operators[operator] as OperatorState, key, down);
    if (down) this.#s[fields.open] |= 1 << operator;
  }
}
