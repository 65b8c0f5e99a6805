import { DeviceClock } from '../device-clock.ts';
import { SAMPLE_HZ, type SoundSink } from '../sound-sink.ts';
import { readWide, writeWide } from '../wide-word.ts';
import { fields, OPERATOR_WORDS, type OperatorState, type Opl2State, operatorFields, stateWords } from './fields.ts';
import { ATTACK, advance, output, RELEASE, refresh, SILENT, setKey } from './operator.ts';
import { drums, nextNoise } from './rhythm.ts';
import { firstOperator, operatorAt } from './tables.ts';

export interface Opl2Wires {
  now(): number;
  readonly instructionsPerSecond: number;
  readonly sink: SoundSink;
}

const MASTER_HZ = 3_579_545;
/** 72 clocks a sample. */
const OPL_HZ = 49_716;
/** Clocks of timer 1 (80 microseconds); timer 2's are four times as long. */
const TIMER_CLOCKS = 288;
const BUS_CLOCKS = 4;
/** Nine channels of 13 bits stay below this. */
const FULL_SCALE = 32_768;
/** Operators of channels 6 to 8. */
const DRUMS = 0x3f000;

/**
 * Yamaha YM3812 (OPL2), as on an AdLib card at ports 388h and 389h.
 *
 *            +--------+
 *   A0   --->|        |
 *   D0-7 <-->| YM3812 |---> sound (sink)
 *            +--------+
 *
 * Nine channels of two operators, four waveforms, a rhythm section, two timers. `catchUp` works sound out up to an instruction;
 * reads and writes do so on their own. Nothing needs an event: a PC does not wire the chip's interrupt.
 *
 * Source: Yamaha YM3812 application manual; what was published on its tables by Matthew Gambrell and Olli Niemitalo (2008). Not
 * emulated: the chip's time to take a write, composite sine mode (CSM), the coarse 13-bit floating DAC.
 */
export class Opl2 {
  readonly #s: Opl2State;
  readonly #wires: Opl2Wires;
  readonly #samples: DeviceClock;
  readonly #master: DeviceClock;
  readonly #operators: readonly OperatorState[];

  constructor(state: Int32Array, wires: Opl2Wires) {
    this.#s = state as Opl2State;
    this.#wires = wires;
    this.#samples = new DeviceClock(OPL_HZ, wires.instructionsPerSecond);
    this.#master = new DeviceClock(MASTER_HZ, wires.instructionsPerSecond);
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
    this.#refresh(1);
  }

  /** Status: the timers' flags, and the bits by which an OPL2 is told from an OPL3. */
  read(a0: number): number {
    if ((a0 & 1) !== 0) return 0xff;
    this.#takeBusTime();
    this.#runTimers();
    return this.#s[fields.status] | 6;
  }

  /** A0 = 0 chooses the register, A0 = 1 writes it. */
  write(a0: number, value: number): void {
    const s = this.#s;
    if ((a0 & 1) === 0) {
      s[fields.index] = value;
      return;
    }
    const index = s[fields.index];
    this.catchUp(this.#wires.now());
    if (index === 4) this.#controlTimers(value);
    else {
      s[fields.registers + index] = value;
      this.#refresh(index);
      if (index >= 0xb0 && index <= 0xb8) this.#keyChannel(index - 0xb0, (value & 0x20) !== 0);
      else if (index === 0xbd) this.#keyDrums(value);
    }
  }

  /** A register as it was last written. */
  peek(index: number): number {
    return this.#s[fields.registers + (index & 0xff)];
  }

  catchUp(count: number): void {
    const s = this.#s;
    const target = this.#samples.ticksAt(count);
    let sample = readWide(s, fields.sample);
    while (sample < target) {
      if (s[fields.open] === 0) {
        // Nothing moves while no envelope is open.
        s[fields.value] = 0;
        sample = target;
        break;
      }
      this.#sample(sample);
      sample++;
    }
    writeWide(s, fields.sample, sample);
  }

  /** Brings the operators up to date that a register belongs to. */
  #refresh(index: number): void {
    if (index === 1 || index === 8) for (let operator = 0; operator < 18; operator++) this.#refreshOperator(operator);
    else if (index >= 0xa0 && index <= 0xb8) {
      const first = firstOperator[index & 15];
      if (first === undefined) return;
      this.#refreshOperator(first);
      this.#refreshOperator(first + 3);
    } else if (index >= 0x20 && (index < 0xa0 || index >= 0xe0)) this.#refreshOperator(operatorAt[index & 31] ?? -1);
  }

