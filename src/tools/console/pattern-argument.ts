import type { Pattern } from './pattern-search.ts';

/** How an agent writes a pattern: `/…/` or `/…/i` is a regular expression, everything else is taken literally. */
export function patternOf(argument: string): Pattern {
  const regex = /^\/(.+)\/(i?)$/s.exec(argument);
  if (!regex) return { literal: argument };
  return { regex: regex[1] ?? '', ignoreCase: regex[2] === 'i' };
}

export function describePattern({ literal, regex, ignoreCase }: Pattern): string {
  return literal !== undefined ? JSON.stringify(literal) : `/${regex}/${ignoreCase ? 'i' : ''}`;
}
