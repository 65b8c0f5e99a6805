export interface DosMoment {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Date and time as directory entries hold them: the date in the upper word, two-second steps in the lower. */
export function dosStamp(moment: DosMoment): number {
  const year = Math.min(Math.max(moment.year - 1980, 0), 127);
  const date = (year << 9) | (moment.month << 5) | moment.day;
  const time = (moment.hour << 11) | (moment.minute << 5) | (moment.second >> 1);
  return ((date << 16) | time) >>> 0;
}

/** Midnight of 1 January 1980: what the calendar of DOS starts with. */
export const firstStamp = 0x0021_0000;

export function stampText(stamp: number): string {
  const date = stamp >>> 16;
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${1980 + (date >> 9)}-${two((date >> 5) & 15)}-${two(date & 31)}`;
  return `${day} ${two((stamp >> 11) & 31)}:${two((stamp >> 5) & 63)}:${two((stamp & 31) * 2)}`;
}
