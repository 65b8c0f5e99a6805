import { DeviceClock } from '../device-clock.ts';
import { readWide, writeWide } from '../wide-word.ts';
import { nextSecond, weekdayOf } from './calendar.ts';
import { fields, type Mc146818State, stateWords } from './fields.ts';

export interface Mc146818Wires {
  now(): number;
  readonly instructionsPerSecond: number;
  /** IRQ 8. */
  irq(level: number): void;
}

/** What the clock shows when the machine is switched on. */
export interface CalendarTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const A = fields.registerA;
const B = fields.registerB;
const C = fields.registerC;

const SECOND = 32_768;
/** An update takes 1984 microseconds, announced 244 before. */
const UPDATE_TICKS = 73;
const SET = 0x80;
const PERIODIC = 0x40;
const ALARM = 0x20;
const UPDATE = 0x10;
const BINARY = 4;
const HOURS_24 = 2;
/** The century, where IBM's BIOS keeps it. */
const CENTURY = 0x32;

/**
 * Motorola MC146818 real-time clock with 128 bytes of CMOS memory.
 *
 *               +----------+
 *  port 70h --->|          |---> IRQ 8
 *  port 71h <-->| MC146818 |
 *               +----------+
 *
 * Its time is the date it was given plus the instruction count. `nextEvent()` is the instruction at which an interrupt that is
 * switched on comes next.
 *
 * Source: Motorola MC146818 data sheet (1988). Not emulated: daylight saving, the square wave, dividers other than the
 * 32,768 Hz one (any other stops the clock), the NMI mask in bit 7 of port 70h.
 */
export class Mc146818 {
  readonly #s: Mc146818State;
  readonly #wires: Mc146818Wires;
  readonly #clock: DeviceClock;

  constructor(state: Int32Array, wires: Mc146818Wires) {
    this.#s = state as Mc146818State;
    this.#wires = wires;
    this.#clock = new DeviceClock(SECOND, wires.instructionsPerSecond);
  }

