import { readEncoding, readSourceName, readTemplateArguments, unqualifiedName } from './itanium-names.ts';
import { type ItaniumReader, listed, type Piece, plain, textOf } from './itanium-reader.ts';
import { expanded, readQualifiers, readType } from './itanium-types.ts';
import { builtinTypes, literalSuffixes, operators } from './itanium-words.ts';
import { NotMangled } from './mangled-text.ts';

const casts: Readonly<Record<string, string>> = {
  sc: 'static_cast',
  dc: 'dynamic_cast',
  cc: 'const_cast',
  rc: 'reinterpret_cast',
};
/** With a type, and with an expression. */
const questions: Readonly<Record<string, { readonly word: string; readonly ofType: boolean }>> = {
  st: { word: 'sizeof ', ofType: true },
  sz: { word: 'sizeof ', ofType: false },
  at: { word: 'alignof ', ofType: true },
  az: { word: 'alignof ', ofType: false },
  ti: { word: 'typeid ', ofType: true },
  te: { word: 'typeid ', ofType: false },
  nx: { word: 'noexcept ', ofType: false },
};

/** What stands in the arguments of templates and in `decltype`. */
export function readExpression(reader: ItaniumReader): string {
  return reader.source.nested(() => reader.source.bounded(expression(reader)));
}

/** `L…E`: a number, a truth value, or the address of something. */
export function readLiteral(reader: ItaniumReader): string {
  const { source } = reader;
  source.expect('L');
  if (source.take('_Z') || source.take('Z')) {
    const { name, parameters } = reader.aside(() => readEncoding(reader));
    source.expect('E');
    return `${name}${parameters}`;
  }
  const letter = source.peek();
  const type = textOf(readType(reader));
  const digits = source.match(/n?[0-9a-f]*/y).replace('n', '-');
  source.expect('E');
  if (letter === 'b') return digits === '0' ? 'false' : 'true';
  if (letter === 'i') return digits;
  const suffix = literalSuffixes[letter];
  if (suffix !== undefined) return `${digits}${suffix}`;
  return digits === '' ? type : `(${type})${/[fdeg]/.test(letter) && builtinTypes[letter] ? `[${digits}]` : digits}`;
}

function expression(reader: ItaniumReader): string {
  const { source } = reader;
  const letter = source.peek();
  if (letter === 'L') return readLiteral(reader);
  if (letter === 'T') return textOf(reader.templateParameter());
  if (/\d/.test(letter)) return simpleName(reader);
  const global = source.take('gs') ? '::' : '';
  const code = source.chars(2);
  const operator = operators[code];
  if (operator?.operands === 1) {
    source.take('_');
    return `${operator.sign}(${readExpression(reader)})`;
  }
  if (operator?.operands === 2) {
    const [first, second] = [readExpression(reader), readExpression(reader)];
    return code === 'gt' ? `((${first})>(${second}))` : `(${first})${operator.sign}(${second})`;
  }
  const cast = casts[code];
  if (cast !== undefined) return `${cast}<${textOf(readType(reader))}>(${readExpression(reader)})`;
  const question = questions[code];
  if (question) return `${question.word}(${question.ofType ? textOf(readType(reader)) : readExpression(reader)})`;
  return global + special(reader, code);
}

function special(reader: ItaniumReader, code: string): string {
  const { source } = reader;
  switch (code) {
    case 'fp':
      return functionParameter(reader);
    case 'fL':
      source.decimal();
      source.expect('p');
      return functionParameter(reader);
    case 'sr':
      return scoped(reader);
    case 'cl': {
      const called = readExpression(reader);
      return `${called}(${untilEnd(reader)})`;
    }
    case 'cv': {
      const type = textOf(readType(reader));
      return source.take('_') ? `(${type})(${untilEnd(reader)})` : `(${type})(${readExpression(reader)})`;
    }
    case 'tl':
      return `${textOf(readType(reader))}{${untilEnd(reader)}}`;
    case 'il':
      return `{${untilEnd(reader)}}`;
    case 'dt':
      return `${readExpression(reader)}.${unresolved(reader)}`;
    case 'pt':
      return `${readExpression(reader)}->${unresolved(reader)}`;
    case 'ds':
      return `${readExpression(reader)}.*${readExpression(reader)}`;
    case 'ix':
      return `(${readExpression(reader)})[${readExpression(reader)}]`;
    case 'qu':
      return `(${readExpression(reader)})?(${readExpression(reader)}) : (${readExpression(reader)})`;
    case 'sp':
      return textOf(expanded(reader, () => plain(readExpression(reader))));
    case 'sZ':
      return `sizeof...(${source.peek() === 'T' ? textOf(reader.templateParameter()) : readExpression(reader)})`;
    case 'fl':
      return fold(reader, (sign, operand) => `(...${sign}(${operand}))`);
    case 'fr':
      return fold(reader, (sign, operand) => `((${operand})${sign}...)`);
    case 'on':
      return unqualifiedName(reader, undefined).text;
    case 'tr':
      return 'throw';
    case 'tw':
      return `throw ${readExpression(reader)}`;
    case 'nw': {
      untilUnderscore(reader);
      const type = textOf(readType(reader));
      if (source.take('E')) return `new ${type}`;
      source.expect('pi');
      return `new ${type}(${untilEnd(reader)})`;
    }
    default:
      throw new NotMangled('no such expression');
  }
}

function functionParameter(reader: ItaniumReader): string {
  const { source } = reader;
  readQualifiers(reader);
  if (source.take('T')) return 'this';
  const digits = source.match(/\d*/y);
  source.expect('_');
  return `{parm#${digits === '' ? 1 : Number(digits) + 2}}`;
}

function scoped(reader: ItaniumReader): string {
  const { source } = reader;
  const ofType = () => `${textOf(readType(reader))}::${unresolved(reader)}`;
  if (!/\d/.test(source.peek())) return ofType();
  const [start, seen] = [source.at, reader.seenCount];
  try {
    let scope = simpleName(reader);
    while (!source.take('E')) scope += `::${simpleName(reader)}`;
    return `${scope}::${unresolved(reader)}`;
  } catch (error) {
    if (!(error instanceof NotMangled)) throw error;
    // GCC leaves the end of the scope out where it is one name.
    source.at = start;
    reader.seenCount = seen;
    return ofType();
  }
}

function unresolved(reader: ItaniumReader): string {
  const { source } = reader;
  if (/\d/.test(source.peek())) return simpleName(reader);
  if (source.take('dn')) return `~${/\d/.test(source.peek()) ? simpleName(reader) : textOf(readType(reader))}`;
  source.take('on');
  const { text } = unqualifiedName(reader, undefined);
  return source.peek() === 'I' ? `${text}${readTemplateArguments(reader).text}` : text;
}

function simpleName(reader: ItaniumReader): string {
  const name = readSourceName(reader);
  return reader.source.peek() === 'I' ? `${name}${readTemplateArguments(reader).text}` : name;
}

function fold(reader: ItaniumReader, write: (sign: string, operand: string) => string): string {
  const operator = operators[reader.source.chars(2)];
  if (!operator) throw new NotMangled('no such operator');
  return write(operator.sign, readExpression(reader));
}

function untilEnd(reader: ItaniumReader): string {
  const list: Piece[] = [];
  while (!reader.source.take('E')) list.push(plain(readExpression(reader)));
  return listed(list);
}

function untilUnderscore(reader: ItaniumReader): void {
  while (!reader.source.take('_')) readExpression(reader);
}
