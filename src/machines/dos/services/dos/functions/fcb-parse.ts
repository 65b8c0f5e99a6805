import { upperByte } from '../../../drives/names.ts';
import type { DosFunction } from '../dos-function.ts';
import { linear } from '../far-pointer.ts';
import { quoted, readAsciz, readText, writeText } from '../guest-text.ts';

const skipSeparators = 1;
const keepDrive = 2;
const keepName = 4;
const keepExtension = 8;

const separators = ':.;,=+ \t';
const terminators = `${separators}/"[]<>|\\`;

/** Function 29h: a name as typed into the fields of an FCB. */
export const fcbParse: DosFunction = {
  number: 0x29,
  name: 'FCB parse name',
  failure: 'none',
  describe: (guest) => quoted(readAsciz(guest.memory, guest.ds, guest.si, 80).replace(/\r.*/s, '')),
  run(guest, dos) {
    const { memory } = guest;
    const options = guest.al;
    const block = linear(guest.es, guest.di);
    const character = (ahead = 0) => String.fromCharCode(memory.read8(linear(guest.ds, guest.si + ahead)));
    const skip = (set: string) => {
      while (set.includes(character())) guest.si = (guest.si + 1) & 0xffff;
    };
    skip(' \t');
    if (options & skipSeparators && separators.includes(character())) {
      guest.si = (guest.si + 1) & 0xffff;
      skip(' \t');
    }
    let status = 0;
    if (character(1) === ':' && !terminators.includes(character())) {
      const drive = upperByte(character().charCodeAt(0)) - 0x40;
      memory.write8(block, drive);
      if (!dos.directories.valid(drive - 1)) status = 0xff;
      guest.si = (guest.si + 2) & 0xffff;
    } else if (!(options & keepDrive)) memory.write8(block, 0);
    const part = (length: number): string => {
      let text = '';
      while (character() > ' ' && !terminators.includes(character())) {
        if (character() === '*') text = text.slice(0, length).padEnd(length, '?');
        else text += String.fromCharCode(upperByte(character().charCodeAt(0)));
        guest.si = (guest.si + 1) & 0xffff;
      }
      return text.slice(0, length);
    };
    const name = part(8);
    if (name !== '' || !(options & keepName)) writeText(memory, block + 1, name.padEnd(8));
    let extension = '';
    const dotted = character() === '.' && name !== '';
    if (dotted) {
      guest.si = (guest.si + 1) & 0xffff;
      extension = part(3);
    }
    if (dotted || !(options & keepExtension)) writeText(memory, block + 9, extension.padEnd(3));
    if (status === 0 && `${name}${extension}`.includes('?')) status = 1;
    guest.al = status;
    return undefined;
  },
  result: (guest) => `${quoted(readText(guest.memory, linear(guest.es, guest.di) + 1, 11))} status ${guest.al}`,
};
