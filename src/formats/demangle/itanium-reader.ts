import { abbreviations } from './itanium-words.ts';
import { MangledText, NotMangled } from './mangled-text.ts';

/**
 * Text of a type, a name or a value. A declarator goes between `left` and `right`, as in `int (*)[3]`; packs stand for
 * any number of pieces.
 */
export interface Piece {
  readonly left: string;
  readonly right: string;
  readonly shape?: 'function' | 'array';
  readonly reference?: '&' | '&&';
  /** The last name in it, without arguments: what its constructors are called. */
  readonly base?: string;
  readonly pack?: readonly Piece[];
  /** It is this template parameter and nothing else. */
  readonly parameter?: number;
}

export const plain = (left: string, base?: string): Piece => ({ left, right: '', ...(base !== undefined && { base }) });

/** Another piece made of this one. */
export function changed({ parameter: _, ...piece }: Piece, change: Partial<Piece>): Piece {
  return { ...piece, ...change };
}

export function textOf({ left, right, shape, pack }: Piece): string {
  if (pack) return listed(pack);
  return shape === 'function' ? `${left} ${right}` : `${left}${right}`;
}

/** Separated by commas; packs are part of the list. */
export function listed(pieces: readonly Piece[]): string {
  return flat(pieces).map(textOf).join(', ');
}

function flat(pieces: readonly Piece[]): Piece[] {
  return pieces.flatMap((piece) => (piece.pack ? flat(piece.pack) : [piece]));
}

/** What types and names have inside that is itself made of types and names. */
export interface ItaniumGrammar {
  typeName(reader: ItaniumReader): Piece;
  expression(reader: ItaniumReader): string;
  literal(reader: ItaniumReader): string;
}

/** A name on its way through the reader: what was seen before can be pointed at. */
export class ItaniumReader {
  readonly source: MangledText;
  readonly grammar: ItaniumGrammar;
  /** What `T_`, `T0_` … mean in the signature. */
  templateArguments: readonly Piece[] | undefined;
  /** Parameters of a lambda whose types are made up on the spot. */
  inLambda = 0;
  /** The element of packs that is written now, while an expansion is read. */
  expansion: { readonly index: number; length: number | undefined } | undefined;
  #seen: Piece[] = [];

  constructor(text: string, at: number, grammar: ItaniumGrammar) {
    this.source = new MangledText(text, at);
    this.grammar = grammar;
  }

  remember(piece: Piece): Piece {
    this.source.bounded(textOf(piece));
    this.#seen.push(piece);
    return piece;
  }

  /** How much has been seen; reading the same text again begins with that. */
  get seenCount(): number {
    return this.#seen.length;
  }

  set seenCount(count: number) {
    this.#seen.length = Math.min(count, this.#seen.length);
  }

  /** `S_`, `S0_`, `SA_` …, or an abbreviation; `St` is none of them. */
  substitution(): Piece {
    const { source } = this;
    source.expect('S');
    const short = abbreviations[source.peek()];
    if (short) {
      source.next();
      // The whole name is only told where the constructor is called by it.
      const wanted = /[CD][0-9]/y;
      wanted.lastIndex = source.at;
      return plain(short.whole !== undefined && wanted.test(source.text) ? short.whole : short.text, short.base);
    }
    const found = this.#seen[this.#sequence()];
    if (!found) throw new NotMangled('it points at nothing');
    // It may have been seen in another function, whose arguments were others.
    return found.parameter === undefined ? found : this.#argument(found.parameter);
  }

  /** `T_`, `T0_` … */
  templateParameter(): Piece {
    const { source } = this;
    source.expect('T');
    const index = source.sees('_') ? 0 : source.decimal() + 1;
    source.expect('_');
    if (this.inLambda > 0) return plain(`auto:${index + 1}`);
    return this.#argument(index);
  }

  #argument(parameter: number): Piece {
    const argument = this.templateArguments?.[parameter];
    if (!argument) throw new NotMangled('no such template argument');
    if (!argument.pack || !this.expansion) return { ...argument, parameter };
    this.expansion.length = argument.pack.length;
    return argument.pack[this.expansion.index] ?? plain('');
  }

  /** A function that is named inside the arguments of another has template arguments of its own. */
  aside<T>(read: () => T): T {
    const outer = this.templateArguments;
    try {
      return read();
    } finally {
      this.templateArguments = outer;
    }
  }

  /** `_` is 0, `0_` is 1, `Z_` is 36. */
  #sequence(): number {
    const digits = this.source.match(/[0-9A-Z]{0,6}/y);
    this.source.expect('_');
    return digits === '' ? 0 : Number.parseInt(digits, 36) + 1;
  }
}
