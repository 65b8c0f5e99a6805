/** A BASIC program as LOAD leaves it at another address: every line begins with the address of the next one. */
export function relinkBasic(program: Uint8Array, start: number): Uint8Array {
  const bytes = Uint8Array.from(program);
  let at = 0;
  while (at + 4 < bytes.length && (bytes[at + 1] ?? 0) !== 0) {
    const end = bytes.indexOf(0, at + 4);
    if (end < 0) break;
    const next = start + end + 1;
    bytes.set([next & 255, next >> 8], at);
    at = end + 1;
  }
  return bytes;
}

/** The cells that say where a BASIC program ends and its variables begin. */
export function basicPointers(start: number, end: number): { readonly address: number; readonly bytes: Uint8Array } {
  const low = end & 255;
  const high = end >> 8;
  return { address: 0x2b, bytes: Uint8Array.of(start & 255, start >> 8, low, high, low, high, low, high) };
}