  #refreshOperator(operator: number): void {
    const o = this.#operators[operator];
    if (o !== undefined) refresh(this.#s, o, operator);
  }

  #sample(sample: number): void {
    const s = this.#s;
    const rhythm = (s[fields.registers + 0xbd] & 0x20) !== 0;
    const channels = rhythm ? 7 : 9;
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) {
      const first = firstOperator[channel];
      if ((s[fields.open] & (0b1001 << first)) !== 0)
        sum += this.#channel(channel, first, sample, rhythm && channel === 6);
    }
    if (rhythm) {
      sum += 2 * drums(s, this.#operators, sample);
      nextNoise(s);
    }
    this.#advance(sample, rhythm);
    const before = s[fields.value];
    s[fields.value] = sum;
    if (this.#wires.sink.active) this.#resample(sample, before, sum);
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
    const modulator = this.#operators[first] as OperatorState;
    const carrier = this.#operators[first + 3] as OperatorState;
    const control = s[fields.registers + 0xc0 + channel];
    const feedback = (control >> 1) & 7;
    const bend =
      feedback === 0 ? 0 : (modulator[operatorFields.output] + modulator[operatorFields.before]) >> (9 - feedback);
    modulator[operatorFields.before] = modulator[operatorFields.output];
    const place = modulator[operatorFields.phase] >> 9;
    const one = output(s, modulator, place + bend, sample);
    modulator[operatorFields.output] = one;
    const added = (control & 1) !== 0;
    const carrierPlace = (carrier[operatorFields.phase] >> 9) + (added ? 0 : one);
    const two = output(s, carrier, carrierPlace, sample);
    if (isBassDrum) return 2 * two;
    return added ? one + two : two;
  }

  /** Samples of the sink that lie between the last one of ours and this one, on the line between them. */
  #resample(sample: number, before: number, value: number): void {
    for (let index = Math.floor(((sample - 1) * SAMPLE_HZ) / OPL_HZ) + 1; ; index++) {
      const place = (index * OPL_HZ) / SAMPLE_HZ;
      if (place > sample) return;
      const part = place - (sample - 1);
      if (index >= 0) this.#wires.sink.add(index, (before + (value - before) * part) / FULL_SCALE);
    }
  }

  #keyChannel(channel: number, down: boolean): void {
    const first = firstOperator[channel];
    this.#key(first, 1, down);
    this.#key(first + 3, 1, down);
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

  #controlTimers(value: number): void {
    const s = this.#s;
    this.#runTimers();
    if ((value & 0x80) !== 0) {
      s[fields.status] = 0;
      return;
    }
    s[fields.registers + 4] = value;
    const now = this.#master.ticksAt(this.#wires.now());
    for (const [bit, start] of [
      [1, fields.timer1Start],
      [2, fields.timer2Start],
    ] as const) {
      if ((value & bit) === 0) s[fields.timersRun] &= ~bit;
      else if ((s[fields.timersRun] & bit) === 0) {
        s[fields.timersRun] |= bit;
        writeWide(s, start, now);
      }
    }
  }

  /**
   * A read takes about a microsecond on the bus, however fast the processor is, and programs wait for the timers by reading:
   * what the instruction count is short of that is taken off the timers.
   */
  #takeBusTime(): void {
    const s = this.#s;
    const now = this.#master.ticksAt(this.#wires.now());
    const short = BUS_CLOCKS - (now - readWide(s, fields.lastRead));
    writeWide(s, fields.lastRead, now);
    if (short <= 0) return;
    for (const start of [fields.timer1Start, fields.timer2Start]) writeWide(s, start, readWide(s, start) - short);
  }

  /** Sets the flags of timers that ran out; they begin anew on their own. */
  #runTimers(): void {
    const s = this.#s;
    const now = this.#master.ticksAt(this.#wires.now());
    for (const [bit, start, register, clocks, flag] of [
      [1, fields.timer1Start, 2, TIMER_CLOCKS, 0x40],
      [2, fields.timer2Start, 3, TIMER_CLOCKS * 4, 0x20],
    ] as const) {
      if ((s[fields.timersRun] & bit) === 0) continue;
      const period = (256 - s[fields.registers + register]) * clocks;
      const periods = Math.floor((now - readWide(s, start)) / period);
      if (periods === 0) continue;
      writeWide(s, start, readWide(s, start) + periods * period);
      // A masked timer leaves no trace.
      if ((s[fields.registers + 4] & flag) === 0) s[fields.status] |= flag | 0x80;
    }
  }
}
