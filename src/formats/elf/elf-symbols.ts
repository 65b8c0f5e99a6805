import type { ElfFile, ElfSection } from './elf.ts';
import type { Pause } from './pause.ts';

/** A name for an address, and how far it reaches; 0 when that is not known. */
export interface NamedPlace {
  readonly name: string;
  readonly address: bigint;
  readonly size: number;
  /** Known in one file of the program only; others may have their own of this name. */
  readonly local?: boolean;
}

const [symbolTable, dynamicSymbols] = [2, 11];
const [noType, object, func, indirectFunc] = [0, 1, 2, 10];
const local = 0;
const undefinedSection = 0;
const firstReserved = 0xff00;
const armMachine = 40;
const maxSymbols = 4_000_000;
/** Those of C++ templates are long, and cannot be read when a part is missing. */
const maxNameBytes = 8192;
/**
 * `$x`, `$d.4`, of RISC-V also with its extensions, as `$xrv64i2p1_m2p0`: marks of the assembler between code and data;
 * `.L5`: its own labels.
 */
const marks = /^(?:\$(?:[adt]|x(?:rv[\w.]*)?)(?:\.|$)|\.L|__(?:kstrtab|ksymtab|kcrctab|crc)_)/;

/** Whether a name stands for a place in the sense of the assembler, and not of whoever wrote the program. */
export function isAssemblerMark(name: string): boolean {
  return marks.test(name);
}

/** What an ELF file names; the later ones are meant first: those of whole programs, then of single files, then labels. */
export async function elfSymbols(elf: ElfFile, pause: Pause): Promise<NamedPlace[]> {
  const table = ofType(elf, symbolTable) ?? ofType(elf, dynamicSymbols);
  if (!table) return [];
  const entries = await elf.content(table);
  const names = await elf.content(elf.sections[table.link]);
  const entryBytes = Math.max(table.entryBytes, elf.wide ? 24 : 16);
  const count = Math.min(maxSymbols, Math.floor(entries.length / entryBytes));
  const labels: NamedPlace[] = [];
  const locals: NamedPlace[] = [];
  const globals: NamedPlace[] = [];
  for (let n = 1; n < count; n++) {
    if ((n & 1023) === 0) await pause();
    const at = n * entryBytes;
    const info = entries.u8(at + (elf.wide ? 4 : 12));
    const sectionIndex = entries.u16(at + (elf.wide ? 6 : 14));
    const type = info & 15;
    if (sectionIndex === undefinedSection || sectionIndex >= firstReserved) continue;
    const section = elf.sections[sectionIndex];
    const wanted = type === func || type === object || type === indirectFunc || (type === noType && section?.allocated);
    if (!wanted || (elf.isUnlinked && section?.name !== '.text')) continue;
    const name = names.text(entries.u32(at), maxNameBytes);
    if (name === '' || isAssemblerMark(name)) continue;
    const value = elf.wide ? entries.u64(at + 8) : BigInt(entries.u32(at + 4));
    const size = elf.wide ? entries.offset64(at + 16) : entries.u32(at + 8);
    // The lowest bit of a function's address says that it is Thumb code.
    const address = elf.machine === armMachine && type === func ? value & ~1n : value;
    if (type === noType && section && !section.executable) {
      labels.push({ name, address, size: size || reachOf(section, address) });
    } else if (info >> 4 === local) locals.push({ name, address, size, local: true });
    else globals.push({ name, address, size });
  }
  return [...labels, ...locals, ...globals];
}

/** Labels of assembled variables, and those the linker sets around sections: none beyond its section. */
function reachOf(section: ElfSection, address: bigint): number {
  return Math.max(1, Number(section.address + BigInt(section.size) - address));
}

function ofType(elf: ElfFile, type: number): ElfSection | undefined {
  return elf.sections.find((section) => section.type === type && section.size > 0);
}
