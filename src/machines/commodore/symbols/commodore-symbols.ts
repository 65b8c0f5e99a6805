import type { Annotation } from '../../../formats/commodore/symbols/annotation.ts';
import type { FileLine, FileScope } from '../../../formats/commodore/symbols/symbol-file.ts';
import type { SourceLine } from '../../../machine/addresses.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import { PlainSymbols } from '../../shared/plain-symbols.ts';
import { AnnotationIndex, type SourceAnnotation } from './annotation-index.ts';
import { lineMeant, refuseUnknownFile } from './find-line.ts';
import { SourceLines } from './source-lines.ts';
import { type SavedTexts, SourceTexts, type TextsByFile } from './source-texts.ts';

const defaultReach = 256n;
/** One for every address, and what a large program is built of. */
const mostNames = 65_536;
const mostSources = 64;
/** Of names that nobody has loaded from anywhere. */
const byHand = '';

export interface SourceSymbol {
  readonly name: string;
  readonly address: number;
  /** A number that the source has given a name, not a place in the program. */
  readonly isConstant?: boolean;
  /** Where it was defined. */
  readonly file?: string;
  readonly line?: number;
}

/** What a file tells beside names and lines. */
interface SourceNotes {
  readonly annotations?: readonly Annotation[];
  readonly texts?: TextsByFile;
  readonly scopes?: readonly FileScope[];
}

interface Entry extends SourceSymbol {
  readonly source: string;
}

/** JSON. */
export interface SavedSymbols {
  readonly entries: readonly Entry[];
  readonly lines: readonly (readonly [source: string, lines: readonly FileLine[]])[];
  readonly annotations: readonly SourceAnnotation[];
  readonly texts: SavedTexts;
  readonly scopes: readonly (readonly [source: string, scopes: readonly FileScope[]])[];
}

interface Place {
  readonly name: string;
  readonly address: number;
}

/**
 * Names of a Commodore's addresses: those of its ROMs, which end where the ROM does and show only while it is switched in, and those of
 * programs, each known by the file they came from.
 */
export class CommodoreSymbols extends PlainSymbols {
  readonly #isRom: (address: number) => boolean;
  readonly #entries = new Map<string, Entry>();
  readonly #rom = new Map<string, number>();
  /** Of each source, also of those without any. */
  #lines = new Map<string, SourceLines>();
  readonly annotations: AnnotationIndex;
  readonly #texts = new SourceTexts();
  #scopes = new Map<string, readonly FileScope[]>();
  #sorted: { readonly own: readonly Place[]; readonly rom: readonly Place[] } | undefined;

  /** `isRom`: whether the processor sees the machine's own ROM at this address now. */
  constructor(isRom: (address: number) => boolean, mostAnnotations = () => 100_000) {
    super();
    this.annotations = new AnnotationIndex(mostAnnotations);
    this.#isRom = isRom;
  }

  override get size(): number {
    return this.#entries.size + this.#rom.size;
  }

  override get all(): readonly (readonly [string, bigint])[] {
    return [...this.#rom, ...[...this.#entries.values()].map(({ name, address }) => [name, address] as const)].map(
      ([name, address]) => [name, BigInt(address)],
    );
  }

