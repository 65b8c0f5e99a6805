import { type ItaniumReader, listed, type Piece, plain, textOf } from './itanium-reader.ts';
import { readParameters, readQualifiers, readType } from './itanium-types.ts';
import { operators, specialNames } from './itanium-words.ts';
import { NotMangled } from './mangled-text.ts';

/** A name that was read, and what it says about the signature after it. */
export interface ReadName {
  readonly piece: Piece;
  /** Arguments at its end: the type of the result follows. */
  readonly isTemplate: boolean;
  /** Constructors, destructors and conversions have no result in their names. */
  readonly hasNoResult: boolean;
  /** ` const`, ` &` of a member function. */
  readonly suffix: string;
}

/** Whose template arguments are meant by `T_` afterwards: those of functions, not those of types. */
type Role = 'function' | 'type';

/** A function with its parameters, or a variable. */
export interface Encoding {
  readonly name: string;
  /** `(int) const`; empty for variables. */
  readonly parameters: string;
}

export function readEncoding(reader: ItaniumReader): Encoding {
  return reader.source.nested(() => encoding(reader));
}

function encoding(reader: ItaniumReader): Encoding {
  const { source } = reader;
  if (/[TG]/.test(source.peek())) return { name: readSpecial(reader), parameters: '' };
  const { piece, isTemplate, hasNoResult, suffix } = readName(reader, 'function');
  const name = textOf(piece);
  const isEnd = () => source.done || /[E.@]/.test(source.peek());
  if (isEnd()) return { name, parameters: '' };
  if (isTemplate && !hasNoResult) readType(reader);
  return { name, parameters: `${readParameters(reader, isEnd)}${suffix}` };
}

function readSpecial(reader: ItaniumReader): string {
  const { source } = reader;
  const code = source.chars(2);
  const special = specialNames[code];
  if (special) return `${special.words} ${special.of === 'type' ? textOf(readType(reader)) : written(reader)}`;
  switch (code) {
    case 'TC': {
      const whole = textOf(readType(reader));
      source.decimal();
      source.expect('_');
      return `construction vtable for ${textOf(readType(reader))}-in-${whole}`;
    }
    case 'Th':
    case 'Tv':
      source.at--;
      callOffset(reader);
      return `${code === 'Th' ? 'non-virtual' : 'virtual'} thunk to ${written(reader)}`;
    case 'Tc':
      callOffset(reader);
      callOffset(reader);
      return `covariant return thunk to ${written(reader)}`;
    case 'TA':
      return `template parameter object for ${readTemplateArgument(reader).left}`;
    case 'GR': {
      const name = textOf(readName(reader, 'function').piece);
      const digits = source.match(/[0-9A-Z]*/y);
      source.expect('_');
      return `reference temporary #${digits === '' ? 0 : Number.parseInt(digits, 36) + 1} for ${name}`;
    }
    case 'GT':
      source.next();
      return `transaction clone for ${written(reader)}`;
    default:
      throw new NotMangled('no special name');
  }
}

/** By how much a thunk moves the object. */
function callOffset({ source }: ItaniumReader): void {
  if (source.match(/h(?:n?\d+)_|v(?:n?\d+)_(?:n?\d+)_/y) === '') throw new NotMangled('no offset');
}

function written(reader: ItaniumReader): string {
  const { name, parameters } = readEncoding(reader);
  return `${name}${parameters}`;
}

export function readName(reader: ItaniumReader, role: Role): ReadName {
  return reader.source.nested(() => {
    if (reader.source.peek() === 'N') return nestedName(reader, role);
    if (reader.source.peek() === 'Z') return localName(reader, role);
    return unscopedName(reader, role);
  });
}

function unscopedName(reader: ItaniumReader, role: Role): ReadName {
  const { source } = reader;
  let piece: Piece;
  let hasNoResult = false;
  if (source.peek() === 'S' && source.peek(1) !== 't') piece = reader.substitution();
  else if (source.peek() === 'T') piece = reader.templateParameter();
  else {
    const prefix = source.take('St') ? 'std::' : '';
    const own = unqualifiedName(reader, undefined);
    hasNoResult = own.hasNoResult;
    piece = plain(`${prefix}${own.text}`, own.base);
    if (source.peek() === 'I') reader.remember(piece);
  }
  if (source.peek() !== 'I') return { piece, isTemplate: false, hasNoResult, suffix: '' };
  return { piece: withArguments(reader, piece, role), isTemplate: true, hasNoResult, suffix: '' };
}

function nestedName(reader: ItaniumReader, role: Role): ReadName {
  const { source } = reader;
  source.expect('N');
  const qualifiers = readQualifiers(reader);
  const reference = source.take('R') ? ' &' : source.take('O') ? ' &&' : '';
  let piece: Piece | undefined;
  let [isTemplate, hasNoResult] = [false, false];
  while (!source.take('E')) {
    // Only what is not the whole name is remembered here.
    let fresh = true;
    if (source.peek() === 'I' && piece) {
      piece = withArguments(reader, piece, role);
      isTemplate = true;
    } else {
      isTemplate = false;
      if (source.peek() === 'S' && source.peek(1) !== 't') {
        piece = reader.substitution();
        fresh = false;
      } else if (source.peek() === 'S') {
        source.at += 2;
        piece = plain('std', 'std');
        fresh = false;
      } else if (source.peek() === 'T') piece = reader.templateParameter();
      else if (/^D[tT]/.test(source.text.slice(source.at, source.at + 2))) piece = readType(reader);
      else {
        const own = unqualifiedName(reader, piece?.base);
        hasNoResult = own.hasNoResult;
        piece = plain(source.bounded(piece ? `${textOf(piece)}::${own.text}` : own.text), own.base);
      }
    }
    source.take('M');
    if (fresh && source.peek() !== 'E') reader.remember(piece);
  }
  if (!piece) throw new NotMangled('an empty name');
  return { piece, isTemplate, hasNoResult, suffix: `${qualifiers}${reference}` };
}

