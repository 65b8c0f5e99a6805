import { upperByte } from '../../drives/names.ts';
import type { GuestMemory } from '../guest.ts';
import { linear } from './far-pointer.ts';
import { writeText } from './guest-text.ts';
import { tables, tablesSegment } from './layout.ts';

export const countryCode = 1;
export const codePage = 437;
/** The country record of the United States, as functions 38h and 65h return it: 24 bytes in use. */
export function countryRecord(): Uint8Array {
  const bytes = new Uint8Array(34);
  const text = (offset: number, value: string) => {
    for (let i = 0; i < value.length; i++) bytes[offset + i] = value.charCodeAt(i);
  };
  text(2, '$');
  text(7, ',');
  text(9, '.');
  text(11, '-');
  text(13, ':');
  bytes[16] = 2;
  const caseMap = (tablesSegment << 16) | tables.caseMap;
  new DataView(bytes.buffer).setUint32(18, caseMap >>> 0, true);
  text(22, ',');
  return bytes;
}

/** Tables that programs get pointers to: upper case, order, characters of names. */
export function writeCountryTables(memory: GuestMemory): void {
  const base = linear(tablesSegment, 0);
  memory.write(base + tables.doubleByte, new Uint8Array(16));
  const upper = Uint8Array.from({ length: 128 }, (_, index) => upperByte(index + 0x80));
  for (const offset of [tables.upperCase, tables.fileUpperCase]) {
    memory.write16(base + offset, 128);
    memory.write(base + offset + 2, upper);
  }
  memory.write16(base + tables.collating, 256);
  memory.write(
    base + tables.collating + 2,
    Uint8Array.from({ length: 256 }, (_, index) => upperByte(index)),
  );
  // Length, a reserved byte, lowest and highest character, a reserved byte, the excluded range, then separators.
  const separators = '."/\\[]:|<>+=;,';
  const start = base + tables.fileCharacters;
  memory.write16(start, 8 + separators.length);
  memory.write(start + 2, Uint8Array.of(1, 0, 0xff, 0, 0, 0x20, 2, separators.length));
  writeText(memory, start + 10, separators);
  memory.write(base + tables.caseMap, caseMapBytes());
}

/** cmp al,80h / jb end / push bx / xor bh,bh / mov bl,al / sub bl,80h / mov al,cs:[bx+table] / pop bx / end: retf. */
function caseMapBytes(): Uint8Array {
  const table = tables.upperCase + 2;
  return Uint8Array.of(
    ...[0x3c, 0x80, 0x72, 0x0e, 0x53, 0x30, 0xff, 0x88, 0xc3, 0x80, 0xeb, 0x80],
    ...[0x2e, 0x8a, 0x87, table & 0xff, table >> 8, 0x5b, 0xcb],
  );
}
