import { concatBytes, MediaError, word } from './byte-fields.ts';

/** A program: where it goes, and its bytes. */
export interface Program {
  readonly address: number;
  readonly bytes: Uint8Array;
}

export function readPrg(file: Uint8Array): Program {
  if (file.length < 2) throw new MediaError('a PRG has at least the two bytes of its load address');
  return { address: word(file, 0), bytes: file.subarray(2) };
}

export function writePrg({ address, bytes }: Program): Uint8Array {
  return concatBytes([[address & 255, (address >> 8) & 255], bytes]);
}

/** The address a BASIC line of the program calls with SYS; undefined when it is no such program. */
export function sysAddress({ address, bytes }: Program): number | undefined {
  if ((address & 255) !== 1 || bytes.length < 8) return undefined;
  let at = 0;
  while (at + 4 < bytes.length && (bytes[at + 1] ?? 0) !== 0) {
    const end = bytes.indexOf(0, at + 4);
    const line = bytes.subarray(at + 4, end < 0 ? bytes.length : end);
    const sys = line.indexOf(0x9e);
    const digits = sys < 0 ? null : /^[ (]*(\d{1,5})/.exec(String.fromCharCode(...line.subarray(sys + 1)));
    if (digits) return Number(digits[1]);
    if (end < 0) return undefined;
    at = end + 1;
  }
  return undefined;
}
