import { concatBytes } from './byte-fields.ts';
import { encodePulse, pulseAt, readTap, writeTap } from './tap.ts';

/** A part of a pulse that is left over when something else was recorded over the rest; below this it is nothing. */
const shortestRest = 8;

/** A tape on which pulses can be recorded: each is a whole wave and has a length. The place moves with it. */
export function recordable(
  image: Uint8Array,
  position: number,
): { readonly image: Uint8Array; readonly position: number } {
  const tap = readTap(image);
  if (tap.version === 1) return { image, position };
  const bytes: number[] = [];
  let place = 0;
  const halves = tap.version === 2 ? 2 : 1;
  for (let at = 0; at < tap.data.length; ) {
    if (at <= position) place = bytes.length;
    let cycles = 0;
    for (let half = 0; half < halves; half += 1) {
      const pulse = pulseAt(tap, at);
      cycles += pulse?.cycles ?? 0;
      at = pulse?.next ?? tap.data.length;
    }
    bytes.push(...encodePulse(cycles));
  }
  if (position >= tap.data.length) place = bytes.length;
  return { image: writeTap(Uint8Array.from(bytes), image), position: place };
}

/** The tape after this was recorded at a place: what lay there for as long is gone, what comes behind it stays. */
export function recordedOver(image: Uint8Array, position: number, recorded: Uint8Array, cycles: number): Uint8Array {
  const tap = readTap(image);
  let rest: readonly number[] = [];
  let next = position;
  for (let left = cycles; left > 0; ) {
    const pulse = pulseAt(tap, next);
    if (!pulse) {
      next = tap.data.length;
      break;
    }
    next = pulse.next;
    left -= pulse.cycles;
    if (-left >= shortestRest) rest = encodePulse(-left);
  }
  const data = [tap.data.subarray(0, position), recorded, Uint8Array.from(rest), tap.data.subarray(next)];
  return writeTap(concatBytes(data), image);
}
