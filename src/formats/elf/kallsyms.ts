import { isAssemblerMark, type NamedPlace } from './elf-symbols.ts';
import type { Pause } from './pause.ts';

const line = /^([0-9a-f]{1,16})\s+([a-zA-Z])\s+(\S{1,512})/;
/** Code and data; not absolute values, and not names without an address. */
const wanted = /[tTwWdDbBrRvVgGsSi]/;
const newline = 0x0a;
const maxLineBytes = 1024;
const maxHeadBytes = 4096;

/** Whether a file looks like `/proc/kallsyms`, `System.map` or what `nm` writes. */
export function isKallsyms(bytes: Uint8Array): boolean {
  // What a console showed begins with the command, and what nm writes with names that have no address.
  return Buffer.from(bytes.subarray(0, maxHeadBytes))
    .toString('latin1')
    .split('\n')
    .some((each) => line.test(each));
}

/** Lines of address, type and name. Sizes are up to the next name. */
export async function kallsyms(bytes: Uint8Array, pause: Pause): Promise<NamedPlace[]> {
  const places: NamedPlace[] = [];
  for (let at = 0, count = 0; at < bytes.length; count++) {
    if ((count & 1023) === 0) await pause();
    const end = bytes.indexOf(newline, at);
    const stop = end < 0 ? bytes.length : end;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(maxLineBytes, stop - at)).toString('latin1');
    at = stop + 1;
    const [, address = '', type = '', name = ''] = line.exec(text) ?? [];
    if (!wanted.test(type) || isAssemblerMark(name)) continue;
    const local = type >= 'a';
    places.push({ name: name.replaceAll(/[^\x21-\x7e]/g, '?'), address: BigInt(`0x${address}`), size: 0, local });
  }
  return places;
}
