import type { ByteView } from '../elf/byte-view.ts';
import type { ElfFile } from '../elf/elf.ts';

const names = {
  info: '.debug_info',
  abbrev: '.debug_abbrev',
  str: '.debug_str',
  lineStr: '.debug_line_str',
  strOffsets: '.debug_str_offsets',
  addr: '.debug_addr',
  ranges: '.debug_ranges',
  rnglists: '.debug_rnglists',
  loc: '.debug_loc',
  loclists: '.debug_loclists',
} as const;

/** The sections of a file that describe its data; those it lacks are empty. */
export type DwarfSections = Readonly<Record<keyof typeof names, ByteView>>;

/** Undefined for a file without debug information. */
export async function dwarfSections(elf: ElfFile): Promise<DwarfSections | undefined> {
  const found: Partial<Record<keyof typeof names, ByteView>> = {};
  for (const key of Object.keys(names) as (keyof typeof names)[]) {
    found[key] = await elf.content(elf.sections.find(({ name }) => name === names[key]));
  }
  const sections = found as DwarfSections;
  return sections.info.length === 0 || sections.abbrev.length === 0 ? undefined : sections;
}
