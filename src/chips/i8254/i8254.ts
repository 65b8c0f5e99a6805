import { DeviceClock } from '../device-clock.ts';
import {
  advance,
  countOf,
  goBack,
  holdForSecondByte,
  isNull,
  modulusOf,
  nextEdge,
  writeControl,
  writeCount,
  writeGate,
} from './counter.ts';
import { COUNTER_WORDS, type CounterState, counterFields, stateWords } from './fields.ts';

/** The PC feeds all three counters with a third of 3.579545 MHz. */
export const PIT_HZ = 1_193_182;

export interface I8254Wires {
  /** Instructions executed so far. */
  now(): number;
  readonly instructionsPerSecond: number;
  /** OUT 0 changed. The other outputs are asked for with `output()`. */
  out0(level: number): void;
}

/**
 * Intel 8254 Programmable Interval Timer, also as its forerunner 8253.
 *
 *            +--------+
 *   A0-1 --->|        |---> OUT 0 (IRQ 0)
 *   D0-7 <-->|  8254  |---> OUT 1 (refresh)
 *   GATE --->|        |---> OUT 2 (speaker)
 *            +--------+
 *
 * Nothing is called per tick: a counter is a function of the tick, worked out when somebody looks. `nextEvent()` is the
 * instruction count at which OUT 0 changes next; the board calls `catchUp` with that count, and asks again after writes.
 *
 * Source: Intel 8254 data sheet (1993). Not emulated: reads in the one clock between a write and its load (the new count is
 * seen at once), modes 2 and 3 with a count of 1 (taken as 2), the 8253's lack of a read-back command.
 */
export class I8254 {
  readonly #s: Int32Array;
  readonly #wires: I8254Wires;
  readonly #clock: DeviceClock;
  readonly #counters: readonly [CounterState, CounterState, CounterState];
  /** A counter that runs ahead of time. */
  readonly #scratch = new Int32Array(COUNTER_WORDS) as CounterState;

  constructor(state: Int32Array, wires: I8254Wires) {
    this.#s = state;
    this.#wires = wires;
    this.#clock = new DeviceClock(PIT_HZ, wires.instructionsPerSecond);
    const counter = (index: number) =>
      state.subarray(index * COUNTER_WORDS, (index + 1) * COUNTER_WORDS) as CounterState;
    this.#counters = [counter(0), counter(1), counter(2)];
  }