  powerOn(time: CalendarTime): void {
    const s = this.#s;
    s.fill(0, 0, stateWords);
    s[A] = 0x26;
    s[B] = HOURS_24;
    writeWide(s, fields.ticks, this.#clock.ticksAt(this.#wires.now()));
    s[fields.phase] = readWide(s, fields.ticks) % SECOND;
    this.set(time);
  }

  /** The time, in whole seconds. */
  get time(): CalendarTime {
    this.catchUp(this.#wires.now());
    const s = this.#s;
    return {
      year: s[fields.year],
      month: s[fields.month],
      day: s[fields.day],
      hour: s[fields.hour],
      minute: s[fields.minute],
      second: s[fields.second],
    };
  }

  /** Hundredths of the second that runs. */
  get hundredths(): number {
    return Math.floor((this.#inSecond(this.#clock.ticksAt(this.#wires.now())) * 100) / SECOND);
  }

  /** The first instruction count at which the time, with its hundredths, may be another one. */
  get steadyUntil(): number {
    const ticks = this.#clock.ticksAt(this.#wires.now());
    const inSecond = this.#inSecond(ticks);
    const next = Math.ceil(((Math.floor((inSecond * 100) / SECOND) + 1) * SECOND) / 100);
    return this.#clock.countAt(ticks - inSecond + next);
  }

  set(time: CalendarTime): void {
    const s = this.#s;
    s[fields.year] = time.year;
    s[fields.month] = time.month;
    s[fields.day] = time.day;
    s[fields.hour] = time.hour;
    s[fields.minute] = time.minute;
    s[fields.second] = time.second;
    s[fields.weekday] = weekdayOf(time.year, time.month, time.day);
  }

  nextEvent(): number {
    const s = this.#s;
    if ((s[B] & (PERIODIC | ALARM | UPDATE)) === 0) return Number.POSITIVE_INFINITY;
    const ticks = readWide(s, fields.ticks);
    const period = this.#period();
    let next = Number.POSITIVE_INFINITY;
    if ((s[B] & PERIODIC) !== 0 && period !== 0) next = (Math.floor(ticks / period) + 1) * period;
    if ((s[B] & (ALARM | UPDATE)) !== 0 && this.#runs()) next = Math.min(next, ticks - this.#inSecond(ticks) + SECOND);
    return this.#clock.countAt(next);
  }

  catchUp(count: number): void {
    const s = this.#s;
    const target = this.#clock.ticksAt(count);
    const before = readWide(s, fields.ticks);
    if (target <= before) return;
    writeWide(s, fields.ticks, target);
    const period = this.#period();
    if (period !== 0 && Math.floor(target / period) !== Math.floor(before / period)) s[C] |= PERIODIC;
    if (this.#runs())
      for (let next = before - this.#inSecond(before) + SECOND; next <= target; next += SECOND) {
        nextSecond(s);
        s[C] |= UPDATE;
        if (this.#alarmMatches()) s[C] |= ALARM;
      }
    this.#drive();
  }

  read(register: number): number {
    if ((register & 1) === 0) return 0xff;
    this.catchUp(this.#wires.now());
    const value = this.peek(this.#s[fields.index]);
    if (this.#s[fields.index] === 0x0c) {
      this.#s[C] = 0;
      this.#drive();
    }
    return value;
  }

  /** A register or byte of memory by its number, without the side effect of register C. */
  peek(index: number): number {
    const s = this.#s;
    switch (index) {
      case 0:
        return this.#shown(s[fields.second]);
      case 2:
        return this.#shown(s[fields.minute]);
      case 4:
        return this.#shownHour(s[fields.hour]);
      case 6:
        return this.#shown(s[fields.weekday]);
      case 7:
        return this.#shown(s[fields.day]);
      case 8:
        return this.#shown(s[fields.month]);
      case 9:
        return this.#shown(s[fields.year] % 100);
      case 0x0a: {
        const left = SECOND - this.#inSecond(readWide(s, fields.ticks));
        return s[A] | (this.#runs() && left <= UPDATE_TICKS ? 0x80 : 0);
      }
      case 0x0b:
        return s[B];
      case 0x0c:
        return s[C];
      case 0x0d:
        return 0x80;
      case CENTURY:
        return this.#shown(Math.floor(s[fields.year] / 100));
      default:
        return s[fields.ram + index];
    }
  }

  write(register: number, value: number): void {
    const s = this.#s;
    if ((register & 1) === 0) {
      s[fields.index] = value & 0x7f;
      return;
    }
    this.catchUp(this.#wires.now());
    this.poke(s[fields.index], value);
    this.#drive();
  }

  poke(index: number, value: number): void {
    const s = this.#s;
    const binary = (s[B] & BINARY) !== 0 ? value : (value >> 4) * 10 + (value & 15);
    switch (index) {
      case 0:
        s[fields.second] = binary % 60;
        break;
      case 2:
        s[fields.minute] = binary % 60;
        break;
      case 4:
        s[fields.hour] = this.#hourOf(value);
        break;
      case 6:
        s[fields.weekday] = Math.max(1, binary % 8);
        break;
      case 7:
        s[fields.day] = Math.max(1, binary % 32);
        break;
      case 8:
        s[fields.month] = Math.max(1, binary % 13);
        break;
      case 9:
        s[fields.year] = Math.floor(s[fields.year] / 100) * 100 + (binary % 100);
        break;
      case CENTURY:
        s[fields.year] = (s[fields.year] % 100) + binary * 100;
        break;
      case 0x0a:
        // A divider that starts again gives its first second after half of one.
        if ((s[A] & 0x70) !== 0x20 && (value & 0x70) === 0x20)
          s[fields.phase] = (readWide(s, fields.ticks) + SECOND / 2) % SECOND;
        s[A] = value & 0x7f;
        break;
      case 0x0b:
        s[B] = (value & SET) !== 0 ? value & ~UPDATE : value;
        break;
      case 0x0c:
      case 0x0d:
        break;
      default:
        s[fields.ram + index] = value & 0xff;
    }
  }

  #runs(): boolean {
    return (this.#s[B] & SET) === 0 && (this.#s[A] & 0x70) === 0x20;
  }

  /** Ticks since the last second began. */
  #inSecond(ticks: number): number {
    return (((ticks - this.#s[fields.phase]) % SECOND) + SECOND) % SECOND;
  }

  /** Ticks between periodic interrupts; 0 for none. */
  #period(): number {
    const rate = this.#s[A] & 15;
    if (rate === 0) return 0;
    return rate < 3 ? 1 << (rate + 6) : 1 << (rate - 1);
  }

  /** The alarm's bytes from C0h up stand for any value. */
  #alarmMatches(): boolean {
    const s = this.#s;
    const matches = (index: number, shown: number) => {
      const alarm = s[fields.ram + index];
      return alarm >= 0xc0 || alarm === shown;
    };
    return (
      matches(1, this.#shown(s[fields.second])) &&
      matches(3, this.#shown(s[fields.minute])) &&
      matches(5, this.#shownHour(s[fields.hour]))
    );
  }

  #shown(value: number): number {
    return (this.#s[B] & BINARY) !== 0 ? value : (Math.floor(value / 10) << 4) | (value % 10);
  }

  #shownHour(hour: number): number {
    if ((this.#s[B] & HOURS_24) !== 0) return this.#shown(hour);
    return this.#shown(hour % 12 === 0 ? 12 : hour % 12) | (hour >= 12 ? 0x80 : 0);
  }

  #hourOf(value: number): number {
    const digits = value & 0x7f;
    const hour = (this.#s[B] & BINARY) !== 0 ? digits : (digits >> 4) * 10 + (digits & 15);
    if ((this.#s[B] & HOURS_24) !== 0) return hour % 24;
    return (hour % 12) + ((value & 0x80) !== 0 ? 12 : 0);
  }

  #drive(): void {
    const s = this.#s;
    const asked = (s[B] & s[C] & (PERIODIC | ALARM | UPDATE)) !== 0 ? 1 : 0;
    s[C] = (s[C] & 0x7f) | (asked << 7);
    if (asked === s[fields.irq]) return;
    s[fields.irq] = asked;
    this.#wires.irq(asked);
  }
}
