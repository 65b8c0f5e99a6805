import { fields, type Mc146818State } from './fields.ts';

const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function daysIn(month: number, year: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && leap ? 29 : (lengths[month - 1] ?? 31);
}

/** 1 for Sunday, as the chip counts. */
export function weekdayOf(year: number, month: number, day: number): number {
  // Zeller's congruence, with March as the first month.
  const m = month < 3 ? month + 12 : month;
  const y = month < 3 ? year - 1 : year;
  const h =
    (day + Math.floor((13 * (m + 1)) / 5) + y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400)) % 7;
  return h === 0 ? 7 : h;
}

/** One second later. */
export function nextSecond(s: Mc146818State): void {
  if (++s[fields.second] < 60) return;
  s[fields.second] = 0;
  if (++s[fields.minute] < 60) return;
  s[fields.minute] = 0;
  if (++s[fields.hour] < 24) return;
  s[fields.hour] = 0;
  s[fields.weekday] = (s[fields.weekday] % 7) + 1;
  if (++s[fields.day] <= daysIn(s[fields.month], s[fields.year])) return;
  s[fields.day] = 1;
  if (++s[fields.month] <= 12) return;
  s[fields.month] = 1;
  s[fields.year]++;
}
