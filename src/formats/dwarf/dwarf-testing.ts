import { ByteView } from '../elf/byte-view.ts';
import { pauses } from '../elf/pause.ts';
import { DwarfIndex } from './dwarf-index.ts';
import type { DwarfSections } from './dwarf-sections.ts';

/** Numbers as a file has them: seven bits a byte. */
export function leb(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...leb(Math.floor(value / 128))];
}

export const long = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255, (value >>> 24) & 255];
export const text = (name: string) => [...Buffer.from(name), 0];

/** A sort of entry: its code, its tag, whether others are below it, and names and forms of its attributes. */
export function abbreviation(code: number, tag: number, hasChildren: boolean, attributes: readonly number[]): number[] {
  return [...leb(code), ...leb(tag), Number(hasChildren), ...attributes.flatMap(leb), 0, 0];
}

/** Where the first entry of a unit of ours lies. */
export const firstEntry = 11;

/** One unit of version 4 with these tables and entries. */
export function sectionsOf(abbrev: readonly number[], entries: ArrayLike<number>): DwarfSections {
  const info = new Uint8Array(firstEntry + entries.length);
  info.set([...long(info.length - 4), 4, 0, ...long(0), 8]);
  info.set(entries, firstEntry);
  const view = (bytes: Uint8Array) => new ByteView(bytes, true);
  const none = view(new Uint8Array());
  return {
    ...{ info: view(info), abbrev: view(Uint8Array.from([...abbrev, 0])), str: none, lineStr: none, strOffsets: none },
    ...{ addr: none, ranges: none, rnglists: none, loc: none, loclists: none },
  };
}

export function indexOf(abbrev: readonly number[], entries: ArrayLike<number>): Promise<DwarfIndex> {
  return DwarfIndex.read(sectionsOf(abbrev, entries), pauses());
}
