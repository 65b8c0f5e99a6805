import type { ByteView } from './byte-view.ts';
import type { DwarfCursor } from './dwarf-cursor.ts';

/** Where names that are not in the line table itself lie. */
export interface DwarfStrings {
  readonly lineStrings: ByteView;
  readonly strings: ByteView;
}

const [pathContent, directoryContent] = [1, 2];
const form = {
  block2: 3,
  block4: 4,
  data2: 5,
  data4: 6,
  data8: 7,
  string: 8,
  block: 9,
  block1: 10,
  data1: 11,
  strp: 14,
  udata: 15,
  data16: 0x1e,
  lineStrp: 0x1f,
} as const;
const maxEntries = 100_000;

/** The files of a line program, by the numbers its rows use. */
export function readFiles(cursor: DwarfCursor, version: number, strings: DwarfStrings): string[] {
  return version >= 5 ? filesOfVersion5(cursor, strings) : filesBeforeVersion5(cursor);
}

/** Only the last part of a path is kept, and its folder where that tells two files apart. */
function joined(directory: string | undefined, name: string): string {
  if (name.startsWith('/') || !directory) return name;
  return `${directory.replace(/^.*\/(?=[^/]+\/?$)/, '').replace(/\/$/, '')}/${name}`;
}

function filesBeforeVersion5(cursor: DwarfCursor): string[] {
  const directories = [''];
  for (let name = cursor.text(); name !== ''; name = cursor.text()) directories.push(name);
  const files = [''];
  for (let name = cursor.text(); name !== ''; name = cursor.text()) {
    const directory = cursor.unsigned();
    cursor.unsigned();
    cursor.unsigned();
    files.push(joined(directories[directory], name));
  }
  return files;
}

function filesOfVersion5(cursor: DwarfCursor, strings: DwarfStrings): string[] {
  const directories = readEntries(cursor, strings).map(({ path }) => path);
  // The first directory is where the compiler ran, which says nothing about the file.
  return readEntries(cursor, strings).map(({ path, directory }) =>
    joined(directory === 0 ? undefined : directories[directory], path),
  );
}

function readEntries(cursor: DwarfCursor, strings: DwarfStrings): { path: string; directory: number }[] {
  const formats = Array.from({ length: cursor.u8() }, () => [cursor.unsigned(), cursor.unsigned()] as const);
  const count = cursor.unsigned();
  if (count > maxEntries) throw new RangeError('a line table names too many files');
  return Array.from({ length: count }, () => {
    let path = '';
    let directory = 0;
    for (const [content, how] of formats) {
      const value = readForm(cursor, how, strings);
      if (content === pathContent && typeof value === 'string') path = value;
      if (content === directoryContent && typeof value === 'number') directory = value;
    }
    return { path, directory };
  });
}

function readForm(cursor: DwarfCursor, how: number, { lineStrings, strings }: DwarfStrings): string | number {
  switch (how) {
    case form.string:
      return cursor.text();
    case form.lineStrp:
      return lineStrings.text(cursor.offset());
    case form.strp:
      return strings.text(cursor.offset());
    case form.udata:
      return cursor.unsigned();
    case form.data1:
      return cursor.u8();
    case form.data2:
      return cursor.u16();
    case form.data4:
      return cursor.u32();
    case form.data8:
      return skipped(cursor, 8);
    case form.data16:
      return skipped(cursor, 16);
    case form.block:
      return skipped(cursor, cursor.unsigned());
    case form.block1:
      return skipped(cursor, cursor.u8());
    case form.block2:
      return skipped(cursor, cursor.u16());
    case form.block4:
      return skipped(cursor, cursor.u32());
    default:
      throw new RangeError(`a line table uses the unknown form ${how}`);
  }
}

function skipped(cursor: DwarfCursor, bytes: number): number {
  cursor.skip(bytes);
  return 0;
}
