import { lowerHex } from '../../formats/hex.ts';
import type { TextScreen } from '../../machine/screen.ts';
import { fenced } from '../console/fence.ts';

/** A text screen for an agent, with the colours of its characters if they are wanted. */
export function showText({ columns, rows, lines, cursor, colours }: TextScreen, withColours = false): string {
  const place = cursor ? `, cursor at column ${cursor.column}, row ${cursor.row}` : '';
  const body = lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n+$/, '');
  const shown = fenced(body, `screen ${columns}x${rows}${place}`);
  if (!withColours || !colours) return shown;
  // A PC has a byte for each, of which one below 0x10 is as wide as the others.
  const width = colours.some((colour) => colour > 0xf) ? 2 : 1;
  const digits = Array.from({ length: rows }, (_, row) =>
    [...colours.subarray(row * columns, (row + 1) * columns)].map((colour) => lowerHex(colour, width)).join(''),
  );
  const head = width === 1 ? 'colours:' : 'colours, two digits each (background, character):';
  return `${shown}\n${head}\n${digits.join('\n')}`;
}
