import { type Annotation, annotationTypes } from '../../../formats/commodore/symbols/annotation.ts';
import { numberLines } from '../../../formats/commodore/symbols/number-lines.ts';
import type { FileLine, FileScope } from '../../../formats/commodore/symbols/symbol-file.ts';
import { ElfFile } from '../../../formats/elf/elf.ts';
import { hexWord } from '../../../formats/hex.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { Host } from '../../../machine/host.ts';
import type { LoadedSymbols, SymbolFile, SymbolsCapability } from '../../../machine/symbols.ts';
import type { CommodoreSymbols } from '../symbols/commodore-symbols.ts';
import { readElfProgram } from '../symbols/read-elf-program.ts';
import { readSymbolsSafely, scanAnnotationsSafely } from '../workshop/read-safely.ts';
import type { BreakpointLabels } from './breakpoint-labels.ts';
import { readSources } from './source-files.ts';

const mostFiles = 5;
/** As of the other formats. */
const mostSymbols = 32_768;
const sourceNames = /\.(?:asm|s|a|a65|src|inc|tas|kick|c|h|cc|cpp)$/i;
/** Its own limit of time is short. */
const noSignal = new AbortController().signal;

/** Names from the label and debug files that assemblers write. */
export class CommodoreSymbolFiles implements SymbolsCapability {
  readonly formats = [
    'VICE labels (al C:c000 .name; also of ld65, KickAssembler, 64tass)',
    'ld65 --dbgfile',
    'KickAssembler .sym and .dbg',
    'ACME and 64tass lists (name = $c000)',
    'ACME --report, 64tass --list',
    '64tass --dump-labels',
    'xa -l',
    'Oscar64 .dbj',
    'ELF of llvm-mos',
    'frontpanel JSON',
    'sources, for their @mcp- annotations',
  ];
  readonly mostBytes = 64 * 1024 * 1024;
  readonly #table: CommodoreSymbols;
  readonly #host: Pick<Host, 'files'>;

  readonly #labels: BreakpointLabels;
  readonly #now: () => number;
  readonly #loadedAt = new Map<string, number>();

  /** `host`: the way to the sources that debug files name. `now`: the machine's time. */
  constructor(table: CommodoreSymbols, labels: BreakpointLabels, host: Pick<Host, 'files'>, now = () => 0) {
    this.#now = now;
    this.#table = table;
    this.#labels = labels;
    this.#host = host;
  }

  get sources(): CommodoreSymbols['sources'] {
    return this.#table.sources;
  }

  async load({ name, bytes }: SymbolFile, offset: bigint): Promise<LoadedSymbols> {
    const text = ElfFile.isElf(bytes) ? '' : new TextDecoder().decode(bytes);
    if (sourceNames.test(name) && text.includes('@mcp-')) return this.#loadSource(name, text);
    const file = await parsed(name, () => (text === '' ? elfProgram(bytes) : readSymbolsSafely(text, name, noSignal)));
    const by = Number(offset);
    const symbols = file.symbols.map((symbol) => ({ ...symbol, address: symbol.address + by }));
    const inside = symbols.filter(isInMemory);
    const outside = symbols.filter((symbol) => !isInMemory(symbol));
    const known = inside.flatMap((symbol) => {
      const before = this.#table.ownAddress(symbol.name);
      const hasMoved = before !== undefined && before !== BigInt(symbol.address);
      return hasMoved ? [{ name: `${symbol.name} from ${hexWord(before)}` }] : [];
    });
    const named = [...file.lines, ...file.listed, ...inside].flatMap(({ file: source }) =>
      source === undefined ? [] : [source],
    );
    const texts = await readSources(name, named, this.#host.files);
    const numbered = [...file.lines, ...numberLines(file.listed, texts)];
    const moved = by === 0 ? numbered : numbered.map((line) => ({ ...line, address: line.address + by }));
    const lines = moved.filter(isInMemory);
    const annotations = [
      ...file.annotations.map((each) => movedBy(each, by)),
      ...(await annotationsIn(texts, { symbols: inside, lines })),
    ];
    let left = 0;
    const followed = await this.#labels.following(() => {
      this.#loadedAt.set(name, this.#now());
      left = this.#table.load(name, inside, lines, { annotations, texts, scopes: movedScopes(file.scopes, by) });
    });
    const stated = file.breakpoints.map((each) => ({ ...each, address: each.address + by }));
    return {
      format: file.format,
      added: inside.length,
      notes: [
        ...linesNote(lines),
        ...(numbered.length === 0 && file.listed.length > 0
          ? ['its lines have no numbers, and the sources that would tell them cannot be read']
          : []),
        ...annotationNotes(annotations, left),
        ...followed,
        ...(await this.#labels.take(name, stated)),
        ...(known.length > 0 ? [`${counted(known, 'name')} moved: ${listed(known)}`] : []),
        ...(outside.length > 0 ? [`left out, since outside $0000-$FFFF: ${listed(outside)}`] : []),
      ],
    };
  }

  /** When a file was loaded; undefined if no names are known from one of this name. */
  loadedAt(name: string): number | undefined {
    return this.#loadedAt.get(name);
  }

