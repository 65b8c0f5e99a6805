import type { DosFunction } from '../dos-function.ts';

const getDate: DosFunction = {
  number: 0x2a,
  name: 'get date',
  failure: 'none',
  run(guest, { clock }) {
    const { year, month, day } = clock.now();
    guest.cx = year;
    guest.dh = month;
    guest.dl = day;
    guest.al = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
    return undefined;
  },
  result: (guest) => `${guest.cx}-${guest.dh}-${guest.dl}`,
};

const setDate: DosFunction = {
  number: 0x2b,
  name: 'set date',
  failure: 'none',
  describe: (guest) => `${guest.cx}-${guest.dh}-${guest.dl}`,
  run(guest, { clock }) {
    const { cx: year, dh: month, dl: day } = guest;
    const valid = year >= 1980 && year <= 2099 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
    if (valid) clock.setDate(year, month, day);
    guest.al = valid ? 0 : 0xff;
    return undefined;
  },
  result: (guest) => (guest.al === 0 ? '' : 'invalid date'),
};

const getTime: DosFunction = {
  number: 0x2c,
  name: 'get time',
  failure: 'none',
  run(guest, { clock }) {
    const { hour, minute, second, hundredth } = clock.now();
    guest.ch = hour;
    guest.cl = minute;
    guest.dh = second;
    guest.dl = hundredth;
    return undefined;
  },
  result: (guest) => `${guest.ch}:${guest.cl}:${guest.dh}.${guest.dl}`,
};

const setTime: DosFunction = {
  number: 0x2d,
  name: 'set time',
  failure: 'none',
  describe: (guest) => `${guest.ch}:${guest.cl}:${guest.dh}.${guest.dl}`,
  run(guest, { clock }) {
    const valid = guest.ch < 24 && guest.cl < 60 && guest.dh < 60 && guest.dl < 100;
    if (valid) clock.setTime(guest.ch, guest.cl, guest.dh, guest.dl);
    guest.al = valid ? 0 : 0xff;
    return undefined;
  },
  result: (guest) => (guest.al === 0 ? '' : 'invalid time'),
};

export const dateTimeFunctions = [getDate, setDate, getTime, setTime] as const;

export function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