/** Something inside a function. */
function localName(reader: ItaniumReader, role: Role): ReadName {
  const { source } = reader;
  source.expect('Z');
  const outer = role === 'function' ? written(reader) : reader.aside(() => written(reader));
  source.expect('E');
  if (source.take('s')) {
    discriminator(reader);
    return { piece: plain(`${outer}::string literal`), isTemplate: false, hasNoResult: false, suffix: '' };
  }
  let place = '';
  if (source.take('d')) {
    const digits = source.match(/\d*/y);
    source.expect('_');
    place = `{default arg#${digits === '' ? 1 : Number(digits) + 2}}::`;
  }
  const inner = readName(reader, role);
  discriminator(reader);
  const piece = plain(source.bounded(`${outer}::${place}${textOf(inner.piece)}`), inner.piece.base);
  return { ...inner, piece };
}

/** Tells names of the same function apart; not shown. */
function discriminator(reader: ItaniumReader): void {
  reader.source.match(/_(?:\d|_\d+_)/y);
}

function withArguments(reader: ItaniumReader, piece: Piece, role: Role): Piece {
  const { list, text } = readTemplateArguments(reader);
  if (role === 'function') reader.templateArguments = list;
  const name = textOf(piece);
  return plain(reader.source.bounded(`${name}${name.endsWith('<') ? ' ' : ''}${text}`), piece.base);
}

export function readTemplateArguments(reader: ItaniumReader): { readonly list: Piece[]; readonly text: string } {
  const { source } = reader;
  source.expect('I');
  const list: Piece[] = [];
  while (!source.take('E')) list.push(readTemplateArgument(reader));
  const inside = listed(list);
  // Two of them would be read as one sign.
  return { list, text: `<${inside}${inside.endsWith('>') ? ' >' : '>'}` };
}

function readTemplateArgument(reader: ItaniumReader): Piece {
  const { source } = reader;
  switch (source.peek()) {
    case 'L':
      return plain(reader.grammar.literal(reader));
    case 'X': {
      source.next();
      const expression = reader.grammar.expression(reader);
      source.expect('E');
      return plain(expression);
    }
    case 'J':
    case 'I': {
      source.next();
      const pack: Piece[] = [];
      while (!source.take('E')) pack.push(readTemplateArgument(reader));
      return { left: '', right: '', pack };
    }
    default:
      return readType(reader);
  }
}

interface OwnName {
  readonly text: string;
  readonly base: string;
  readonly hasNoResult: boolean;
}

/** One part of a name. `owner` is the last name before it, for constructors. */
export function unqualifiedName(reader: ItaniumReader, owner: string | undefined): OwnName {
  const { source } = reader;
  source.take('L');
  const own = (text: string, hasNoResult = false): OwnName => ({
    text: `${text}${abiTags(reader)}`,
    base: text,
    hasNoResult,
  });
  const letter = source.peek();
  if (/\d/.test(letter)) return own(readSourceName(reader));
  if (letter === 'C' || (letter === 'D' && /\d/.test(source.peek(1)))) {
    if (owner === undefined) throw new NotMangled('a constructor of nothing');
    source.next();
    const inherits = source.take('I');
    source.next();
    if (inherits) readType(reader);
    return own(`${letter === 'D' ? '~' : ''}${owner}`, true);
  }
  if (source.take('Ul')) {
    reader.inLambda++;
    const parameters = readParameters(reader, () => source.peek() === 'E');
    reader.inLambda--;
    source.expect('E');
    return own(`{lambda${parameters}#${ordinal(reader)}}`);
  }
  if (source.take('Ut')) return own(`{unnamed type#${ordinal(reader)}}`);
  if (source.take('DC')) {
    const names: string[] = [];
    while (!source.take('E')) names.push(readSourceName(reader));
    return own(`[${names.join(', ')}]`);
  }
  return operatorName(reader, own);
}

function operatorName(reader: ItaniumReader, own: (text: string, hasNoResult?: boolean) => OwnName): OwnName {
  const { source } = reader;
  const code = source.chars(2);
  if (code === 'cv') return own(`operator ${textOf(readType(reader))}`, true);
  if (code === 'li') return own(`operator"" ${readSourceName(reader)}`);
  const operator = operators[code];
  if (!operator) throw new NotMangled('no such operator');
  return own(`operator${operator.sign}`);
}

export function readSourceName(reader: ItaniumReader): string {
  const { source } = reader;
  const name = source.chars(source.decimal());
  return /^_GLOBAL_[._$]N/.test(name) ? '(anonymous namespace)' : name;
}

function abiTags(reader: ItaniumReader): string {
  let tags = '';
  while (reader.source.peek() === 'B') {
    reader.source.next();
    tags += `[abi:${readSourceName(reader)}]`;
  }
  return tags;
}

function ordinal(reader: ItaniumReader): number {
  const digits = reader.source.match(/\d*/y);
  reader.source.expect('_');
  return digits === '' ? 1 : Number(digits) + 2;
}
