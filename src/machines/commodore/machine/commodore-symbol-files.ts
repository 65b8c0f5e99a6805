import type { FileLine } from '../../../formats/commodore/symbols/symbol-file.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { LoadedSymbols, SymbolFile, SymbolsCapability } from '../../../machine/symbols.ts';
import type { CommodoreSymbols } from '../symbols/commodore-symbols.ts';
import { readSymbolsSafely } from '../workshop/read-safely.ts';

const mostFiles = 5;
/** Its own limit of time is short. */
const noSignal = new AbortController().signal;

/** Names from the label and debug files that assemblers write. */
export class CommodoreSymbolFiles implements SymbolsCapability {
  readonly formats = [
    'VICE labels (al C:c000 .name; also of ld65, KickAssembler, 64tass)',
    'ld65 --dbgfile',
    'KickAssembler .sym',
    'ACME and 64tass lists (name = $c000)',
    '64tass --dump-labels',
    'xa -l',
    'frontpanel JSON',
  ];
  readonly #table: CommodoreSymbols;

  constructor(table: CommodoreSymbols) {
    this.#table = table;
  }

  get sources(): CommodoreSymbols['sources'] {
    return this.#table.sources;
  }

  async load({ name, bytes }: SymbolFile, offset: bigint): Promise<LoadedSymbols> {
    const file = await parsed(name, new TextDecoder().decode(bytes));
    const by = Number(offset);
    const symbols = file.symbols.map((symbol) => ({ ...symbol, address: symbol.address + by }));
    const inside = symbols.filter(isInMemory);
    const outside = symbols.filter((symbol) => !isInMemory(symbol));
    const known = inside.filter((symbol) => {
      const before = this.#table.address(symbol.name);
      return before !== undefined && before !== BigInt(symbol.address);
    });
    const moved = by === 0 ? file.lines : file.lines.map((line) => ({ ...line, address: line.address + by }));
    const lines = moved.filter(isInMemory);
    this.#table.load(name, inside, lines);
    return {
      format: file.format,
      added: inside.length,
      notes: [
        ...linesNote(lines),
        ...(known.length > 0 ? [`${counted(known, 'name')} moved: ${listed(known)}`] : []),
        ...(outside.length > 0 ? [`left out, since outside of $0000-$FFFF: ${listed(outside)}`] : []),
      ],
    };
  }

  async unload(name: string): Promise<number> {
    const gone = this.#table.unload(name);
    if (gone !== undefined) return gone;
    const names = this.sources.map((source) => source.name).join(', ');
    const fix = names ? `There are: ${names}.` : 'Nothing has been loaded.';
    throw new MachineError('NOT_FOUND', `No names are known from ${name.slice(0, 200)}.`, fix);
  }
}

function isInMemory({ address }: { readonly address: number }): boolean {
  return address >= 0 && address <= 0xffff;
}

async function parsed(name: string, text: string) {
  const help =
    'Give a VICE label file, an ld65 --dbgfile, a KickAssembler .sym, an ACME, 64tass or xa list, or our JSON.';
  try {
    const file = await readSymbolsSafely(text, name, noSignal);
    if (file !== undefined && file.symbols.length > 0) return file;
  } catch (problem) {
    if (problem instanceof MachineError) throw problem;
    const why = problem instanceof Error ? problem.message : String(problem);
    throw new MachineError('INVALID_ARGUMENT', `${name}: ${why}.`, help);
  }
  throw new MachineError('INVALID_ARGUMENT', `No symbols were found in ${name}.`, help);
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
