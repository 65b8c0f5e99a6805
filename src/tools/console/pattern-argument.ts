import type { Pattern } from './pattern-search.ts';

/** How an agent writes a pattern: `/…/`, also with `i` and `m`, is a regular expression, everything else is taken literally. */
export function patternOf(argument: string): Pattern {
  const regex = /^\/(.+)\/(i|m|im|mi)?$/s.exec(argument);
  if (!regex) return { literal: argument };
  // ^ and $ are those of a line with or without the m.
  return { regex: regex[1] ?? '', ignoreCase: regex[2]?.includes('i') ?? false };
}

export function describePattern({ literal, regex, ignoreCase }: Pattern): string {
  return literal !== undefined ? JSON.stringify(literal) : `/${regex}/${ignoreCase ? 'i' : ''}`;
}
