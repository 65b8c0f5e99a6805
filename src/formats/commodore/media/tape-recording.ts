import { concatBytes } from './byte-fields.ts';
import { encodePulse, pulseAt, readTap, type Tap, writeTap } from './tap.ts';

/** What is left of a pulse when something was recorded over the rest; below this it is nothing. */
const shortestRest = 8;

/** A place on a tape: offset of a pulse, and how much of that pulse is past. */
export interface TapePlace {
  readonly at: number;
  readonly past: number;
}

/** A tape on which pulses can be recorded: each is a whole wave and has a length. The offset moves with it. */
export function recordable(image: Uint8Array, at: number): { readonly image: Uint8Array; readonly at: number } {
  const tap = readTap(image);
  if (tap.version === 1) return { image, at };
  const bytes: number[] = [];
  let place = 0;
  const halves = tap.version === 2 ? 2 : 1;
  for (let next = 0; next < tap.data.length; ) {
    if (next <= at) place = bytes.length;
    let cycles = 0;
    for (let half = 0; half < halves; half += 1) {
      const pulse = pulseAt(tap, next);
      cycles += pulse?.cycles ?? 0;
      next = pulse?.next ?? tap.data.length;
    }
    bytes.push(...encodePulse(cycles));
  }
  if (at >= tap.data.length) place = bytes.length;
  return { image: writeTap(Uint8Array.from(bytes), image), at: place };
}

/** The tape up to an offset. */
export function cutAt(image: Uint8Array, at: number): Uint8Array {
  return writeTap(readTap(image).data.subarray(0, at), image);
}

/** The tape with this after its end. */
export function appended(image: Uint8Array, bytes: Uint8Array): Uint8Array {
  return writeTap(concatBytes([readTap(image).data, bytes]), image);
}

/** Where a tape is so many cycles after a place, at most at its end. */
export function placeAfter(tap: Tap, { at, past }: TapePlace, cycles: number): TapePlace {
  let left = past + cycles;
  for (let next = at; ; ) {
    const pulse = pulseAt(tap, next);
    if (!pulse) return { at: tap.data.length, past: 0 };
    if (pulse.cycles > left) return { at: next, past: left };
    left -= pulse.cycles;
    next = pulse.next;
  }
}

/** What follows a place. */
export function tailOf(tap: Tap, { at, past }: TapePlace): Uint8Array {
  const pulse = past === 0 ? undefined : pulseAt(tap, at);
  if (!pulse) return tap.data.subarray(at);
  const rest = pulse.cycles - past;
  return concatBytes([Uint8Array.from(rest < shortestRest ? [] : encodePulse(rest)), tap.data.subarray(pulse.next)]);
}
