import { assemble } from '../../../formats/commodore/assembler/assemble.ts';
import type { AssemblyProblem } from '../../../formats/commodore/assembler/assembly.ts';
import { type TokeniseResult, tokenise } from '../../../formats/commodore/basic/tokenise.ts';
import type { Annotation } from '../../../formats/commodore/symbols/annotation.ts';
import { readSymbols } from '../../../formats/commodore/symbols/read-symbols.ts';
import { scanAnnotations } from '../../../formats/commodore/symbols/scan-annotations.ts';
import type {
  FileBreakpoint,
  FileLine,
  FileScope,
  FileSymbol,
  ListedLine,
  SymbolFile,
} from '../../../formats/commodore/symbols/symbol-file.ts';
import type { SourceSymbol } from '../symbols/commodore-symbols.ts';
import { type PackedLines, packLines, unpackLines } from './packed-lines.ts';

/** What is wanted of an assembled program. */
export interface AssembledProgram {
  readonly origin: number;
  readonly bytes: Uint8Array;
  readonly symbols: readonly SourceSymbol[];
  readonly lines: PackedLines;
  readonly annotations: readonly Annotation[];
  readonly breakpoints: readonly FileBreakpoint[];
  readonly errors: readonly AssemblyProblem[];
  readonly warnings: readonly AssemblyProblem[];
}

export interface AssembleJob {
  readonly source: string;
  readonly fileName: string;
  /** See `AssembleOptions`. */
  readonly mostEffort?: number;
}

/** What a file of symbols says, as far as a machine wants to know it. */
export interface ReadSymbols {
  readonly format: SymbolFile['format'];
  readonly symbols: readonly FileSymbol[];
  readonly lines: PackedLines;
  readonly listed: readonly ListedLine[];
  readonly annotations: readonly Annotation[];
  readonly breakpoints: readonly FileBreakpoint[];
  readonly scopes: readonly FileScope[];
}

export interface SymbolsJob {
  readonly text: string;
  readonly fileName: string;
}

/** A source file, and what is known of the program that was made of it. */
export interface AnnotationsJob {
  readonly text: string;
  readonly file: string;
  readonly symbols: readonly FileSymbol[];
  readonly lines: PackedLines;
}

const mostBreakpoints = 256;
/** One for every other byte of a C64. */
const mostSymbols = 32_768;
const mostLines = 65_536;
/** They are handed over one by one, and programs have some hundred. */
export const mostAnnotations = 10_000;
/** Of functions, and of variables in each. */
const mostScopes = 4096;
const mostVariables = 200;
const longestName = 100;
/** Of names of libraries in a function, and of places where each is used. */
const mostUsed = 500;
const mostUses = 3000;
const longestLine = 2000;
const shownChars = 200;

/** Everything that is read here and was written elsewhere: it may be meant to take for ever. */
export const jobs = {
  assemble({ source, fileName, mostEffort }: AssembleJob): AssembledProgram {
    const { origin, bytes, symbols, lines, annotations, breakpoints, errors, warnings } = assemble(source, {
      fileName,
      ...(mostEffort !== undefined && { mostEffort }),
    });
    return {
      origin,
      bytes,
      symbols: addressesIn(
        [...symbols.values()].map(({ name, value, kind }) => ({ name, address: value, isConstant: kind !== 'label' })),
      ),
      lines: linesIn(lines),
      annotations: annotationsOf(annotations),
      breakpoints: breakpointsIn(breakpoints),
      errors: errors.map(shortened),
      warnings: warnings.map(shortened),
    };
  },

  tokenise(text: string): TokeniseResult {
    const index = text.split(/\r\n|\r|\n/).findIndex(({ length }) => length > longestLine);
    if (index < 0) {
      const { errors, ...result } = tokenise(text);
      return { ...result, errors: errors.map(shortened) };
    }
    const message = `this line has more than ${longestLine} characters; a line of BASIC holds 80`;
    return { bytes: new Uint8Array(), letters: 'lower', errors: [{ line: index + 1, column: 1, message, text: '' }] };
  },

  symbols({ text, fileName }: SymbolsJob): ReadSymbols | undefined {
    const file = readSymbols(text, fileName);
    if (!file) return undefined;
    const { format, symbols, lines, annotations, listed = [], breakpoints = [], scopes = [] } = file;
    if (symbols.length > mostSymbols)
      throw new RangeError(`${symbols.length} symbols, and ${mostSymbols} is the limit`);
    if (listed.length > mostLines) throw new RangeError(`${listed.length} lines, and ${mostLines} is the limit`);
    return {
      format,
      symbols: addressesIn(symbols),
      lines: linesIn(lines),
      listed: listed.map((line) => ({
        ...line,
        file: line.file.slice(-shownChars),
        text: line.text.slice(0, longestLine),
      })),
      annotations: annotationsOf(annotations),
      breakpoints: breakpointsIn(breakpoints),
      scopes: scopesIn(scopes),
    };
  },

  annotations({ text, file, symbols, lines }: AnnotationsJob): readonly Annotation[] {
    return annotationsOf(scanAnnotations(text, file, { symbols, lines: unpackLines(lines) }));
  },
} as const;

