import { readExpression, readLiteral } from './demangle/itanium-expressions.ts';
import { readEncoding, readName } from './demangle/itanium-names.ts';
import { type ItaniumGrammar, ItaniumReader } from './demangle/itanium-reader.ts';
import { NotMangled } from './demangle/mangled-text.ts';
import { rustLegacy } from './demangle/rust-legacy.ts';
import { rustV0 } from './demangle/rust-v0.ts';

/** A name as it is written in source. */
export interface Demangled {
  /** With parameters, without the type of the result: `std::vector<int>::size() const`. */
  readonly text: string;
  /** Without parameters: what somebody would write to mean the function. */
  readonly name: string;
}

const mangled = /^_{1,2}(?:Z|R(?=[A-Z]))/;
/** Parts of functions that the compiler split off or made copies of: `.cold`, `.isra.0`. */
const clone = /(?:\.[A-Za-z_]\w*(?:\.\d+)*|\.\d+)/g;

const grammar: ItaniumGrammar = {
  typeName: (reader) => readName(reader, 'type').piece,
  expression: readExpression,
  literal: readLiteral,
};

/** What a C++ or Rust compiler made this name of; undefined for others, and for what cannot be read. */
export function demangle(symbol: string): Demangled | undefined {
  const [start] = mangled.exec(symbol) ?? [];
  if (start === undefined) return undefined;
  try {
    return start.endsWith('R') ? rust(symbol, rustV0(symbol, start.length)) : zed(symbol, start.length);
  } catch (error) {
    if (error instanceof NotMangled) return undefined;
    throw error;
  }
}

/** The older Rust borrowed the marks of C++. */
function zed(symbol: string, at: number): Demangled | undefined {
  const older = rustLegacy(symbol, at);
  if (older) return rust(symbol, older);
  const reader = new ItaniumReader(symbol, at, grammar);
  const { name, parameters } = readEncoding(reader);
  const suffix = clonesOf(symbol.slice(reader.source.at));
  return suffix === undefined
    ? undefined
    : { text: shown(`${name}${parameters}${suffix}`), name: shown(`${name}${suffix}`) };
}

function rust(symbol: string, { name, end }: { readonly name: string; readonly end: number }): Demangled | undefined {
  const rest = symbol.slice(end);
  // Numbers that tell instances apart say nothing to anybody.
  const suffix = /^\.llvm\.\w+$/.test(rest) ? '' : clonesOf(rest);
  return suffix === undefined ? undefined : { text: shown(`${name}${suffix}`), name: shown(`${name}${suffix}`) };
}

function clonesOf(rest: string): string | undefined {
  const [, clones = '', version = ''] = /^([^@]*)(@.*)?$/.exec(rest) ?? [];
  const found = clones.match(clone) ?? [];
  if (found.join('') !== clones) return undefined;
  return `${found.map((each) => ` [clone ${each}]`).join('')}${version}`;
}

/** Identifiers may have any letters, but nothing that moves a cursor or turns the direction of text. */
function shown(text: string): string {
  return text.replaceAll(/[\p{C}\u2028\u2029]/gu, '?');
}
