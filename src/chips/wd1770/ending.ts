import { fields as f, phase, status, type Wd1770State } from './fields.ts';

export const prepareTicks = 48;

/** The last byte can still be taken before it is no longer busy. */
export function close(s: Wd1770State): void {
  s[f.phase] = phase.close;
  s[f.wait] = prepareTicks;
}

export function end(s: Wd1770State, bits: number): void {
  s[f.status] = (s[f.status] & ~status.busy) | bits;
  s[f.phase] = phase.idle;
  s[f.interrupt] = 1;
  s[f.turns] = 0;
}

/** One sector is done. */
export function nextSector(s: Wd1770State): void {
  if ((s[f.command] & 0x10) === 0) {
    end(s, 0);
    return;
  }
  s[f.sector] = (s[f.sector] + 1) & 0xff;
  s[f.phase] = phase.findHeader;
  s[f.turns] = 0;
  s[f.marks] = 0;
}
