import { DwarfIndex } from '../../../formats/dwarf/dwarf-index.ts';
import { dwarfSections } from '../../../formats/dwarf/dwarf-sections.ts';
import { readDwarfLines } from '../../../formats/elf/dwarf-lines.ts';
import { ElfFile } from '../../../formats/elf/elf.ts';
import { elfSymbols, type NamedPlace } from '../../../formats/elf/elf-symbols.ts';
import { FrameTable } from '../../../formats/elf/frame-table.ts';
import { isKallsyms, kallsyms } from '../../../formats/elf/kallsyms.ts';
import { LineTable } from '../../../formats/elf/line-table.ts';
import { pauses } from '../../../formats/elf/pause.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { LoadedSymbols, SymbolFile, SymbolsCapability } from '../../../machine/symbols.ts';
import type { QemuSymbols, SymbolSource } from './qemu-symbols.ts';

/** Larger line tables are read after the answer. */
const waitedForBytes = 4 * 1024 * 1024;
/** A whole Linux has more than twice as much, and would take minutes. */
const mostTypeBytes = 256 * 1024 * 1024;

const mostListed = 8;

const unlinkedNote =
  'it is not linked: only the names of its .text, counted from the offset, where the guest put that section';

/** Takes names out of ELF files and the kernel's own lists. */
export class SymbolLoader implements SymbolsCapability {
  readonly formats = ['elf', 'kallsyms'] as const;
  readonly names: QemuSymbols;
  /** Settles when the lines of the last file are known. */
  linesRead: Promise<void> = Promise.resolve();
  /** The same of types and variables. */
  typesRead: Promise<void> = Promise.resolve();

  constructor(names: QemuSymbols) {
    this.names = names;
  }

  async load({ name, bytes }: SymbolFile, offset: bigint): Promise<LoadedSymbols> {
    if (ElfFile.isElf(bytes)) return this.#loadElf(name, bytes, offset);
    if (isKallsyms(bytes)) return this.#loadKallsyms(name, bytes, offset);
    throw new MachineError(
      'INVALID_ARGUMENT',
      `${name} is neither an ELF file nor a list of symbols.`,
      'Give a vmlinux or another ELF file, /proc/kallsyms, a System.map, or what nm writes.',
    );
  }

  get sources(): readonly { readonly name: string; readonly symbols: number }[] {
    return this.names.sources.map(({ name, places }) => ({ name, symbols: places.length }));
  }

  async unload(name: string): Promise<number> {
    const known = this.names.sources.map((source) => source.name);
    if (known.includes(name)) return this.names.unload(name, pauses());
    const listed = [...new Set(known)].slice(0, mostListed).join(', ');
    throw new MachineError(
      'NOT_FOUND',
      `No names were loaded from ${name.slice(0, 200)}.`,
      listed === '' ? 'Nothing has been loaded.' : `Write one of: ${listed}.`,
    );
  }

  async #loadElf(name: string, bytes: Uint8Array, offset: bigint): Promise<LoadedSymbols> {
    try {
      const elf = new ElfFile(bytes);
      const source = await this.#add(name, await elfSymbols(elf, pauses()), offset);
      const added = source.places.length;
      if (elf.isUnlinked) return { format: 'elf', added, notes: [unlinkedNote] };
      await loadFrames(source, elf, offset);
      const notes = [
        ...(await this.#loadLines(source, elf, offset)),
        ...(await this.#loadTypes(source, elf, offset)),
        ...(added === 0 ? ['it names nothing: it is stripped'] : []),
      ];
      return { format: 'elf', added, notes };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new MachineError(
        'INVALID_ARGUMENT',
        `${name} is a broken ELF file: ${error.message}.`,
        'Give a whole file.',
      );
    }
  }

  async #loadKallsyms(name: string, bytes: Uint8Array, offset: bigint): Promise<LoadedSymbols> {
    const places = await kallsyms(bytes, pauses());
    if (places.length > 0 && places.every(({ address }) => address === 0n)) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `All addresses in ${name} are 0: the kernel hides them.`,
        'In the guest, as root: echo 0 > /proc/sys/kernel/kptr_restrict; then read /proc/kallsyms again.',
      );
    }
    const source = await this.#add(name, places, offset);
    return { format: 'kallsyms', added: source.places.length, notes: [] };
  }

  /** A program may be at several places, as a boot loader that moves itself. */
  #add(name: string, places: readonly NamedPlace[], offset: bigint): Promise<SymbolSource> {
    const moved =
      offset === 0n
        ? places
        : places.map((place) => ({ ...place, address: BigInt.asUintN(64, place.address + offset) }));
    return this.names.load(name, moved, pauses(), offset);
  }

  async #loadLines(source: SymbolSource, elf: ElfFile, offset: bigint): Promise<string[]> {
    const section = elf.section('.debug_line');
    if (!section || section.size === 0) return [];
    const lines = new LineTable(offset);
    let problem: string | undefined;
    const read = async () => {
      try {
        const [program, lineStrings, strings] = [
          await elf.content(section),
          await elf.content(elf.section('.debug_line_str')),
          await elf.content(elf.section('.debug_str')),
        ];
        await readDwarfLines(program, { lineStrings, strings }, lines, pauses());
      } catch (error) {
        problem = error instanceof Error ? error.message : String(error);
      }
      if (lines.rows > 0) source.lines = lines;
    };
    this.linesRead = read();
    if (section.size > waitedForBytes) return ['its lines of source are being read'];
    await this.linesRead;
    const known = `lines of ${lines.files} source ${lines.files === 1 ? 'file' : 'files'}`;
    return problem === undefined ? [known] : [known, `its lines of source are not complete: ${problem}`];
  }

  /** Types and variables; of large files only after the answer. */
  async #loadTypes(source: SymbolSource, elf: ElfFile, offset: bigint): Promise<string[]> {
    const section = elf.section('.debug_info');
    if (!section || section.size === 0) return [];
    if (section.size > mostTypeBytes) return ['its debug information is too large for types and variables to be read'];
    const read = async () => {
      // What is packed in a way we cannot unpack was told with the lines.
      const sections = await dwarfSections(elf).catch(() => undefined);
      if (sections && sections.info.length <= mostTypeBytes)
        source.dwarf = { index: await DwarfIndex.read(sections, pauses()), offset };
    };
    this.typesRead = read();
    if (section.size > waitedForBytes) return ['its types and variables are being read'];
    await this.typesRead;
    return source.dwarf ? [typesOf(source.dwarf.index.functions)] : [];
  }
}

function typesOf(functions: number): string {
  return `types and variables of ${functions} ${functions === 1 ? 'function' : 'functions'}`;
}

/** For calls that led somewhere: `.debug_frame` is the fuller one where there are both. */
async function loadFrames(source: SymbolSource, elf: ElfFile, offset: bigint): Promise<void> {
  for (const name of ['.debug_frame', '.eh_frame']) {
    const section = elf.section(name);
    if (!section || section.size === 0) continue;
    // Packed in a way we cannot unpack, or cut off: the lines of source say so.
    const view = await elf.content(section).catch(() => undefined);
    if (!view) continue;
    const { address } = section;
    const table = new FrameTable({ view, isEh: name === '.eh_frame', address, addressBytes: elf.wide ? 8 : 4 }, offset);
    await table.read(pauses());
    if (table.size > 0) source.frames.push(table);
  }
}
