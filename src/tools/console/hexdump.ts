import { hexEscape, lowerHex } from '../../formats/hex.ts';

/** Sixteen bytes a line with their offset in the ring, as hex and as characters. */
export function hexdump(bytes: Uint8Array, offset: number): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)];
    const pairs = row.map((byte) => lowerHex(byte, 2));
    const columns = [pairs.slice(0, 8).join(' ').padEnd(23), pairs.slice(8).join(' ').padEnd(23)].join('  ');
    const characters = row.map((byte) => (isPrintable(byte) ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${lowerHex(offset + at, 8)}  ${columns}  |${characters}|`);
  }
  return lines.join('\n');
}

/** Every byte, in printable ASCII, with nothing lost: `\n`, `\r`, `\t`, `\\` and `\xNN` for the rest. */
export function rawText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    text += named.get(byte) ?? (isPrintable(byte) ? String.fromCharCode(byte) : hexEscape(byte));
  }
  return text;
}

const named: ReadonlyMap<number, string> = new Map([
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0d, '\\r'],
  [0x5c, '\\\\'],
]);

function isPrintable(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f;
}