  /** Gates 0 and 1 are tied high; gate 2 follows `setGate`. */
  powerOn(): void {
    this.#s.fill(0, 0, stateWords);
    this.#counters[0][counterFields.gate] = 1;
    this.#counters[1][counterFields.gate] = 1;
    for (const c of this.#counters) c[counterFields.access] = 3;
  }

  /** The instruction count at which OUT 0 changes next. */
  nextEvent(): number {
    return this.#clock.countAt(nextEdge(this.#counters[0]));
  }

  /** Passes on every change of OUT 0 up to this instruction count. */
  catchUp(count: number): void {
    const tick = this.#clock.ticksAt(count);
    const c = this.#counters[0];
    for (let edge = nextEdge(c); edge <= tick; edge = nextEdge(c)) {
      const before = c[counterFields.out];
      advance(c, edge);
      if (c[counterFields.out] !== before) this.#wires.out0(c[counterFields.out]);
    }
  }

  /** The level of an OUT pin now. */
  output(counter: number): number {
    const c = this.#counter(counter);
    advance(c, this.#tick());
    return c[counterFields.out];
  }

  /** Ticks of the counters' clock that have passed at an instruction count. */
  ticksAt(count: number): number {
    return this.#clock.ticksAt(count);
  }

  /** How many of the ticks in [from, to) OUT 2 is high for, nothing having been written since `from`. */
  highTicks2(from: number, to: number): number {
    const c = this.#scratch;
    c.set(this.#counters[2]);
    goBack(c, from);
    let high = 0;
    let at = from;
    advance(c, at);
    while (at < to) {
      const next = Math.max(at + 1, Math.min(nextEdge(c), to));
      if (c[counterFields.out] !== 0) high += next - at;
      at = next;
      advance(c, at);
    }
    return high;
  }

  setGate(counter: number, level: number): void {
    this.#change(counter, (c, tick) => writeGate(c, level, tick));
  }

  /** What a counter was last given, for a reader of the machine: 0 when nothing. */
  reload(counter: number): number {
    return this.#counter(counter)[counterFields.reload];
  }

  read(register: number): number {
    const c = this.#counter(register & 3);
    if ((register & 3) === 3) return 0xff;
    if (c[counterFields.statusLatched] !== 0) {
      c[counterFields.statusLatched] = 0;
      return c[counterFields.status];
    }
    const value = c[counterFields.latched] !== 0 ? c[counterFields.latch] : this.#count(c);
    const access = c[counterFields.access];
    const high = access === 2 || (access === 3 && c[counterFields.highNext] !== 0);
    if (access === 3) c[counterFields.highNext] ^= 1;
    if (access !== 3 || high) c[counterFields.latched] = 0;
    return (high ? value >> 8 : value) & 0xff;
  }

  write(register: number, value: number): void {
    if ((register & 3) === 3) this.#control(value);
    else this.#change(register & 3, (c, tick) => this.#writeByte(c, value, tick));
  }

  #writeByte(c: CounterState, value: number, tick: number): void {
    const access = c[counterFields.access];
    if (access === 3 && c[counterFields.lowWritten] === 0) {
      c[counterFields.lowByte] = value;
      c[counterFields.lowWritten] = 1;
      holdForSecondByte(c, tick);
      return;
    }
    c[counterFields.lowWritten] = 0;
    const digits = access === 1 ? value : (value << 8) | (access === 3 ? c[counterFields.lowByte] : 0);
    const count = c[counterFields.bcd] !== 0 ? fromBcd(digits) : digits;
    writeCount(c, count === 0 ? modulusOf(c) : count, tick);
  }

  #control(value: number): void {
    const counter = value >> 6;
    if (counter === 3) {
      for (let index = 0; index < 3; index++) {
        if ((value & (2 << index)) === 0) continue;
        if ((value & 0x10) === 0) this.#latchStatus(index);
        if ((value & 0x20) === 0) this.#latchCount(index);
      }
    } else if ((value & 0x30) === 0) this.#latchCount(counter);
    else this.#change(counter, (c) => writeControl(c, value));
  }

  #latchCount(counter: number): void {
    const c = this.#counter(counter);
    if (c[counterFields.latched] !== 0) return;
    c[counterFields.latch] = this.#count(c);
    c[counterFields.latched] = 1;
  }

  #latchStatus(counter: number): void {
    const c = this.#counter(counter);
    if (c[counterFields.statusLatched] !== 0) return;
    const tick = this.#tick();
    advance(c, tick);
    c[counterFields.status] =
      (c[counterFields.out] << 7) |
      (isNull(c, tick) ? 0x40 : 0) |
      (c[counterFields.access] << 4) |
      (c[counterFields.mode] << 1) |
      c[counterFields.bcd];
    c[counterFields.statusLatched] = 1;
  }

  /** As the data bus shows it. */
  #count(c: CounterState): number {
    const tick = this.#tick();
    advance(c, tick);
    const count = countOf(c, tick);
    return c[counterFields.bcd] !== 0 ? toBcd(count) : count;
  }

  #change(counter: number, change: (c: CounterState, tick: number) => void): void {
    if (counter === 0) this.catchUp(this.#wires.now());
    const c = this.#counter(counter);
    const tick = this.#tick();
    advance(c, tick);
    const before = c[counterFields.out];
    change(c, tick);
    if (counter === 0 && c[counterFields.out] !== before) this.#wires.out0(c[counterFields.out]);
  }

  #counter(index: number): CounterState {
    return this.#counters[index] ?? this.#counters[0];
  }

  #tick(): number {
    return this.#clock.ticksAt(this.#wires.now());
  }
}

const toBcd = (value: number) =>
  (Math.floor(value / 1000) << 12) |
  ((Math.floor(value / 100) % 10) << 8) |
  ((Math.floor(value / 10) % 10) << 4) |
  (value % 10);

const fromBcd = (digits: number) =>
  (digits >> 12) * 1000 + ((digits >> 8) & 15) * 100 + ((digits >> 4) & 15) * 10 + (digits & 15);
