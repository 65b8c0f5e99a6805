import { fields, type Mos6526State } from './fields.ts';
import { interruptRead, interruptStep, interruptWrite, setSources } from './interrupts.ts';
import {
  COUNT_A0,
  COUNT_A1,
  COUNT_A2,
  COUNT_A3,
  COUNT_B0,
  COUNT_B1,
  COUNT_B2,
  COUNT_B3,
  KEEP,
  LOAD_A0,
  LOAD_A2,
  LOAD_B0,
  LOAD_B2,
  ONE_SHOT_A,
  ONE_SHOT_B,
  PC_LOW0,
  PC_LOW1,
  READ2,
} from './pipeline.ts';
import { drivePortB, feedTimers, peekRegister, pokeRegister, TIMER_B_LOST } from './registers.ts';
import {
  SERIAL_RESET,
  serialClock,
  serialDirection,
  serialInput,
  serialQuiet,
  serialStep,
  serialWrite,
} from './serial.ts';
import { alarmMatches, reloadMains, todTick } from './tod.ts';

export type Mos6526Model = '6526' | '6526A';

const PB_OUT = fields.pbOut;
const CRA = fields.cra;
const CRB = fields.crb;
const COUNTER_A = fields.counterA;
const COUNTER_B = fields.counterB;
const LATCH_A = fields.latchA;
const LATCH_B = fields.latchB;
const TOGGLE_A = fields.toggleA;
const TOGGLE_B = fields.toggleB;
const PIPELINE = fields.pipeline;
const FEED = fields.feed;
const NEW_FLAGS = fields.newFlags;
const FLAGS = fields.flags;
const CNT_LINE = fields.cntLine;
const CNT_OUT = fields.cntOut;
const PC = fields.pc;
const COUNTDOWN = fields.mainsCountdown;
const UNDERFLOW = fields.underflow;

const TIMER_A = 1;
const TIMER_B = 2;
const ALARM = 4;
const SERIAL = 8;
const FLAG = 16;

/** Longer than any wait; small enough that sums stay integers of 31 bits. */
const NEVER = 0x3fffffff;

/**
 * MOS 6526 Complex Interface Adapter: two ports, two timers, a clock, a shift register. '6526' is the NMOS chip of the early
 * machines (one of week 44/85), '6526A' the later one (also 8521) whose interrupts come a cycle earlier.
 *
 *            +--------+
 *   PA0-7 <->|        |<-> PB0-7
 *    FLAG -->|  6526  |<-> SP, CNT
 *   RS0-3 -->|        |--> PC
 *   D0-7 <-->|        |--> IRQ
 *     TOD -->|        |
 *            +--------+
 *
 * A cycle is `tick()`, then at most one `read` or `write`. `catchUp(n)` is n ticks, and does nothing for the cycles in which
 * the timers only count (`quietCycles`). All state is in the words given to the constructor; the board calls `powerOn()` once.
 *
 * Sources: MOS data sheet; Wolfgang Lorenz, A Software Model of the CIA6526 (1997); VICE's test programs CIA/ and interrupts/.
 * Not emulated: analogue port levels (a pin driven against another one is low), sampling of SP some phases after CNT's edge,
 * the divider phase of the mains (a wave is a single instant).
 */
export class Mos6526 {
  readonly #s: Mos6526State;
  #old: boolean;

  constructor(state: Int32Array, model: Mos6526Model) {
    this.#s = state as Mos6526State;
    this.#old = model === '6526';
  }

