import { petsciiText } from '../basic/petscii.ts';
import { latin, MediaError } from './byte-fields.ts';
import { paddedName } from './directory-entry.ts';

const headerLength = 26;
const signature = 'C64File\0';

/** A file with its Commodore name: PC64's P00, S00, U00 and R00. */
export interface P00File {
  readonly name: string;
  readonly recordLength: number;
  readonly bytes: Uint8Array;
}

export const isP00 = (file: Uint8Array): boolean => latin(file, 0, 8) === signature;

export function readP00(file: Uint8Array): P00File {
  if (!isP00(file) || file.length < headerLength) throw new MediaError('no P00 file: its header is missing');
  const end = file.subarray(8, 24).findIndex((code) => code === 0 || code === 0xa0);
  const name = petsciiText(file.subarray(8, end < 0 ? 24 : 8 + end));
  return { name, recordLength: file[25] ?? 0, bytes: file.subarray(headerLength) };
}

export function writeP00({ name, recordLength, bytes }: P00File): Uint8Array {
  const file = new Uint8Array(headerLength + bytes.length);
  file.set([...signature].map((character) => character.charCodeAt(0)));
  file.set(
    paddedName(name).map((code) => (code === 0xa0 ? 0 : code)),
    8,
  );
  file[25] = recordLength;
  file.set(bytes, headerLength);
  return file;
}
