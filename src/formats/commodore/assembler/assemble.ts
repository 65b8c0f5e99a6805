import { hexWord } from '../../hex.ts';
import { Assembler } from './assembler.ts';
import type { AssembleOptions, AssemblyResult, AssemblySymbol } from './assembly.ts';
import { Diagnostics } from './diagnostics.ts';
import { imageOf, linesOf } from './output.ts';

const mostPasses = 40;

/**
 * Assembles 6502 source. It never throws for what is wrong in the source: `errors` says what and where. Passes go on until no
 * symbol changes, so forward references to the zero page get short addresses.
 */
export function assemble(source: string, options: AssembleOptions = {}): AssemblyResult {
  const syntax = new Diagnostics();
  const errors = new Diagnostics();
  const warnings = new Diagnostics();
  const assembler = new Assembler(options, syntax, errors, warnings);
  let passes = 0;
  do {
    errors.clear();
    warnings.clear();
    assembler.run(source);
    passes++;
  } while (assembler.symbols.changed && !assembler.gaveUp && passes < mostPasses);

  const first = { file: options.fileName ?? 'source', number: 1, text: source.split('\n', 1)[0] ?? '' };
  if (assembler.symbols.changed && !assembler.gaveUp)
    errors.add(first, 1, `addresses do not settle after ${passes} passes: a symbol depends on itself`);
  const segments = assembler.output.segments();
  const { origin, bytes, overlaps } = imageOf(segments);
  for (const [lower, upper] of overlaps) {
    const end = lower.address + lower.bytes.length - 1;
    warnings.add(
      first,
      1,
      `the segment at ${hexWord(upper.address)} lies over the one at ${hexWord(lower.address)}-${hexWord(end)}`,
    );
  }
  const listing = assembler.output.listing();
  const symbols = new Map<string, AssemblySymbol>();
  for (const symbol of assembler.symbols.all()) symbols.set(symbol.name, symbol);
  return {
    origin,
    bytes,
    segments,
    symbols,
    listing,
    annotations: assembler.annotations.found,
    breakpoints: assembler.output.breakpoints,
    lines: linesOf(listing),
    errors: [...syntax.list, ...errors.list].slice(0, 20),
    warnings: warnings.list,
    passes,
  };
}
