import { type DirectoryEntry, type FileType, matchesName } from '../../../formats/commodore/media/directory-entry.ts';
import { DiskError } from '../../../formats/commodore/media/disk-error.ts';

export type FileMode = 'R' | 'W' | 'A' | 'M';

/** What a program wrote into OPEN: `@0:NAME,S,W`. */
export interface FileRequest {
  readonly name: Uint8Array;
  readonly replace: boolean;
  readonly type?: 'SEQ' | 'PRG' | 'USR';
  readonly mode?: FileMode;
  /** Relative files: the length of a record, 0 to take that of an existing file. */
  readonly recordLength?: number;
}

const typeLetters: Readonly<Record<string, 'SEQ' | 'PRG' | 'USR'>> = { S: 'SEQ', P: 'PRG', U: 'USR' };

/** The DOS's texts are handled as strings of one character per byte. */
export const textOf = (bytes: Iterable<number>): string => String.fromCharCode(...bytes);
export const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** The name without the number of the drive's mechanism, of which we have one. */
export function bareName(text: string): Uint8Array {
  const name = bytesOf(text.replace(/^[01]?:/, ''));
  if (name.length === 0) throw new DiskError(34);
  return name;
}

export function hasWildcards(name: Uint8Array): boolean {
  return name.includes(0x2a) || name.includes(0x3f);
}

export function parseFileRequest(text: string): FileRequest {
  // The length of a record is a byte that may look like anything.
  const [, before, length] = /^([^,]*),L[^,]*(?:,([\s\S]))?/.exec(text) ?? [];
  if (before !== undefined) {
    return { name: bareName(before), replace: false, recordLength: length?.charCodeAt(0) ?? 0 };
  }
  const [first = '', ...options] = text.split(',');
  const replace = /^@[01]?:/.test(first);
  const name = bareName(replace ? first.slice(1) : first);
  let type: FileRequest['type'];
  let mode: FileMode | undefined;
  for (const option of options) {
    const letter = option.charAt(0);
    if (letter === 'R' || letter === 'W' || letter === 'A' || letter === 'M') mode = letter;
    else if (typeLetters[letter]) type = typeLetters[letter];
    else throw new DiskError(30);
  }
  return { name, replace, ...(type && { type }), ...(mode && { mode }) };
}

const filterTypes: Readonly<Record<string, FileType>> = {
  D: 'DEL',
  S: 'SEQ',
  P: 'PRG',
  U: 'USR',
  R: 'REL',
  C: 'CBM',
};

/** Which entries `$0:A*,B*=P` lists. */
export function directoryFilter(text: string): (entry: DirectoryEntry) => boolean {
  const [names = '', letter = ''] = text.replace(/^\$[01]?:?/, '').split('=');
  const patterns = names.split(',').filter((each) => each !== '');
  const wanted = patterns.map((each) => bareName(each));
  const type = filterTypes[letter.charAt(0)];
  return (entry) =>
    (wanted.length === 0 || wanted.some((pattern) => matchesName(pattern, entry.rawName))) &&
    (type === undefined || entry.type === type);
}
