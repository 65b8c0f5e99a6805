import { DosError } from '../../../drives/dos-error.ts';
import { upperInPage } from '../code-pages.ts';
import { countryRecord, currentCountry, currentPage, setCountry } from '../country.ts';
import type { DosFunction } from '../dos-function.ts';
import { linear } from '../far-pointer.ts';
import { tables, tablesSegment } from '../layout.ts';

const setting = 0xffff;

const country: DosFunction = {
  number: 0x38,
  name: 'country',
  failure: 'carry',
  describe: (guest) => (guest.dx === setting ? `set ${guest.al}` : `get ${guest.al}`),
  run(guest) {
    const { memory } = guest;
    const given = guest.al === 0xff ? guest.bx : guest.al;
    const code = given === 0 ? currentCountry(memory) : given;
    const record = countryRecord(code, currentPage(memory));
    if (record === undefined) throw new DosError('fileNotFound');
    if (guest.dx === setting) setCountry(memory, code);
    else {
      memory.write(linear(guest.ds, guest.dx), record);
      guest.ax = code;
      guest.bx = code;
    }
    return undefined;
  },
};

const pointers: Readonly<Record<number, number>> = {
  2: tables.upperCase,
  4: tables.fileUpperCase,
  5: tables.fileCharacters,
  6: tables.collating,
  7: tables.doubleByte,
};

const extendedCountry: DosFunction = {
  number: 0x65,
  name: 'extended country',
  failure: 'carry',
  describe: (guest) => `subfunction ${guest.al}`,
  run(guest) {
    const { memory } = guest;
    const target = linear(guest.es, guest.di);
    const page = currentPage(memory);
    if (guest.al === 0x20) {
      guest.dl = upperInPage(page, guest.dl);
      return undefined;
    }
    if (guest.al === 0x21 || guest.al === 0x22) {
      for (let i = 0; guest.al === 0x22 || i < guest.cx; i++) {
        const address = linear(guest.ds, guest.dx + i);
        const byte = memory.read8(address);
        if (i > 0xffff || (guest.al === 0x22 && byte === 0)) break;
        memory.write8(address, upperInPage(page, byte));
      }
      return undefined;
    }
    if (guest.al === 0x23) {
      guest.ax = guest.dl === 0x59 || guest.dl === 0x79 ? 1 : guest.dl === 0x4e || guest.dl === 0x6e ? 0 : 2;
      return undefined;
    }
    if (guest.cx < 5) throw new DosError('invalidFunction');
    if (guest.al === 1) {
      const code = guest.dx === setting ? currentCountry(memory) : guest.dx;
      const traits = countryRecord(code, page);
      if (traits === undefined) throw new DosError('fileNotFound');
      const record = Uint8Array.of(1, 38, 0, code & 0xff, code >> 8, page & 0xff, page >> 8, ...traits);
      memory.write(target, record.subarray(0, guest.cx));
      guest.cx = Math.min(guest.cx, record.length);
      return undefined;
    }
    const table = pointers[guest.al];
    if (table === undefined) throw new DosError('invalidFunction');
    memory.write8(target, guest.al);
    memory.write16(target + 1, table);
    memory.write16(target + 3, tablesSegment);
    guest.cx = 5;
    return undefined;
  },
};

const codePages: DosFunction = {
  number: 0x66,
  name: 'code page',
  failure: 'carry',
  describe: (guest) => (guest.al === 2 ? `set ${guest.bx}` : 'get'),
  run(guest) {
    const page = currentPage(guest.memory);
    if (guest.al === 1) {
      guest.bx = page;
      guest.dx = page;
    } else if (guest.al !== 2) throw new DosError('invalidFunction');
    else if (guest.bx !== page) throw new DosError('fileNotFound');
    return undefined;
  },
};

export const countryFunctions = [country, extendedCountry, codePages] as const;
