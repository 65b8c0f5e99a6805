import { isEnclosed } from './arguments.ts';
import type { Token } from './lexer.ts';
import type { Macro, Piece } from './nodes.ts';

/** The body of a macro with the arguments in place of its parameters (by name, `\name`, `\1` and `.name`). */
export function expandMacro(macro: Macro, args: readonly (readonly Token[])[]): Piece[] {
  const values = new Map<string, readonly Token[]>();
  for (const [index, { name, fallback }] of macro.parameters.entries()) {
    const value = args[index]?.length ? (args[index] ?? []) : fallback;
    values.set(name, value);
    if (!/^[.\\]/.test(name)) values.set(`\\${name}`, value);
  }
  for (const [index, value] of args.entries()) values.set(`\\${index + 1}`, value);
  return macro.body.map(({ line, tokens }) => ({ line, tokens: tokens.flatMap((token) => substitute(token, values)) }));
}

/** Puts `(p),y` together again where a macro was given more arguments than it takes. */
export function joinIndexes(args: readonly (readonly Token[])[], wanted: number): readonly (readonly Token[])[] {
  if (args.length <= wanted) return args;
  const joined: (readonly Token[])[] = [];
  for (const arg of args) {
    const [only] = arg;
    const before = joined.at(-1);
    if (before && only && arg.length === 1 && /^[xy]$/i.test(only.text)) {
      const comma: Token = { ...only, kind: 'operator', text: ',' };
      joined[joined.length - 1] = [...before, comma, only];
    } else joined.push(arg);
  }
  return joined;
}

function substitute(token: Token, values: ReadonlyMap<string, readonly Token[]>): readonly Token[] {
  if (token.kind === 'group') {
    return [{ ...token, inner: (token.inner ?? []).flatMap((inner) => substitute(inner, values)) }];
  }
  if (token.kind !== 'name') return [token];
  const dot = token.text.indexOf('.', 1);
  const value = values.get(token.text);
  if (value !== undefined) return place(value, token);
  // A parameter that names a scope: object.x.
  const scope = dot > 0 ? values.get(token.text.slice(0, dot)) : undefined;
  const [only] = scope ?? [];
  if (scope?.length === 1 && only?.kind === 'name') return [{ ...token, text: only.text + token.text.slice(dot) }];
  return [token];
}

/** Arguments that are values stay whole, so that 2*size with size = a+b is 2*(a+b); operands such as #5 or (p),y are put in as they are. */
function place(value: readonly Token[], { column, spaced }: Token): readonly Token[] {
  const [first] = value;
  const isOperand =
    value.length < 2 ||
    (first?.kind === 'operator' && (first.text === '#' || first.text === '{')) ||
    isEnclosed(value) ||
    value.some(({ kind, text }) => kind === 'operator' && text === ',');
  if (isOperand)
    return value.map((token, index) => ({ ...token, column, spaced: index === 0 ? spaced : token.spaced }));
  return [
    {
      kind: 'group',
      text: value.map(({ text }) => text).join(''),
      column,
      spaced,
      value: 0,
      wide: false,
      inner: value,
    },
  ];
}
