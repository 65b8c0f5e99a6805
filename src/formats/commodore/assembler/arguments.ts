import { type Expression, ExpressionParser } from './expression.ts';
import type { Token } from './lexer.ts';
import type { Argument } from './nodes.ts';

/** Splits tokens at the commas that stand in no brackets. */
export function splitArguments(tokens: readonly Token[], separator = ','): Token[][] {
  if (tokens.length === 0) return [];
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === 'operator') {
      if (token.text === '(' || token.text === '[') depth++;
      else if (token.text === ')' || token.text === ']') depth--;
      else if (token.text === separator && depth === 0) {
        parts.push([]);
        continue;
      }
    }
    parts.at(-1)?.push(token);
  }
  return parts;
}

export function argumentOf(tokens: readonly Token[], column: number): Argument {
  let parsed: Expression | undefined;
  const [only] = tokens;
  return {
    tokens,
    column: only?.column ?? column,
    ...(tokens.length === 1 && only?.kind === 'string' ? { text: only.text } : {}),
    expression: () => {
      parsed ??= wholeExpression(tokens);
      return parsed;
    },
  };
}

/** Parses tokens that have to be one expression and nothing else. */
export function wholeExpression(tokens: readonly Token[]): Expression {
  const parser = new ExpressionParser(tokens);
  const expression = parser.parse();
  parser.end();
  return expression;
}

/** What stands between a pair of parentheses that encloses all tokens, else the tokens themselves. */
export function withoutParentheses(tokens: readonly Token[]): readonly Token[] {
  return isEnclosed(tokens) ? tokens.slice(1, -1) : tokens;
}

/** True when the first token is a parenthesis and the last one closes it. */
export function isEnclosed(tokens: readonly Token[]): boolean {
  if (tokens[0]?.text !== '(' || tokens[0].kind !== 'operator') return false;
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'operator') continue;
    if (token.text === '(') depth++;
    if (token.text === ')' && --depth === 0) return index === tokens.length - 1;
  }
  return false;
}
