import { petsciiText, unicodeToPetscii } from '../basic/petscii.ts';

export const fileTypes = ['DEL', 'SEQ', 'PRG', 'USR', 'REL', 'CBM', 'DIR'] as const;
export type FileType = (typeof fileTypes)[number];

/** One entry of a disk's directory with all its fields. */
export interface DirectoryEntry {
  /** As the power-on character set shows it. */
  readonly name: string;
  /** PETSCII, without padding. */
  readonly rawName: Uint8Array;
  readonly type: FileType;
  /** A file that was never closed shows a * in the directory. */
  readonly closed: boolean;
  readonly locked: boolean;
  readonly track: number;
  readonly sector: number;
  readonly blocks: number;
  /** REL files: the first side sector and the length of a record. */
  readonly sideTrack: number;
  readonly sideSector: number;
  readonly recordLength: number;
  /** Where the entry itself lies. */
  readonly place: { readonly track: number; readonly sector: number; readonly index: number };
}

export const nameLength = 16;
const padding = 0xa0;

export function decodeEntry(bytes: Uint8Array, place: DirectoryEntry['place']): DirectoryEntry {
  const at = (offset: number) => bytes[offset] ?? 0;
  const rawName = unpadded(bytes.subarray(5, 5 + nameLength));
  return {
    name: petsciiText(rawName),
    rawName,
    type: fileTypes[at(2) & 7] ?? 'DEL',
    closed: (at(2) & 0x80) !== 0,
    locked: (at(2) & 0x40) !== 0,
    track: at(3),
    sector: at(4),
    blocks: at(30) | (at(31) << 8),
    sideTrack: at(21),
    sideSector: at(22),
    recordLength: at(23),
    place,
  };
}

/** The name up to its padding. */
export function unpadded(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(padding);
  return bytes.slice(0, end < 0 ? bytes.length : end);
}

/** A name as PETSCII, cut to its length and padded with shifted spaces. */
export function paddedName(name: string | Uint8Array, length = nameLength): Uint8Array {
  return new Uint8Array(length).fill(padding).map((pad, index) => petsciiName(name)[index] ?? pad);
}

export function petsciiName(name: string | Uint8Array): Uint8Array {
  if (typeof name !== 'string') return name;
  return Uint8Array.from([...name].map((character) => unicodeToPetscii(character, 'upper') ?? 0x3f));
}

/** The DOS's wildcards: ? is any character, * is any rest. */
export function matchesName(pattern: string | Uint8Array, rawName: Uint8Array): boolean {
  const wanted = petsciiName(pattern);
  for (const [index, code] of wanted.entries()) {
    if (code === 0x2a) return true;
    const actual = rawName[index];
    if (actual === undefined || (code !== 0x3f && code !== actual)) return false;
  }
  return wanted.length === rawName.length;
}
