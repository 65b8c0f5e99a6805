import { currentTraits } from '../services/dos/country.ts';
import type { Dos } from '../services/dos/dos.ts';
import type { Moment } from '../services/dos/wiring.ts';

type Calendar = Pick<Moment, 'year' | 'month' | 'day'>;
type Clock = Pick<Moment, 'hour' | 'minute' | 'second' | 'hundredth'>;

const two = (value: number) => String(value).padStart(2, '0');
/** Month day year, day month year, year month day. */
const orders = [
  ['month', 'day', 'year'],
  ['day', 'month', 'year'],
  ['year', 'month', 'day'],
] as const;
const orderNames = ['mm-dd-yy', 'dd-mm-yy', 'yy-mm-dd'];

/** What DATE asks for. */
export function dateOrder(dos: Dos): string {
  return orderNames[currentTraits(dos.memory).date] ?? '';
}

export function formatDate(dos: Dos, date: Calendar, shortYear: boolean): string {
  const { date: order, dateSeparator } = currentTraits(dos.memory);
  const year = shortYear ? two(date.year % 100) : String(date.year);
  const parts = { year, month: two(date.month), day: two(date.day) };
  return (orders[order] ?? orders[0]).map((part) => parts[part]).join(dateSeparator);
}

/** Hours and minutes, for lists: as wide in all countries. */
export function formatShortTime(dos: Dos, hour: number, minute: number): string {
  const { hours24, timeSeparator } = currentTraits(dos.memory);
  if (hours24) return `${String(hour).padStart(3)}${timeSeparator}${two(minute)} `;
  return `${String(hour % 12 || 12).padStart(3)}${timeSeparator}${two(minute)}${hour < 12 ? 'a' : 'p'}`;
}

export function formatTime(dos: Dos, { hour, minute, second, hundredth }: Clock): string {
  const { hours24, timeSeparator, decimalSeparator } = currentTraits(dos.memory);
  const rest = `${timeSeparator}${two(minute)}${timeSeparator}${two(second)}${decimalSeparator}${two(hundredth)}`;
  if (hours24) return `${String(hour).padStart(2)}${rest}`;
  return `${String(hour % 12 || 12).padStart(2)}${rest}${hour < 12 ? 'a' : 'p'}`;
}

/** What was typed as a date; undefined where it is none. The calendar may still not have that day. */
export function parseDate(dos: Dos, text: string): Calendar | undefined {
  const match = /^(\d+)[-/.](\d+)[-/.](\d+)$/.exec(text.trim());
  if (match === null) return undefined;
  const { date: order } = currentTraits(dos.memory);
  const date = { year: 0, month: 0, day: 0 };
  (orders[order] ?? orders[0]).forEach((part, index) => {
    date[part] = Number(match[index + 1]);
  });
  if (date.year < 100) date.year += date.year < 80 ? 2000 : 1900;
  return date;
}
