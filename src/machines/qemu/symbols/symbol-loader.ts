import { MachineError } from '../../../machine/errors.ts';
import type { LoadedSymbols, SymbolFile, SymbolsCapability } from '../../../machine/symbols.ts';
import { readDwarfLines } from './dwarf-lines.ts';
import { ElfFile } from './elf.ts';
import { elfSymbols, type NamedPlace } from './elf-symbols.ts';
import { isKallsyms, kallsyms } from './kallsyms.ts';
import { LineTable } from './line-table.ts';
import { pauses } from './pause.ts';
import type { QemuSymbols } from './qemu-symbols.ts';

/** Larger line tables are read behind the answer. */
const waitedForBytes = 4 * 1024 * 1024;

/** Takes names out of ELF files and the kernel's own lists. */
export class SymbolLoader implements SymbolsCapability {
  readonly formats = ['elf', 'kallsyms'] as const;
  readonly names: QemuSymbols;
  /** Settles when the lines of the last file are known. */
  linesRead: Promise<void> = Promise.resolve();

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

  async #loadElf(name: string, bytes: Uint8Array, offset: bigint): Promise<LoadedSymbols> {
    try {
      const elf = new ElfFile(bytes);
      const places = await elfSymbols(elf, pauses());
      const added = await this.#add(places, offset);
      const notes = [
        ...(await this.#loadLines(elf, offset)),
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
    return { format: 'kallsyms', added: await this.#add(places, offset), notes: [] };
  }

  async #add(places: readonly NamedPlace[], offset: bigint): Promise<number> {
    const moved =
      offset === 0n
        ? places
        : places.map((place) => ({ ...place, address: BigInt.asUintN(64, place.address + offset) }));
    await this.names.addAll(moved, pauses());
    return moved.length;
  }

  async #loadLines(elf: ElfFile, offset: bigint): Promise<string[]> {
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
      if (lines.rows > 0) this.names.addLines(lines);
    };
    this.linesRead = read();
    if (section.size > waitedForBytes) return ['its lines of source are being read'];
    await this.linesRead;
    const known = `lines of ${lines.files} source files`;
    return problem === undefined ? [known] : [known, `its lines of source are not complete: ${problem}`];
  }
}