  /** Another chip in the socket, or another clock; what it does goes on. */
  refit(model: Mos6526Model, clockHz: number, mainsHz: number): void {
    this.#old = model === '6526';
    this.#s[fields.clockHz] = clockHz;
    this.#s[fields.mainsHz] = mainsHz;
    reloadMains(this.#s);
  }

  /** All inputs released, then reset. */
  powerOn(clockHz: number, mainsHz: number): void {
    const s = this.#s;
    s.fill(0);
    s[fields.paIn] = 0xff;
    s[fields.pbIn] = 0xff;
    s[CNT_LINE] = 1;
    s[fields.spLine] = 1;
    s[fields.flagLine] = 1;
    s[fields.clockHz] = clockHz;
    s[fields.mainsHz] = mainsHz;
    this.reset();
    reloadMains(s);
  }

  /** The /RES pin. The time of day stops at one o'clock. */
  reset(): void {
    const s = this.#s;
    for (let i = fields.pra; i <= fields.serialForceFinish; i++) s[i as typeof fields.pra] = 0;
    s[fields.irq] = 0;
    s[fields.paOut] = 0xff;
    s[PB_OUT] = 0xff;
    s[COUNTER_A] = 0xffff;
    s[COUNTER_B] = 0xffff;
    s[LATCH_A] = 0xffff;
    s[LATCH_B] = 0xffff;
    s[fields.serialPipeline] = SERIAL_RESET;
    s[CNT_OUT] = 1;
    s[fields.spOut] = 1;
    s[PC] = 1;
    for (let i = fields.todTenths; i <= fields.todDivider; i++) s[i as typeof fields.todTenths] = 0;
    s[fields.todHours] = 1;
    s[fields.todStopped] = 1;
    s[UNDERFLOW] = 0;
  }

  /** Nothing is cached outside the state. */
  restored(): void {}

  tick(): void {
    const s = this.#s;
    let fresh = 0;
    if (!serialQuiet(s)) {
      const before = s[CNT_OUT];
      if (serialStep(s)) fresh = SERIAL;
      if (before === 0 && s[CNT_OUT] !== 0 && s[CNT_LINE] !== 0) this.#countEdge();
    }
    if (s[COUNTDOWN] !== 0 && --s[COUNTDOWN] === 0) {
      reloadMains(s);
      if (todTick(s) && alarmMatches(s)) fresh |= ALARM;
    }
    let p = ((s[PIPELINE] << 1) & KEEP) | s[FEED];
    let underflow = 0;

    let a = s[COUNTER_A];
    if ((p & COUNT_A3) !== 0 && a !== 0) a--;
    if (a === 0 && (p & COUNT_A2) !== 0) {
      underflow = TIMER_A;
      p |= LOAD_A2;
      s[TOGGLE_A] ^= 1;
      if ((p & ONE_SHOT_A) !== 0) {
        s[CRA] &= ~1;
        s[FEED] &= ~COUNT_A1;
        p &= ~(COUNT_A0 | COUNT_A1);
      }
      if ((s[CRA] & 0x40) !== 0) serialClock(s);
    }
    if ((p & LOAD_A2) !== 0) {
      a = s[LATCH_A];
      p &= ~COUNT_A2;
    }
    s[COUNTER_A] = a;

    let b = s[COUNTER_B];
    if ((p & COUNT_B3) !== 0 && b !== 0) b--;
    if (b === 0 && (p & COUNT_B2) !== 0) {
      underflow |= TIMER_B;
      p |= LOAD_B2;
      s[TOGGLE_B] ^= 1;
      if ((p & ONE_SHOT_B) !== 0) {
        s[CRB] &= ~1;
        s[FEED] &= ~COUNT_B1;
        p &= ~(COUNT_B0 | COUNT_B1);
      }
      if (this.#old && (p & READ2) !== 0) s[FLAGS] |= TIMER_B_LOST;
      else s[FLAGS] &= ~TIMER_B_LOST;
    }
    if ((p & LOAD_B2) !== 0) {
      b = s[LATCH_B];
      p &= ~COUNT_B2;
    }
    s[COUNTER_B] = b;
    if ((underflow & TIMER_A) !== 0 && this.#cascaded()) p |= COUNT_B1;

    if ((underflow | s[UNDERFLOW]) !== 0) {
      s[UNDERFLOW] = underflow;
      fresh |= underflow;
      if (((s[CRA] | s[CRB]) & 2) !== 0) drivePortB(s);
    }
    s[PC] = (p & PC_LOW1) !== 0 ? 0 : 1;
    s[PIPELINE] = p;
    interruptStep(s, fresh, this.#old);
  }

  /** The same as this many ticks. */
  catchUp(cycles: number): void {
    let left = cycles;
    while (left > 0) {
      const quiet = this.quietCycles();
      if (quiet > 0) {
        const skipped = Math.min(quiet, left);
        const s = this.#s;
        if ((s[PIPELINE] & COUNT_A3) !== 0) s[COUNTER_A] -= skipped;
        if ((s[PIPELINE] & COUNT_B3) !== 0) s[COUNTER_B] -= skipped;
        if (s[COUNTDOWN] !== 0) s[COUNTDOWN] -= skipped;
        left -= skipped;
        if (left === 0) return;
      }
      this.tick();
      left--;
    }
  }

  /** How many of the next ticks only count: no output changes and no interrupt source is set, unless somebody writes. */
  quietCycles(): number {
    const s = this.#s;
    const p = s[PIPELINE];
    if ((((p << 1) & KEEP) | s[FEED]) !== p || s[NEW_FLAGS] !== 0 || !serialQuiet(s)) return 0;
    let quiet = s[COUNTDOWN] !== 0 ? s[COUNTDOWN] - 1 : NEVER;
    if ((p & COUNT_A3) !== 0 && s[COUNTER_A] <= quiet) quiet = s[COUNTER_A] - 1;
    if ((p & COUNT_B3) !== 0 && s[COUNTER_B] <= quiet) quiet = s[COUNTER_B] - 1;
    return Math.max(quiet, 0);
  }

  read(register: number): number {
    const s = this.#s;
    switch (register & 15) {
      case 1:
        s[PIPELINE] |= PC_LOW0;
        break;
      case 8:
      case 11: {
        const value = this.peek(register);
        if ((register & 15) === 8) s[fields.todLatched] = 0;
        else if (s[fields.todLatched] === 0) {
          s[fields.todLatched] = 1;
          s[fields.latchTenths] = s[fields.todTenths];
          s[fields.latchSeconds] = s[fields.todSeconds];
          s[fields.latchMinutes] = s[fields.todMinutes];
          s[fields.latchHours] = s[fields.todHours];
        }
        return value;
      }
      case 13:
        return interruptRead(s, this.#old);
    }
    return this.peek(register);
  }

  peek(register: number): number {
    return peekRegister(this.#s, register);
  }

  /** Changes what `peek` shows, without strobes, interrupts or pulses. */
  poke(register: number, value: number): void {
    pokeRegister(this.#s, register, value);
  }

  write(register: number, value: number): void {
    const s = this.#s;
    switch (register & 15) {
      case 1:
        s[PIPELINE] |= PC_LOW0;
        break;
      case 4:
        s[LATCH_A] = (s[LATCH_A] & 0xff00) | value;
        if ((s[PIPELINE] & LOAD_A2) !== 0) s[COUNTER_A] = (s[COUNTER_A] & 0xff00) | value;
        return;
      case 5:
        s[LATCH_A] = (s[LATCH_A] & 0xff) | (value << 8);
        if ((s[PIPELINE] & LOAD_A2) !== 0 || (s[CRA] & 1) === 0) s[COUNTER_A] = s[LATCH_A];
        return;
      case 6:
        s[LATCH_B] = (s[LATCH_B] & 0xff00) | value;
        if ((s[PIPELINE] & LOAD_B2) !== 0) s[COUNTER_B] = (s[COUNTER_B] & 0xff00) | value;
        return;
      case 7:
        s[LATCH_B] = (s[LATCH_B] & 0xff) | (value << 8);
        if ((s[PIPELINE] & LOAD_B2) !== 0 || (s[CRB] & 1) === 0) s[COUNTER_B] = s[LATCH_B];
        return;
      case 8:
      case 9:
      case 10:
      case 11:
        this.#writeTod(register & 3, value);
        return;
      case 12:
        serialWrite(s, value);
        return;
      case 13:
        interruptWrite(s, value, this.#old);
        return;
      case 14:
        this.#writeCra(value);
        return;
      case 15:
        this.#writeCrb(value);
        return;
    }
    this.poke(register, value);
  }

  /** The /FLAG pin; its falling edge is an interrupt source. */
  setFlag(level: number): void {
    const s = this.#s;
    if (s[fields.flagLine] !== 0 && level === 0) setSources(s, FLAG);
    s[fields.flagLine] = level;
  }

  /** The CNT pin as driven from outside. */
  setCnt(level: number): void {
    const s = this.#s;
    if (s[CNT_LINE] === level) return;
    s[CNT_LINE] = level;
    if ((s[CRA] & 0x40) === 0 && serialInput(s, level)) setSources(s, SERIAL);
    if (level !== 0 && s[CNT_OUT] !== 0) this.#countEdge();
  }

  /** The SP pin as driven from outside. */
  setSp(level: number): void {
    this.#s[fields.spLine] = level;
  }

  /** One wave on the TOD pin, for boards that set `mainsHz` to 0 and bring their own. */
  todTick(): void {
    const s = this.#s;
    if (todTick(s) && alarmMatches(s)) setSources(s, ALARM);
  }

  #countEdge(): void {
    const s = this.#s;
    if ((s[CRA] & 0x21) === 0x21) s[PIPELINE] |= COUNT_A0;
    if ((s[CRB] & 0x61) === 0x21) s[PIPELINE] |= COUNT_B0;
  }

  #cascaded(): boolean {
    const s = this.#s;
    if ((s[CRB] & 0x41) !== 0x41) return false;
    return (s[CRB] & 0x20) === 0 || (s[CNT_LINE] & s[CNT_OUT]) !== 0;
  }

  #writeCra(value: number): void {
    const s = this.#s;
    if ((value & 1) !== 0 && (s[CRA] & 1) === 0) s[TOGGLE_A] = 1;
    if (((value ^ s[CRA]) & 0x40) !== 0) {
      const before = s[CNT_OUT];
      serialDirection(s, (value & 0x40) !== 0, this.#old);
      if (before === 0 && s[CNT_LINE] !== 0) this.#countEdge();
    }
    if ((value & 0x10) !== 0) s[PIPELINE] |= LOAD_A0;
    s[CRA] = value & 0xef;
    feedTimers(s);
    drivePortB(s);
  }

  #writeCrb(value: number): void {
    const s = this.#s;
    if ((value & 1) !== 0 && (s[CRB] & 1) === 0) s[TOGGLE_B] = 1;
    // An underflow of timer A that is still on its way is lost when timer B stops.
    if ((value & 1) === 0 && (s[CRB] & 0x40) !== 0) s[PIPELINE] &= ~COUNT_B1;
    if ((value & 0x10) !== 0) s[PIPELINE] |= LOAD_B0;
    s[CRB] = value & 0xef;
    feedTimers(s);
    drivePortB(s);
  }

  #writeTod(index: number, written: number): void {
    const s = this.#s;
    const alarm = (s[CRB] & 0x80) !== 0;
    let value = written & (index === 0 ? 0x0f : index === 3 ? 0x9f : 0x7f);
    // Twelve o'clock turns the AM/PM flag over when it is written as the time, not as the alarm.
    if (index === 3 && !alarm && (value & 0x1f) === 0x12) value ^= 0x80;
    if (!alarm && index === 3) s[fields.todStopped] = 1;
    if (!alarm && index === 0 && s[fields.todStopped] !== 0) {
      s[fields.todStopped] = 0;
      s[fields.todDivider] = 0;
    }
    const word = ((alarm ? fields.alarmTenths : fields.todTenths) + index) as typeof fields.todTenths;
    if (s[word] === value) return;
    s[word] = value;
    if (alarmMatches(s)) setSources(s, ALARM);
  }
}
