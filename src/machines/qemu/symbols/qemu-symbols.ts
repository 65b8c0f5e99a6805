import type { DwarfIndex } from '../../../formats/dwarf/dwarf-index.ts';
import type { NamedPlace } from '../../../formats/elf/elf-symbols.ts';
import type { FrameRules } from '../../../formats/elf/frame-program.ts';
import type { FrameTable } from '../../../formats/elf/frame-table.ts';
import type { LineTable } from '../../../formats/elf/line-table.ts';
import type { Pause } from '../../../formats/elf/pause.ts';
import type { SourceLine, SymbolTable } from '../../../machine/addresses.ts';
import { MachineError } from '../../../machine/errors.ts';
import { defaultReach, NameIndex } from './name-index.ts';

/** The debug information of a file, and how far the guest has moved the program. */
export interface LoadedDwarf {
  readonly index: DwarfIndex;
  readonly offset: bigint;
}

/** What came out of one file. */
export interface SymbolSource {
  readonly name: string;
  readonly places: readonly NamedPlace[];
  lines?: LineTable;
  /** The first that says something is believed. */
  readonly frames: FrameTable[];
  /** Types and variables. */
  dwarf?: LoadedDwarf;
}

const lineForm = /^(.+\.\w+):(\d{1,7})$/;
const maxListed = 8;

/** The names of a virtual machine: hundreds of thousands for a kernel, with sizes and lines of source where known. */
export class QemuSymbols implements SymbolTable {
  #index = new NameIndex();
  readonly #given: NamedPlace[] = [];
  /** By file and place, the last loaded first: it may be the same program, built again. */
  #sources = new Map<string, SymbolSource>();

  get size(): number {
    return this.#index.size;
  }

  get all(): readonly (readonly [string, bigint])[] {
    return this.#index.all;
  }

  add(symbols: Iterable<readonly [string, bigint]>): void {
    for (const [name, address] of symbols) {
      const place = { name, address, size: 0 };
      this.#given.push(place);
      this.#index.put(place);
    }
  }

  /** Adds what a file names, instead of what the same file at the same place named before. */
  async load(name: string, places: readonly NamedPlace[], pause: Pause, offset = 0n): Promise<SymbolSource> {
    const source: SymbolSource = { name, places, frames: [] };
    const key = `${offset} ${name}`;
    const isNew = !this.#sources.delete(key);
    this.#sources = new Map([[key, source], ...this.#sources]);
    if (isNew) {
      await this.#index.putAll(places, pause);
      return source;
    }
    await this.#indexAgain(pause);
    return source;
  }

