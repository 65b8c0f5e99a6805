import { MachineError } from '../../../machine/errors.ts';

export type Token =
  | { readonly type: 'number'; readonly value: bigint; readonly at: number }
  | { readonly type: 'name'; readonly name: string; readonly at: number }
  | { readonly type: 'operator'; readonly text: string; readonly at: number }
  | { readonly type: 'end'; readonly at: number };

const space = /\s+/y;
const number = /\$([0-9a-f]+)|0x([0-9a-f]+)|%([01]+)|([0-9][0-9a-f]*)h\b|([0-9]+)(?![\w.])/iy;
const name = /[a-z_][\w.]*/iy;
const operator = /&&|\|\||==|!=|<=|>=|<<|>>|[-+*&|^~!<>()[\]:,]/y;

/** Cuts a condition into its words. */
export function tokenise(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const next = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found) at = pattern.lastIndex;
    return found;
  };
  for (;;) {
    next(space);
    const start = at;
    if (at >= source.length) return [...tokens, { type: 'end', at }];
    const digits = next(number);
    if (digits) {
      tokens.push({ type: 'number', value: numberOf(digits), at: start });
      continue;
    }
    const word = next(name) ?? undefined;
    if (word) {
      tokens.push({ type: 'name', name: word[0], at: start });
      continue;
    }
    const sign = next(operator);
    if (!sign) throw conditionError(source, start, `${JSON.stringify(source[start])} means nothing here`);
    tokens.push({ type: 'operator', text: sign[0], at: start });
  }
}

function numberOf([, dollar, hex, binary, suffixed, decimal]: RegExpExecArray): bigint {
  const digits = dollar ?? hex ?? suffixed;
  if (digits !== undefined) return BigInt(`0x${digits}`);
  return BigInt(binary === undefined ? (decimal ?? 0) : `0b${binary}`);
}

export function unknownName(
  source: string,
  { name: unknown, at }: { readonly name: string; readonly at: number },
  names: readonly string[],
): MachineError {
  const fix = `Names: ${names.join(', ')}; and symbols, if loaded.`;
  return conditionError(source, at, `no name ${unknown} on this machine`, fix);
}

/** An error that shows the condition with a mark under the column. */
export function conditionError(source: string, at: number, problem: string, fix?: string): MachineError {
  return new MachineError(
    'INVALID_ARGUMENT',
    `Condition: ${problem} (column ${at + 1}).\n  ${source}\n  ${' '.repeat(at)}^`,
    fix ??
      'Write it like [0x1234]==1, word[0x1234]<50, dword[counter]==700, registers by their names, combined with && and ||. ' +
        'Operators: == != < <= > >= + - * << >> & | ^ ~ !, brackets ( ).',
    { column: at + 1 },
  );
}