  /** What names were loaded from. */
  get sources(): readonly { readonly name: string; readonly symbols: number }[] {
    return [...this.#lines.keys()].map((name) => ({ name, symbols: this.#of(name).length }));
  }

  override add(symbols: Iterable<readonly [string, bigint]>): void {
    for (const [name, address] of symbols) {
      this.#entries.set(name, { name, address: Number(address), source: byHand });
    }
    this.#sorted = undefined;
  }

  override remove(name: string): void {
    this.#entries.delete(name);
    this.#sorted = undefined;
  }

  /** Names of C are known without the underscore of their labels, too. */
  override address(name: string): bigint | undefined {
    const entry = this.#entries.get(name) ?? this.#entries.get(`_${name}`);
    const found = entry?.address ?? this.#rom.get(name) ?? this.#rom.get(name.toUpperCase());
    return found === undefined ? undefined : BigInt(found);
  }

  /** Of a program's name, exactly as it is written. */
  ownAddress(name: string): bigint | undefined {
    const found = this.#entries.get(name)?.address;
    return found === undefined ? undefined : BigInt(found);
  }

  /** As the assembler knows exactly this address: labels of C have an underscore. */
  labelAt(address: number): string | undefined {
    const name = this.describe(BigInt(address), 0n);
    const label = `_${name}`;
    return this.#entries.get(label)?.address === address ? label : name;
  }

  /** `name+2 (file.c:20)` for the last symbol before an address in the same memory. A reach of 0 asks for a name of exactly this address. */
  override describe(address: bigint, reach = defaultReach): string | undefined {
    const at = Number(address);
    const place = this.#nearest(at);
    const distance = place === undefined ? 0 : at - place.address;
    const isNear =
      place !== undefined &&
      distance <= reach &&
      (distance <= 1 || !this.#isSmallNumber(place)) &&
      !this.#isBeyond(place, at);
    const name = isNear ? `${place.name}${distance === 0 ? '' : `+${distance}`}` : undefined;
    const line = reach === 0n ? undefined : this.source(address);
    return line === undefined ? name : `${name ?? ''} (${shortPlace(line)})`.trimStart();
  }

  /** The last label of a program before an address, which is code or data after it; undefined if that is far off, or a number. */
  placeOf(address: bigint): { readonly name: string; readonly offset: bigint } | undefined {
    const at = Number(address);
    const place = this.#nearest(at);
    if (place === undefined) return undefined;
    const offset = address - BigInt(place.address);
    if (offset === 0n) return { name: place.name, offset };
    const entry = this.#entries.get(place.name);
    const isPlace = entry?.address === place.address && entry.isConstant !== true;
    return isPlace && offset <= defaultReach ? { name: place.name, offset } : undefined;
  }

  /** As `describe`, with the text of the line where it is known. */
  describeWithText(address: bigint): string | undefined {
    const text = this.source(address)?.text;
    const description = this.describe(address);
    return text === undefined ? description : description?.replace(/\)$/, `: ${text})`);
  }

  source(address: bigint): SourceLine | undefined {
    const at = Number(address);
    if (this.#isRom(at)) return undefined;
    for (const [source, lines] of this.#lines) {
      const found = lines.at(at);
      if (found === undefined) continue;
      const { file, line } = found;
      const text = this.#texts.line(source, file, line);
      return { file, line, ...(text !== undefined && { text }) };
    }
    return undefined;
  }

  /** The line that `main.s:41` stands for: itself, or the next one of its file that has code. */
  lineMeant(text: string): FileLine | undefined {
    return lineMeant(text, this.#lines);
  }

  /** Where its code begins. */
  lineAddress(text: string): bigint | undefined {
    const address = this.lineMeant(text)?.address;
    return address === undefined ? undefined : BigInt(address);
  }

  /** The same; a line of a file that nothing is known of is refused. */
  knownLineAddress(text: string): bigint | undefined {
    const address = this.lineAddress(text);
    if (address === undefined) refuseUnknownFile(text, this.#lines);
    return address;
  }

  /** Whether the code of a line of source begins at exactly this address. */
  beginsLine(address: number): boolean {
    for (const lines of this.#lines.values()) {
      const found = lines.at(address);
      if (found !== undefined) return found.address === address;
    }
    return false;
  }

  /** Functions and variables of all programs. */
  get scopes(): readonly FileScope[] {
    return [...this.#scopes.values()].flat();
  }

  addRom(names: Readonly<Record<string, number>>): void {
    for (const [name, address] of Object.entries(names)) this.#rom.set(name, address);
    this.#sorted = undefined;
  }

  /**
   * Everything that a file, or an assembled source, tells; replaces what was known from it before. The answer: for how many of its
   * annotations there was no room.
   */
  load(
    source: string,
    symbols: readonly SourceSymbol[],
    lines: readonly FileLine[],
    { annotations = [], texts = new Map(), scopes = [] }: SourceNotes = {},
  ): number {
    this.unload(source);
    if (this.#lines.size >= mostSources || this.#entries.size + symbols.length > mostNames) {
      throw new MachineError(
        'LIMIT_REACHED',
        `There are ${this.#entries.size} names from ${this.#lines.size} sources; ${mostNames} and ${mostSources} are the limits.`,
        advice`Remove some first: ${call('symbols_load', { path: 'FILE', unload: true })}.`,
      );
    }
    for (const symbol of symbols) this.#entries.set(symbol.name, { ...symbol, source });
    this.#lines.set(source, new SourceLines(lines));
    this.#texts.load(source, texts);
    if (scopes.length > 0) this.#scopes.set(source, scopes);
    this.#sorted = undefined;
    return this.annotations.load(source, annotations);
  }

  /** Names and lines of all programs. */
  get program(): { readonly symbols: readonly SourceSymbol[]; readonly lines: readonly FileLine[] } {
    return {
      symbols: [...this.#entries.values()],
      lines: [...this.#lines.values()].flatMap((table) => table.all),
    };
  }

  /** How many names are gone with it; undefined if nothing came from there. */
  unload(source: string): number | undefined {
    if (!this.#lines.has(source)) return undefined;
    const names = this.#of(source);
    for (const { name } of names) this.#entries.delete(name);
    this.#lines.delete(source);
    this.#texts.unload(source);
    this.#scopes.delete(source);
    this.annotations.unload(source);
    this.#sorted = undefined;
    return names.length;
  }

  /** Another program lies in this range now: names for places in it go, and constants of sources that had any, but for those that are its own. */
  drop(first: number, last: number, isKept: (source: string) => boolean = () => false): number {
    const isInside = ({ address, isConstant, source }: Entry) =>
      !isConstant && address >= first && address <= last && !isKept(source);
    const gone = [...this.#entries.values()].filter(isInside);
    const sources = new Set(gone.map(({ source }) => source).filter((source) => source !== byHand));
    const constants = [...this.#entries.values()].filter((each) => each.isConstant && sources.has(each.source));
    for (const { name } of [...gone, ...constants]) this.#entries.delete(name);
    for (const [source, lines] of this.#lines) if (!isKept(source)) lines.drop(first, last);
    this.annotations.drop(first, last, isKept);
    for (const [source, scopes] of this.#scopes) {
      if (isKept(source)) continue;
      const isOther = ({ address, length }: FileScope) => length > 0 && address <= last && address + length > first;
      // Without its functions, the variables of a program mean nothing either.
      if (scopes.some(isOther)) this.#scopes.delete(source);
    }
    this.#sorted = undefined;
    return gone.length + constants.length;
  }

  /** What is known of programs, for a snapshot. */
  save(): SavedSymbols {
    const lines = [...this.#lines].map(([source, table]) => [source, [...table.all]] as const);
    const entries = [...this.#entries.values()];
    const [annotations, texts] = [this.annotations.save(), this.#texts.save()];
    return { entries, lines, annotations, texts, scopes: [...this.#scopes] };
  }

  /** Knows from now on what was known then. */
  restore({ entries, lines, annotations, texts, scopes }: SavedSymbols): void {
    this.#entries.clear();
    for (const entry of entries) this.#entries.set(entry.name, entry);
    this.#lines = new Map(lines.map(([source, table]) => [source, new SourceLines(table)]));
    this.#texts.restore(texts);
    this.#scopes = new Map(scopes);
    this.annotations.restore(annotations);
    this.#sorted = undefined;
  }

  /** What a source calls by a name below the zero page's end is a number, or a place of a word at most. */
  #isSmallNumber({ name, address }: Place): boolean {
    return address <= 0xff && this.#entries.get(name)?.isConstant === true;
  }

  /** Whether the lines of the place's program end before this address: what comes then is a library's, or another's. */
  #isBeyond(place: Place, address: number): boolean {
    let isOfLines = false;
    for (const lines of this.#lines.values()) {
      if (lines.at(address) !== undefined) return false;
      isOfLines ||= lines.at(place.address) !== undefined;
    }
    return isOfLines;
  }

  #of(source: string): readonly Entry[] {
    return [...this.#entries.values()].filter((entry) => entry.source === source);
  }

  #nearest(address: number): Place | undefined {
    this.#sorted ??= {
      // Of several names for one address places win over numbers, and later ones over earlier ones.
      own: inOrder(
        [...this.#entries.values()].sort((a, b) => Number(b.isConstant ?? false) - Number(a.isConstant ?? false)),
      ),
      rom: inOrder([...this.#rom].map(([name, at]) => ({ name, address: at }))),
    };
    const own = lastUpTo(this.#sorted.own, address);
    if (!this.#isRom(address)) return own && !this.#isRom(own.address) ? own : undefined;
    return own?.address === address ? own : lastUpTo(this.#sorted.rom, address);
  }
}

function shortPlace({ file, line }: SourceLine): string {
  return `${file.split(/[\\/]/).at(-1)}:${line}`;
}

function inOrder(places: readonly Place[]): readonly Place[] {
  return [...places].sort((a, b) => a.address - b.address);
}

function lastUpTo(places: readonly Place[], address: number): Place | undefined {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.address ?? 0) <= address) low = middle + 1;
    else high = middle;
  }
  return places[low - 1];
}
