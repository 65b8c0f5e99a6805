import { DeviceClock } from '../device-clock.ts';
import { SAMPLE_HZ, type SoundSink } from '../sound-sink.ts';
import { readWide, writeWide } from '../wide-word.ts';
import { OplBank } from './bank.ts';
import { fields, type Opl2State } from './fields.ts';

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
/** Bits 1 and 2 of the status are set on an OPL2 and clear on an OPL3. */
const OPL2_MARK = 6;
const SECOND_SET = 0x100;
const FOURS = 4;
const NEW = 5;

/**
 * Yamaha YM3812 (OPL2), as on an AdLib card at ports 388h and 389h, or YMF262 (OPL3), which has a second set of registers at
 * the two ports after those.
 *
 *            +--------+
 *   A0, A1-->|        |
 *   D0-7 <-->| YM3812 |---> sound (sink)
 *            +--------+
 *
 * Nine channels of two operators, four waveforms, a rhythm section, two timers; of an OPL3 18 channels, six pairs of which can
 * be one of four operators, eight waveforms, and sides (which go to the one loudspeaker). `catchUp` works sound out up to an
 * instruction; reads and writes do so on their own. Nothing needs an event: a PC does not wire the chip's interrupt.
 *
 * Source: Yamaha YM3812 and YMF262 application manuals; what was published on its tables by Matthew Gambrell and Olli Niemitalo (2008). Not
 * emulated: the chip's time to take a write, composite sine mode (CSM), the coarse 13-bit floating DAC, sides of drums.
 */
export class Opl2 {
  readonly isOpl3: boolean;
  readonly #s: Opl2State;
  readonly #second: Opl2State | undefined;
  readonly #wires: Opl2Wires;
  readonly #samples: DeviceClock;
  readonly #master: DeviceClock;
  readonly #banks: readonly OplBank[];

  /** `second` is the state of the second set, of an OPL3. */
  constructor(state: Int32Array, wires: Opl2Wires, second?: Int32Array) {
    this.#s = state as Opl2State;
    this.#second = second as Opl2State | undefined;
    this.isOpl3 = second !== undefined;
    this.#wires = wires;
    this.#samples = new DeviceClock(OPL_HZ, wires.instructionsPerSecond);
    this.#master = new DeviceClock(MASTER_HZ, wires.instructionsPerSecond);
    this.#banks = [state, ...(second ? [second] : [])].map((each) => new OplBank(each));
  }

  powerOn(): void {
    for (const bank of this.#banks) bank.powerOn();
  }

  /** Status: the timers' flags, and the bits by which an OPL2 is told from an OPL3. */
  read(a0: number): number {
    if ((a0 & (this.isOpl3 ? 3 : 1)) !== 0) return 0xff;
    this.#takeBusTime();
    this.#runTimers();
    return this.#s[fields.status] | (this.isOpl3 ? 0 : OPL2_MARK);
  }

  /** A0 = 0 chooses the register, A0 = 1 writes it; A1 = 1 means the second set of an OPL3. */
  write(address: number, value: number): void {
    const s = this.#s;
    if ((address & 1) === 0) {
      // Without the new features only the register that switches them on is there.
      const isSecond = this.isOpl3 && (address & 2) !== 0 && (s[fields.isNew] !== 0 || value === NEW);
      s[fields.index] = isSecond ? value | SECOND_SET : value;
      return;
    }
    const index = s[fields.index];
    this.catchUp(this.#wires.now());
    if (index >= SECOND_SET) this.#writeSecond(index & 0xff, value);
    else if (index === 4) this.#controlTimers(value);
    else {
      this.#banks[0]?.write(index, value);
      // The second set has the same split and depths, and no drums.
      if (index === 8) this.#banks[1]?.write(index, value);
      else if (index === 0xbd) this.#banks[1]?.write(index, value & 0xc0);
    }
  }

  /** A register as it was last written; those of the second set from 100h on. */
  peek(index: number): number {
    const register = (fields.registers + (index & 0xff)) as typeof fields.registers;
    if (index < SECOND_SET) return this.#s[register];
    const shared = (index & 0xff) === 8 || (index & 0xff) === 0xbd;
    return this.#second && !shared ? this.#second[register] : 0;
  }

  catchUp(count: number): void {
    const s = this.#s;
    const target = this.#samples.ticksAt(count);
    let sample = readWide(s, fields.sample);
    while (sample < target) {
      if (this.#banks.every(({ isSilent }) => isSilent)) {
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

  #sample(sample: number): void {
    const s = this.#s;
    const [first, second] = this.#banks;
    let sum = first?.sample(sample) ?? 0;
    if (second && !second.isSilent) sum += second.sample(sample);
    const before = s[fields.value];
    s[fields.value] = sum;
    if (this.#wires.sink.active) this.#resample(sample, before, sum);
  }

  #writeSecond(index: number, value: number): void {
    const { isNew } = fields;
    this.#banks[1]?.write(index, value);
    if (index === NEW) {
      for (const state of [this.#s, this.#second]) if (state) state[isNew] = value & 1;
      for (const bank of this.#banks) bank.refresh(1);
    } else if (index === FOURS) {
      this.#banks[0]?.join(value & 7);
      this.#banks[1]?.join((value >> 3) & 7);
    }
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
