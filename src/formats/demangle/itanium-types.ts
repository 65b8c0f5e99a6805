import { changed, type ItaniumReader, listed, type Piece, plain, textOf } from './itanium-reader.ts';
import { builtinTypes, moreBuiltinTypes } from './itanium-words.ts';
import { NotMangled } from './mangled-text.ts';

const qualifierWords: Readonly<Record<string, string>> = { r: ' __restrict', V: ' volatile', K: ' const' };

export function readType(reader: ItaniumReader): Piece {
  return reader.source.nested(() => type(reader));
}

/** Types up to the end of the list: `v` alone means none. */
export function readParameters(reader: ItaniumReader, isEnd: () => boolean): string {
  const pieces: Piece[] = [];
  do pieces.push(readType(reader));
  while (!isEnd());
  const text = listed(pieces);
  return text === 'void' && pieces.length === 1 ? '()' : `(${text})`;
}

/** `rVK` in the order in which they are written after a type. */
export function readQualifiers(reader: ItaniumReader): string {
  const letters = reader.source.match(/r?V?K?/y);
  return [...letters]
    .reverse()
    .map((letter) => qualifierWords[letter])
    .join('');
}

function type(reader: ItaniumReader): Piece {
  const { source } = reader;
  const letter = source.peek();
  const builtin = builtinTypes[letter];
  if (builtin !== undefined) {
    source.next();
    return plain(builtin);
  }
  if (letter === 'u') {
    source.next();
    return reader.remember(plain(source.chars(source.decimal())));
  }
  if (letter === 'D') {
    const more = moreBuiltinTypes[source.peek(1)];
    if (more !== undefined) {
      source.at += 2;
      return plain(more);
    }
    const bits = source.match(/DF\d+_/y);
    if (bits !== '') return plain(`_Float${bits.slice(2, -1)}`);
  }
  if (letter === 'S' && source.peek(1) !== 't') return substituted(reader);
  return reader.remember(compound(reader));
}

/** A template that was seen before gets other arguments, and is another type then. */
function substituted(reader: ItaniumReader): Piece {
  const start = reader.source.at;
  const piece = reader.substitution();
  if (reader.source.peek() !== 'I') return piece;
  reader.source.at = start;
  return reader.remember(reader.grammar.typeName(reader));
}

function compound(reader: ItaniumReader): Piece {
  const { source } = reader;
  switch (source.peek()) {
    case 'r':
    case 'V':
    case 'K':
      return qualified(reader);
    case 'P':
      source.next();
      return pointing(readType(reader), '*');
    case 'R':
      source.next();
      return pointing(readType(reader), '&');
    case 'O':
      source.next();
      return pointing(readType(reader), '&&');
    case 'C':
      source.next();
      return plain(`${textOf(readType(reader))} _Complex`);
    case 'G':
      source.next();
      return plain(`${textOf(readType(reader))} _Imaginary`);
    case 'F':
      return functionType(reader, '');
    case 'A':
      return arrayType(reader);
    case 'M':
      return memberType(reader);
    case 'U':
      return vendorQualified(reader);
    case 'T':
      return /[sue]/.test(source.peek(1)) ? elaborated(reader) : parameterType(reader);
    case 'D':
      return extended(reader);
    default:
      return reader.grammar.typeName(reader);
  }
}

function qualified(reader: ItaniumReader): Piece {
  const words = readQualifiers(reader);
  // Those of a function type are those of the object it is called on, and belong to that type.
  if (/F|D[oOw]/y.test(reader.source.text.slice(reader.source.at, reader.source.at + 2))) {
    const called = compound(reader);
    return changed(called, { right: `${called.right}${words}` });
  }
  const inner = readType(reader);
  if (inner.shape === 'function') return changed(inner, { right: `${inner.right}${words}` });
  const { left } = inner;
  return changed(inner, { left: left.endsWith(words) ? left : `${left}${words}` });
}

