import { fields, type Mos6526State } from './fields.ts';
import { COUNT_A1, COUNT_B1, ONE_SHOT_A0, ONE_SHOT_B0 } from './pipeline.ts';

const PB_OUT = fields.pbOut;
const CRA = fields.cra;
const CRB = fields.crb;
const COUNTER_A = fields.counterA;
const COUNTER_B = fields.counterB;
const TOGGLE_A = fields.toggleA;
const TOGGLE_B = fields.toggleB;
const FEED = fields.feed;
const FLAGS = fields.flags;
const UNDERFLOW = fields.underflow;

const TIMER_A = 1;
const TIMER_B = 2;

/** Bit 8 of `flags`: timer B's flag is set but the next read of ICR will not see it (6526 only). */
export const TIMER_B_LOST = 0x100;

/** What the CPU would read, without side effects. */
export function peekRegister(s: Mos6526State, register: number): number {
  const latched = s[fields.todLatched] !== 0;
  switch (register & 15) {
    case 0:
      return s[fields.paOut] & s[fields.paIn];
    case 1: {
      // A timer's output is stronger than whatever pulls at the pin.
      const timers = ((s[CRA] & 2) << 5) | ((s[CRB] & 2) << 6);
      return s[PB_OUT] & (s[fields.pbIn] | timers);
    }
    case 2:
      return s[fields.paDdr];
    case 3:
      return s[fields.pbDdr];
    case 4:
      return s[COUNTER_A] & 0xff;
    case 5:
      return s[COUNTER_A] >> 8;
    case 6:
      return s[COUNTER_B] & 0xff;
    case 7:
      return s[COUNTER_B] >> 8;
    case 8:
      return latched ? s[fields.latchTenths] : s[fields.todTenths];
    case 9:
      return latched ? s[fields.latchSeconds] : s[fields.todSeconds];
    case 10:
      return latched ? s[fields.latchMinutes] : s[fields.todMinutes];
    case 11:
      return latched ? s[fields.latchHours] : s[fields.todHours];
    case 12:
      return s[fields.sdr];
    case 13:
      return (s[FLAGS] & TIMER_B_LOST) !== 0 ? s[FLAGS] & 0xfd : s[FLAGS];
    case 14:
      return s[CRA];
    default:
      return s[CRB];
  }
}

/** Changes what `peekRegister` shows, without strobes, interrupts or pulses. */
export function pokeRegister(s: Mos6526State, register: number, value: number): void {
  switch (register & 15) {
    case 0:
      s[fields.pra] = value;
      break;
    case 1:
      s[fields.prb] = value;
      break;
    case 2:
      s[fields.paDdr] = value;
      break;
    case 3:
      s[fields.pbDdr] = value;
      break;
    case 4:
      s[COUNTER_A] = (s[COUNTER_A] & 0xff00) | value;
      break;
    case 5:
      s[COUNTER_A] = (s[COUNTER_A] & 0xff) | (value << 8);
      break;
    case 6:
      s[COUNTER_B] = (s[COUNTER_B] & 0xff00) | value;
      break;
    case 7:
      s[COUNTER_B] = (s[COUNTER_B] & 0xff) | (value << 8);
      break;
    case 8:
      s[fields.todTenths] = value & 0x0f;
      break;
    case 9:
      s[fields.todSeconds] = value & 0x7f;
      break;
    case 10:
      s[fields.todMinutes] = value & 0x7f;
      break;
    case 11:
      s[fields.todHours] = value & 0x9f;
      break;
    case 12:
      s[fields.sdr] = value;
      break;
    case 13:
      s[FLAGS] = value & 0x9f;
      break;
    case 14:
      s[CRA] = value & 0xef;
      feedTimers(s);
      break;
    case 15:
      s[CRB] = value & 0xef;
      feedTimers(s);
      break;
  }
  s[fields.paOut] = (s[fields.pra] | ~s[fields.paDdr]) & 0xff;
  drivePortB(s);
}

/** What the control registers feed into the pipeline each cycle from now on. */
export function feedTimers(s: Mos6526State): void {
  s[FEED] =
    ((s[CRA] & 0x21) === 1 ? COUNT_A1 : 0) |
    ((s[CRB] & 0x61) === 1 ? COUNT_B1 : 0) |
    ((s[CRA] & 8) !== 0 ? ONE_SHOT_A0 : 0) |
    ((s[CRB] & 8) !== 0 ? ONE_SHOT_B0 : 0);
}

/** Port B with the timers' outputs on PB6 and PB7. */
export function drivePortB(s: Mos6526State): void {
  let value = (s[fields.prb] | ~s[fields.pbDdr]) & 0xff;
  if ((s[CRA] & 2) !== 0) {
    const high = (s[CRA] & 4) !== 0 ? s[TOGGLE_A] : s[UNDERFLOW] & TIMER_A;
    value = (value & 0xbf) | (high !== 0 ? 0x40 : 0);
  }
  if ((s[CRB] & 2) !== 0) {
    const high = (s[CRB] & 4) !== 0 ? s[TOGGLE_B] : s[UNDERFLOW] & TIMER_B;
    value = (value & 0x7f) | (high !== 0 ? 0x80 : 0);
  }
  s[PB_OUT] = value;
}