function shortened<Problem extends { readonly text: string; readonly message: string }>(problem: Problem): Problem {
  return { ...problem, text: problem.text.slice(0, shownChars), message: problem.message.slice(0, 2 * shownChars) };
}

/** Constants may be fractions, and files may say anything. */
function addressesIn<Symbol extends SourceSymbol>(symbols: readonly Symbol[]): readonly Symbol[] {
  return symbols
    .filter(({ address }) => Number.isFinite(address))
    .slice(0, mostSymbols)
    .map((symbol) => ({ ...symbol, name: symbol.name.slice(0, shownChars), address: Math.trunc(symbol.address) }));
}

/** What has no sense in 64 KiB is left out. */
function scopesIn(scopes: readonly FileScope[]): readonly FileScope[] {
  const isPlace = (value: number) => Number.isInteger(value) && value >= 0 && value <= 0xffff;
  return scopes
    .filter(({ address, length }) => isPlace(address) && isPlace(length))
    .slice(0, mostScopes)
    .map(({ name, address, length, variables, uses }) => ({
      name: name.slice(0, shownChars),
      ...{ address, length },
      variables: variables
        .filter(({ place, at, bytes }) => {
          const isInside = place === 'memory' ? isPlace(at) : Number.isInteger(at) && Math.abs(at) <= 0x7fff;
          return isInside && (bytes === undefined || isPlace(bytes));
        })
        .slice(0, mostVariables)
        .map((each) => ({ ...each, name: each.name.slice(0, longestName) })),
      uses: uses.slice(0, mostUsed).map((each) => ({
        name: each.name.slice(0, longestName),
        at: each.at.filter(isPlace).slice(0, mostUses),
      })),
    }));
}

function annotationsOf(annotations: readonly Annotation[]): readonly Annotation[] {
  if (annotations.length > mostAnnotations) {
    throw new RangeError(`${annotations.length} annotations, and ${mostAnnotations} is the limit`);
  }
  const isPlace = (address: number) => (address | 0) === address && address >= 0 && address <= 0xffff;
  return annotations.map(({ type, description, file, line, label, address }) => ({
    type: type.slice(0, shownChars),
    description: description.slice(0, longestLine),
    file: file.slice(-shownChars),
    line,
    ...(label !== undefined && { label: label.slice(0, shownChars) }),
    ...(address !== undefined && isPlace(address) && { address }),
  }));
}

function breakpointsIn(breakpoints: readonly FileBreakpoint[]): readonly FileBreakpoint[] {
  const inMemory = breakpoints.filter(
    ({ address, length }) => address >= 0 && length >= 1 && address + length <= 0x10000,
  );
  if (inMemory.length <= mostBreakpoints) return inMemory;
  throw new RangeError(`${inMemory.length} breakpoints, and ${mostBreakpoints} is the limit`);
}

function linesIn(lines: readonly FileLine[]): PackedLines {
  const isNumber = (number: number) => (number | 0) === number;
  const usable = lines.filter(({ address, length, line }) => [address, length, line].every(isNumber));
  if (usable.length > mostLines) throw new RangeError(`${usable.length} lines, and ${mostLines} is the limit`);
  return packLines(usable.map((line) => ({ ...line, file: line.file.slice(-shownChars) })));
}
