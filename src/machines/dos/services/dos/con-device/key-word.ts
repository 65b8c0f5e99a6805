import type { Key } from '../wiring.ts';

/** A word of the BIOS's keyboard buffer as the console driver takes it. */
export function keyOf(word: number): Key {
  const scan = word >> 8;
  const ascii = word & 0xff;
  // The grey Enter and slash are told apart by a scan code of E0h.
  if (scan === 0xe0) return { ascii, scan: ascii === 0x2f ? 0x35 : 0x1c };
  return { ascii: ascii === 0xe0 && scan !== 0 ? 0 : ascii, scan };
}
