/**
 * The lines of a BASIC program as they are when it begins at another address: each begins with that of the next. What follows the
 * last line, machine code perhaps, stays as it is.
 */
export function relinked(body: Uint8Array, start: number): Uint8Array {
  const moved = body.slice();
  for (let at = 0; at + 4 < moved.length && moved[at + 1] !== 0; ) {
    const end = moved.indexOf(0, at + 4);
    if (end < 0) break;
    const next = start + end + 1;
    moved.set([next & 255, (next >> 8) & 255], at);
    at = end + 1;
  }
  return moved;
}
