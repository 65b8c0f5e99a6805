import { fields, type Mos6526State } from './fields.ts';

const CRA = fields.cra;
const TENTHS = fields.todTenths;
const SECONDS = fields.todSeconds;
const MINUTES = fields.todMinutes;
const HOURS = fields.todHours;
const STOPPED = fields.todStopped;
const DIVIDER = fields.todDivider;
const COUNTDOWN = fields.mainsCountdown;
const REMAINDER = fields.mainsRemainder;

/** One wave of the mains. True if it moved the clock. */
export function todTick(s: Mos6526State): boolean {
  if (s[STOPPED] !== 0) return false;
  // The divider is a ring of six states that is compared for equality: switching 60 to 50 Hz after state 4 costs a round.
  const last = s[CRA] & 0x80 ? 4 : 5;
  if (s[DIVIDER] !== last) {
    s[DIVIDER] = s[DIVIDER] >= 5 ? 0 : s[DIVIDER] + 1;
    return false;
  }
  s[DIVIDER] = 0;
  advance(s);
  return true;
}

/** Cycles until the next wave, spread so that a second of waves is exactly a second of cycles. */
export function reloadMains(s: Mos6526State): void {
  const hertz = s[fields.mainsHz];
  if (hertz === 0) {
    s[COUNTDOWN] = 0;
    return;
  }
  const cycles = s[fields.clockHz] + s[REMAINDER];
  s[COUNTDOWN] = (cycles / hertz) | 0;
  s[REMAINDER] = cycles % hertz;
}

export function alarmMatches(s: Mos6526State): boolean {
  return (
    s[TENTHS] === s[fields.alarmTenths] &&
    s[SECONDS] === s[fields.alarmSeconds] &&
    s[MINUTES] === s[fields.alarmMinutes] &&
    s[HOURS] === s[fields.alarmHours]
  );
}

/** Each digit is a counter of its own width, so a wrong digit counts on to its overflow. */
function advance(s: Mos6526State): void {
  const tenths = (s[TENTHS] + 1) & 15;
  s[TENTHS] = tenths === 10 ? 0 : tenths;
  if (tenths !== 10) return;
  if (!advanceSixty(s, SECONDS)) return;
  if (!advanceSixty(s, MINUTES)) return;
  advanceHours(s);
}

function advanceSixty(s: Mos6526State, field: typeof SECONDS | typeof MINUTES): boolean {
  let low = ((s[field] & 15) + 1) & 15;
  let high = s[field] >> 4;
  let carry = false;
  if (low === 10) {
    low = 0;
    high = (high + 1) & 7;
    if (high === 6) {
      high = 0;
      carry = true;
    }
  }
  s[field] = (high << 4) | low;
  return carry;
}

function advanceHours(s: Mos6526State): void {
  const hours = s[HOURS] & 0x1f;
  let afternoon = s[HOURS] & 0x80;
  let next: number;
  if (hours === 0x09) next = 0x10;
  else if (hours === 0x12) next = 0x01;
  else {
    next = (hours & 0x10) | ((hours + 1) & 15);
    if (next === 0x12) afternoon ^= 0x80;
  }
  s[HOURS] = next | afternoon;
}