  /** What it was assembled to is known already, or will never be. */
  async #loadSource(name: string, text: string): Promise<LoadedSymbols> {
    const texts = new Map([[name, text]]);
    const annotations = await annotationsIn(texts, this.#table.program);
    const left = this.#table.load(name, [], [], { annotations, texts });
    const nowhere = annotations.filter(({ address }) => address === undefined).length;
    return {
      format: 'source',
      added: 0,
      notes: [
        ...annotationNotes(annotations, left),
        ...(nowhere > 0
          ? [`${nowhere} without an address: load the program's labels or debug file first, then this again`]
          : []),
      ],
    };
  }

  async unload(name: string): Promise<number> {
    this.#loadedAt.delete(name);
    const gone = this.#table.unload(name);
    if (gone !== undefined) return gone;
    const names = this.sources.map((source) => source.name).join(', ');
    const fix = names ? `There are: ${names}.` : 'Nothing has been loaded.';
    throw new MachineError('NOT_FOUND', `No names are known from ${name.slice(0, 200)}.`, fix);
  }
}

async function annotationsIn(
  texts: ReadonlyMap<string, string>,
  program: CommodoreSymbols['program'],
): Promise<readonly Annotation[]> {
  const found: (readonly Annotation[])[] = [];
  for (const [file, text] of texts) found.push(await scanAnnotationsSafely(text, file, program, noSignal));
  return found.flat();
}

function movedScopes(scopes: readonly FileScope[], by: number): readonly FileScope[] {
  if (by === 0) return scopes;
  return scopes
    .map(({ name, address, length, variables, uses }) => ({
      ...{ name, address: name === '' ? 0 : address + by, length },
      variables: variables
        .map((each) => (each.place === 'memory' ? { ...each, at: each.at + by } : each))
        .filter(({ place, at }) => place !== 'memory' || isInMemory({ address: at })),
      uses: uses.map(({ name: used, at }) => ({
        name: used,
        at: at.map((place) => place + by).filter((place) => isInMemory({ address: place })),
      })),
    }))
    .filter(isInMemory);
}

function movedBy({ address, ...rest }: Annotation, by: number): Annotation {
  return address === undefined ? rest : { ...rest, address: address + by };
}

/** How many there are, and what may be misspelt. */
export function annotationNotes(annotations: readonly Annotation[], left: number): readonly string[] {
  if (annotations.length === 0) return [];
  const known: readonly string[] = annotationTypes;
  const unknown = [...new Set(annotations.map(({ type }) => type))].filter((type) => !known.includes(type));
  return [
    `${counted(annotations, 'annotation')}${left > 0 ? `, ${left} left out: --max-annotations is reached` : ''}`,
    ...(unknown.length > 0 ? [`of unknown type: ${unknown.slice(0, 5).join(', ')}`] : []),
  ];
}

function isInMemory({ address }: { readonly address: number }): boolean {
  return address >= 0 && address <= 0xffff;
}

type ReadFile = NonNullable<Awaited<ReturnType<typeof readSymbolsSafely>>>;

async function parsed(
  name: string,
  read: () => Promise<ReadFile | ElfProgram | undefined>,
): Promise<ReadFile | ElfProgram> {
  const help =
    'Give a VICE label file, an ld65 --dbgfile, a KickAssembler .sym or .dbg, a list or listing of ACME, 64tass or xa, a .dbj of ' +
    'Oscar64, an ELF file of llvm-mos, or our JSON.';
  try {
    const file = await read();
    if (file !== undefined && file.symbols.length + file.lines.length > 0) return file;
  } catch (problem) {
    if (problem instanceof MachineError) throw problem;
    const why = problem instanceof Error ? problem.message : String(problem);
    throw new MachineError('INVALID_ARGUMENT', `${name}: ${why}.`, help);
  }
  throw new MachineError('INVALID_ARGUMENT', `No symbols were found in ${name}.`, help);
}

type ElfProgram = Omit<ReadFile, 'format'> & { readonly format: 'elf' };

async function elfProgram(bytes: Uint8Array): Promise<ElfProgram> {
  const { symbols, lines } = await readElfProgram(bytes);
  if (symbols.length > mostSymbols) throw new RangeError(`${symbols.length} symbols, and ${mostSymbols} is the limit`);
  return { format: 'elf', symbols, lines, listed: [], annotations: [], breakpoints: [], scopes: [] };
}

/** With an example, since a line is an address as well. */
function linesNote(lines: readonly FileLine[]): readonly string[] {
  const best = lines.find(({ isHigh, length }) => isHigh && length > 0) ?? lines.find(({ length }) => length > 0);
  if (!best) return [];
  const files = [...new Set([best.file, ...lines.map(({ file }) => file)])];
  const more = files.length > mostFiles ? ` and ${files.length - mostFiles} more` : '';
  const example = `${best.file.split(/[\\/]/).at(-1)}:${best.line}`;
  return [`lines of ${files.slice(0, mostFiles).join(', ')}${more}; ${example} is an address`];
}

function counted({ length }: readonly unknown[], word: string): string {
  return `${length} ${word}${length === 1 ? '' : 's'}`;
}

function listed(symbols: readonly { readonly name: string }[]): string {
  const names = symbols.slice(0, 5).map(({ name }) => name);
  return `${names.join(', ')}${symbols.length > 5 ? ' …' : ''}`;
}
