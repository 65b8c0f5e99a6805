import type { GuestMemory } from '../guest.ts';
import { codePages, ownPage, upperInPage } from './code-pages.ts';
import { linear } from './far-pointer.ts';
import { writeText } from './guest-text.ts';
import { tables, tablesSegment } from './layout.ts';

const unitedStates = 1;

interface Country {
  /** 0 month day year, 1 day month year, 2 year month day. */
  readonly date: number;
  readonly currency: string;
  /** Thousands, decimals, in dates, in times, in lists. */
  readonly separators: string;
  /** Bit 0: after the number, bit 1: with a space between. */
  readonly currencyFormat: number;
  readonly decimals: number;
  readonly hours24: boolean;
}

interface CountryTraits extends Pick<Country, 'date' | 'hours24'> {
  readonly decimalSeparator: string;
  readonly dateSeparator: string;
  readonly timeSeparator: string;
}

const country = (
  date: number,
  currency: string,
  separators: string,
  currencyFormat: number,
  hours24 = true,
  decimals = 2,
): Country => ({ date, currency, separators, currencyFormat, decimals, hours24 });

/** Those that DOS has for code page 437, which it has for 850 too. */
const countries: ReadonlyMap<number, Country> = new Map([
  [unitedStates, country(0, '$', ',.-:,', 0, false)],
  [3, country(1, '$', ',./:;', 3)],
  [31, country(1, '\x9f', '.,-:;', 2)],
  [32, country(1, 'BEF', '.,/:;', 2)],
  [33, country(1, 'F', ' ,/:;', 3)],
  [34, country(1, '\x9e', '.,/:;', 3)],
  [39, country(1, 'L.', '.,/:;', 0, true, 0)],
  [41, country(1, 'Fr', "'...,", 2)],
  [44, country(1, '\x9c', ',.-:,', 0, false)],
  [46, country(2, 'SEK', '.,-.;', 2)],
  [49, country(1, 'DM', '.,..;', 2)],
  [61, country(1, '$', ',.-:,', 0, false)],
  [358, country(1, 'mk', ' ,..;', 3)],
]);

/** The country record as functions 38h and 65h return it, 24 bytes in use; undefined for a country that is not known. */
export function countryRecord(code: number, page = ownPage): Uint8Array | undefined {
  const found = countries.get(code);
  if (found === undefined) return undefined;
  const bytes = new Uint8Array(34);
  const text = (offset: number, value: string) => {
    for (let i = 0; i < value.length; i++) bytes[offset + i] = value.charCodeAt(i);
  };
  bytes[0] = found.date;
  // Page 850 has no letter for pesetas.
  text(2, page !== ownPage && found.currency === '\x9e' ? 'Pts' : found.currency);
  [7, 9, 11, 13, 22].forEach((offset, index) => {
    text(offset, found.separators[index] ?? '');
  });
  bytes[15] = found.currencyFormat;
  bytes[16] = found.decimals;
  bytes[17] = found.hours24 ? 1 : 0;
  const caseMap = (tablesSegment << 16) | tables.caseMap;
  new DataView(bytes.buffer).setUint32(18, caseMap >>> 0, true);
  return bytes;
}

/** COUNTRY= of CONFIG.SYS and function 38h; false where it is not known. */
export function setCountry(memory: GuestMemory, code: number, page = currentPage(memory)): boolean {
  if (!countries.has(code) || !codePages.includes(page)) return false;
  memory.write16(linear(tablesSegment, tables.country), code);
  if (page !== currentPage(memory)) writePage(memory, page);
  return true;
}

export function currentPage(memory: GuestMemory): number {
  return memory.read16(linear(tablesSegment, tables.codePage));
}

export function currentCountry(memory: GuestMemory): number {
  return memory.read16(linear(tablesSegment, tables.country));
}

/** How dates and times are written in the current country. */
export function currentTraits(memory: GuestMemory): CountryTraits {
  const { date, separators, hours24 } = countries.get(currentCountry(memory)) ?? country(0, '$', ',.-:,', 0, false);
  const [, decimalSeparator = '.', dateSeparator = '-', timeSeparator = ':'] = separators;
  return { date, hours24, decimalSeparator, dateSeparator, timeSeparator };
}

/** Tables that programs get pointers to: upper case, order, characters of names. */
export function writeCountryTables(memory: GuestMemory): void {
  const base = linear(tablesSegment, 0);
  writePage(memory, ownPage);
  setCountry(memory, unitedStates);
  memory.write(base + tables.doubleByte, new Uint8Array(16));
  // Length, a reserved byte, lowest and highest character, a reserved byte, the excluded range, then separators.
  const separators = '."/\\[]:|<>+=;,';
  const start = base + tables.fileCharacters;
  memory.write16(start, 8 + separators.length);
  memory.write(start + 2, Uint8Array.of(1, 0, 0xff, 0, 0, 0x20, 2, separators.length));
  writeText(memory, start + 10, separators);
  memory.write(base + tables.caseMap, caseMapBytes());
}

function writePage(memory: GuestMemory, page: number): void {
  const base = linear(tablesSegment, 0);
  const order = Uint8Array.from({ length: 256 }, (_, index) => upperInPage(page, index));
  memory.write16(base + tables.codePage, page);
  for (const offset of [tables.upperCase, tables.fileUpperCase]) {
    memory.write16(base + offset, 128);
    memory.write(base + offset + 2, order.subarray(128));
  }
  memory.write16(base + tables.collating, 256);
  memory.write(base + tables.collating + 2, order);
}

/** cmp al,80h / jb end / push bx / xor bh,bh / mov bl,al / sub bl,80h / mov al,cs:[bx+table] / pop bx / end: retf. */
function caseMapBytes(): Uint8Array {
  const table = tables.upperCase + 2;
  return Uint8Array.of(
    ...[0x3c, 0x80, 0x72, 0x0e, 0x53, 0x30, 0xff, 0x88, 0xc3, 0x80, 0xeb, 0x80],
    ...[0x2e, 0x8a, 0x87, table & 0xff, table >> 8, 0x5b, 0xcb],
  );
}
