import { hex } from '../../../../../formats/hex.ts';
import type { Guest } from '../../guest.ts';
import type { Dos } from '../dos.ts';
import type { DosFunction } from '../dos-function.ts';
import { linear } from '../far-pointer.ts';
import { quoted } from '../guest-text.ts';
import { writeOutput, writeOutputBytes } from '../standard-streams.ts';

const auxiliary = 3;
const printer = 4;
const dollar = 0x24;
const longestString = 0x10000;

const writeCharacter: DosFunction = {
  number: 0x02,
  name: 'write character',
  failure: 'none',
  describe: dlText,
  run(guest, dos) {
    dos.console.ready(true);
    writeOutput(dos, guest.dl);
    guest.al = guest.dl === 9 ? 0x20 : guest.dl;
    return undefined;
  },
};

const writeString: DosFunction = {
  number: 0x09,
  name: 'write string',
  failure: 'none',
  describe: (guest) => quoted(stringAt(guest)),
  run(guest, dos) {
    dos.console.ready(true);
    writeOutputBytes(
      dos,
      Array.from(stringAt(guest), (character) => character.charCodeAt(0)),
    );
    guest.al = dollar;
    return undefined;
  },
};

const readAuxiliary: DosFunction = {
  number: 0x03,
  name: 'read from AUX',
  failure: 'none',
  run(guest, dos) {
    guest.al = dos.handles.read(dos.handles.file(auxiliary), 1)[0] ?? 26;
    return undefined;
  },
};

const writeAuxiliary: DosFunction = {
  number: 0x04,
  name: 'write to AUX',
  failure: 'none',
  describe: dlText,
  run: (guest, dos) => writeTo(guest, dos, auxiliary),
};

const writePrinter: DosFunction = {
  number: 0x05,
  name: 'write to PRN',
  failure: 'none',
  describe: dlText,
  run: (guest, dos) => writeTo(guest, dos, printer),
};

export const characterOutput = [writeCharacter, readAuxiliary, writeAuxiliary, writePrinter, writeString] as const;

function writeTo(guest: Guest, dos: Dos, handle: number): undefined {
  dos.handles.write(dos.handles.file(handle), Uint8Array.of(guest.dl));
  return undefined;
}

function dlText(guest: Guest): string {
  return `${hex(guest.dl, 2)}h ${quoted(String.fromCharCode(guest.dl))}`;
}

function stringAt({ memory, ds, dx }: Guest): string {
  let text = '';
  for (let i = 0; i < longestString; i++) {
    const byte = memory.read8(linear(ds, dx + i));
    if (byte === dollar) break;
    text += String.fromCharCode(byte);
  }
  return text;
}
