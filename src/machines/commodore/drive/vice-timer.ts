import { pending, type Via6522State, fields as via } from '../../../chips/via6522/fields.ts';

const lowCounter = 4;
const highCounter = 5;
const freeRunning = 0x40;

/** What VICE 3.7.1 shows of a free-running timer 1 in the cycle in which it has gone past zero: one more than its latch, where a 6522 shows $FFFF. -1: as a 6522. */
export function timerAsVice(register: number, words: Via6522State): number {
  const place = register & 15;
  if (place !== lowCounter && place !== highCounter) return -1;
  if ((words[via.acr] & freeRunning) === 0 || (words[via.pending] & pending.load1) === 0) return -1;
  if (words[via.t1Counter] !== 0xffff) return -1;
  const shown = words[via.t1Latch] + 1;
  return (place === lowCounter ? shown : shown >> 8) & 255;
}