function pointing(inner: Piece, sign: '*' | '&' | '&&'): Piece {
  if (inner.pack) throw new NotMangled('a pack that is not expanded');
  if (sign !== '*' && inner.reference) {
    // A reference to a reference is one: && only if both are.
    if (inner.reference === '&' || sign === '&&') return inner;
    return changed(inner, { left: inner.left.replace(/&&$/, '&'), reference: '&' });
  }
  const reference = sign === '*' ? {} : { reference: sign };
  if (inner.shape === undefined) return { left: `${inner.left}${sign}`, right: inner.right, ...reference };
  return { left: `${inner.left} (${sign}`, right: `)${inner.right}`, ...reference };
}

function functionType(reader: ItaniumReader, exception: string): Piece {
  const { source } = reader;
  source.expect('F');
  source.take('Y');
  const result = readType(reader);
  const isEnd = () => source.peek() === 'E' || (/[RO]/.test(source.peek()) && source.peek(1) === 'E');
  const parameters = readParameters(reader, isEnd);
  const reference = source.take('R') ? ' &' : source.take('O') ? ' &&' : '';
  source.expect('E');
  return {
    left: result.left,
    right: `${parameters}${reference}${exception}${result.right}`,
    shape: 'function',
  };
}

function arrayType(reader: ItaniumReader): Piece {
  const { source } = reader;
  source.expect('A');
  const size = source.match(/\d+/y) || (source.sees('_') ? '' : reader.grammar.expression(reader));
  source.expect('_');
  const element = readType(reader);
  return { left: element.left, right: ` [${size}]${element.right.trimStart()}`, shape: 'array' };
}

function memberType(reader: ItaniumReader): Piece {
  reader.source.expect('M');
  const owner = textOf(readType(reader));
  const member = readType(reader);
  if (member.shape === undefined) return { left: `${member.left} ${owner}::*`, right: member.right };
  return { left: `${member.left} (${owner}::*`, right: `)${member.right}` };
}

function vendorQualified(reader: ItaniumReader): Piece {
  const { source } = reader;
  source.expect('U');
  const word = source.chars(source.decimal());
  const inner = readType(reader);
  return changed(inner, { left: `${inner.left} ${word}` });
}

/** `struct X` where the name alone would mean something else. */
function elaborated(reader: ItaniumReader): Piece {
  reader.source.at += 2;
  return reader.grammar.typeName(reader);
}

function parameterType(reader: ItaniumReader): Piece {
  const start = reader.source.at;
  const piece = reader.templateParameter();
  if (reader.source.peek() !== 'I') return piece;
  reader.source.at = start;
  return reader.grammar.typeName(reader);
}

function extended(reader: ItaniumReader): Piece {
  const { source } = reader;
  source.expect('D');
  switch (source.next()) {
    case 'p':
      return expanded(reader, () => readType(reader));
    case 't':
    case 'T': {
      const expression = reader.grammar.expression(reader);
      source.expect('E');
      return plain(`decltype (${expression})`);
    }
    case 'o':
      return functionType(reader, ' noexcept');
    case 'O': {
      const expression = reader.grammar.expression(reader);
      source.expect('E');
      return functionType(reader, ` noexcept(${expression})`);
    }
    default:
      throw new NotMangled('no such type');
  }
}

/** A pattern written once for every element of the packs in it. */
export function expanded(reader: ItaniumReader, read: () => Piece): Piece {
  const { source } = reader;
  const [start, seen, outer] = [source.at, reader.seenCount, reader.expansion];
  const at = (index: number) => {
    source.at = start;
    reader.seenCount = seen;
    const expansion: { index: number; length: number | undefined } = { index, length: undefined };
    reader.expansion = expansion;
    const piece = read();
    reader.expansion = outer;
    return { piece, length: expansion.length };
  };
  const { piece: first, length } = at(0);
  if (length === undefined) return changed(first, { right: `${first.right}...` });
  if (length === 0) return { left: '', right: '', pack: [] };
  const pack = [first];
  for (let index = 1; index < length; index++) pack.push(at(index).piece);
  return { left: '', right: '', pack };
}