  /** Where names came from, the last loaded first. */
  get sources(): readonly SymbolSource[] {
    return [...this.#sources.values()];
  }

  /** Forgets what a file named, wherever it was put; answers how many names that were. */
  async unload(name: string, pause: Pause): Promise<number> {
    const gone = [...this.#sources].filter(([, source]) => source.name === name);
    for (const [key] of gone) this.#sources.delete(key);
    if (gone.length > 0) await this.#indexAgain(pause);
    return gone.reduce((sum, [, { places }]) => sum + places.length, 0);
  }

  async #indexAgain(pause: Pause): Promise<void> {
    const index = new NameIndex();
    for (const each of [...this.#sources.values()].reverse()) await index.putAll(each.places, pause);
    for (const place of this.#given) index.put(place);
    this.#index = index;
  }

  /**
   * By the name in the file, or as it is written in source: `ns::Class::run(int)`, `ns::Class::run`. One that several
   * files of a program have for something of their own is refused with where they are.
   */
  address(name: string): bigint | undefined {
    const shared = this.#index.sharedBy(name);
    if (shared.length === 0) return this.#index.address(name);
    const listed = shared.slice(0, maxListed).map(({ address }) => {
      const line = this.lineOf(address);
      return `0x${address.toString(16)}${line ? ` (${line})` : ''}`;
    });
    throw new MachineError(
      'INVALID_ARGUMENT',
      `${shared.length} places are called ${name.slice(0, 100)}.`,
      `Write the address or the line of one: ${listed.join(', ')}${shared.length > maxListed ? ' …' : ''}.`,
    );
  }

  /** By the name in the file alone, if only one place has it. */
  linkedAddress(name: string): bigint | undefined {
    return this.#index.sharedBy(name).length === 0 ? this.#index.address(name) : undefined;
  }

  /** `guest.c:41`: where the code of that line begins, or of the next that has some. */
  lineAddress(text: string): bigint | undefined {
    return this.lineMeant(text)?.address;
  }

  /** That line. */
  lineMeant(text: string): (SourceLine & { readonly address: bigint }) | undefined {
    const [, file = '', line = ''] = lineForm.exec(text) ?? [];
    if (file === '') return undefined;
    const tables = [...this.#sources.values()].flatMap(({ lines }) => lines ?? []);
    const files = [...new Set(tables.flatMap((table) => table.filesNamed(file)))];
    const [name, another] = files;
    if (name === undefined) return undefined;
    if (another !== undefined) {
      const listed = files.slice(0, maxListed).join(', ') + (files.length > maxListed ? ' …' : '');
      throw new MachineError(
        'INVALID_ARGUMENT',
        `${files.length} files are called ${file}.`,
        `Write one of: ${listed}.`,
      );
    }
    for (const table of tables) {
      const found = table.lineMeant(name, Number(line));
      if (found !== undefined) return { file: name, ...found };
    }
    throw new MachineError(
      'INVALID_ARGUMENT',
      `${name} has no code at line ${line} or after it.`,
      'Use an earlier line, or the name of a function.',
    );
  }

  /** `level2+8 (guest.c:41)`. A reach of 0 asks for what begins exactly there. */
  describe(address: bigint, reach = defaultReach): string | undefined {
    const name = this.nameOf(address, reach);
    const line = reach === 0n ? undefined : this.lineOf(address);
    return line === undefined ? name : `${name ?? ''} (${line})`.trimStart();
  }

  nameOf(address: bigint, reach = defaultReach): string | undefined {
    const place = this.placeAt(address, reach);
    if (!place) return undefined;
    const name = this.#index.shown(place);
    return place.address === address ? name : `${name}+${address - place.address}`;
  }

  /** The function or variable that an address lies in. */
  placeAt(address: bigint, reach = defaultReach): NamedPlace | undefined {
    return this.#index.placeAt(address, reach);
  }

  functionAt(address: bigint) {
    const place = this.placeAt(address);
    if (!place) return undefined;
    const { address: start, size } = place;
    return { name: this.#index.shown(place), address: start, ...(size > 0 && { size }) };
  }

  /** The lines of a file that have code, rising. */
  codeLines(file: string): readonly number[] {
    const lines = new Set([...this.#sources.values()].flatMap((source) => source.lines?.linesOf(file) ?? []));
    return [...lines].sort((a, b) => a - b);
  }

  /** `guest.c:41` */
  lineOf(address: bigint): string | undefined {
    for (const { lines } of this.#sources.values()) {
      const line = lines?.at(address);
      if (line !== undefined) return line;
    }
    return undefined;
  }

  /** Where a file with lines of source has a name. */
  addressInSource(name: string): bigint | undefined {
    for (const { lines, places } of this.#sources.values()) {
      const found = lines && places.find((place) => place.name === name);
      if (found) return found.address;
    }
    return undefined;
  }

  /** The debug information of all files, the last loaded first. */
  get dwarfs(): readonly LoadedDwarf[] {
    return [...this.#sources.values()].flatMap(({ dwarf }) => dwarf ?? []);
  }

  /** The one that describes the code at an address. */
  dwarfAt(address: bigint): LoadedDwarf | undefined {
    return this.dwarfs.find(({ index, offset }) => index.functionAt(address - offset) !== undefined);
  }

  /** How the frame at an address is undone. */
  frameAt(address: bigint): FrameRules | undefined {
    for (const { frames } of this.#sources.values()) {
      for (const table of frames) {
        const rules = table.at(address);
        if (rules) return rules;
      }
    }
    return undefined;
  }
}
