import type { SymbolTable } from '../../../../machine/addresses.ts';
import { MachineError } from '../../../../machine/errors.ts';
import type { LoadedSymbols, SymbolFile, SymbolsCapability } from '../../../../machine/symbols.ts';
import { readSymbolsSafely } from '../../workshop/read-safely.ts';

/** Its own limit of time is short. */
const noSignal = new AbortController().signal;

/** Names from the label and debug files that assemblers write. */
export class C64Symbols implements SymbolsCapability {
  readonly formats = [
    'VICE labels (al C:c000 .name; also of ld65, KickAssembler, 64tass)',
    'ld65 --dbgfile',
    'KickAssembler .sym',
    'ACME and 64tass lists (name = $c000)',
    'frontpanel JSON',
  ];
  readonly #table: SymbolTable;

  constructor(table: SymbolTable) {
    this.#table = table;
  }

  async load({ name, bytes }: SymbolFile, offset: bigint): Promise<LoadedSymbols> {
    const file = await parsed(name, new TextDecoder().decode(bytes));
    const moved = file.symbols.map(([symbol, address]) => [symbol, BigInt(address) + offset] as const);
    const outside = moved.filter(([, address]) => address < 0n || address > 0xffffn);
    const inside = moved.filter(([, address]) => address >= 0n && address <= 0xffffn);
    const known = inside.filter(([symbol, address]) => {
      const before = this.#table.address(symbol);
      return before !== undefined && before !== address;
    });
    this.#table.add(inside);
    return {
      format: file.format,
      added: inside.length,
      notes: [
        ...sourcesNote(file.sources),
        ...(known.length > 0 ? [`${known.length} names moved: ${listed(known)}`] : []),
        ...(outside.length > 0
          ? [`${outside.length} lie outside $0000-$FFFF and were left out: ${listed(outside)}`]
          : []),
      ],
    };
  }
}

async function parsed(name: string, text: string) {
  const help = 'Give a VICE label file, an ld65 --dbgfile, a KickAssembler .sym, an ACME or 64tass list, or our JSON.';
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

function sourcesNote(files: readonly string[]): readonly string[] {
  const names = [...new Set(files)];
  return names.length === 0 ? [] : [`lines of ${names.slice(0, 10).join(', ')}`];
}

function listed(symbols: readonly (readonly [string, bigint])[]): string {
  const names = symbols.slice(0, 5).map(([name]) => name);
  return `${names.join(', ')}${symbols.length > 5 ? ' …' : ''}`;
}
