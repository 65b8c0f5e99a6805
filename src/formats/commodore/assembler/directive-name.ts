import type { Token } from './lexer.ts';

export interface DirectiveName {
  readonly prefix: '.' | '!';
  readonly name: string;
  /** How many tokens it takes. */
  readonly length: number;
}

/** The directive that starts at a token: `.byte` is one token, `!byte` two. */
export function directiveAt(tokens: readonly Token[], at = 0): DirectiveName | undefined {
  const token = tokens[at];
  if (token?.kind === 'name' && token.text.startsWith('.')) {
    return { prefix: '.', name: token.text.slice(1).toLowerCase(), length: 1 };
  }
  const next = tokens[at + 1];
  if (
    token?.kind !== 'operator' ||
    (token.text !== '!' && token.text !== '#') ||
    next?.kind !== 'name' ||
    next.spaced
  ) {
    return undefined;
  }
  const name = next.text.toLowerCase();
  // KickAssembler's preprocessor has #import and its like; any other #name is a macro call.
  if (token.text === '#' && !/^(import|if|ifdef|ifndef|elif|else|endif|define)$/.test(name)) return undefined;
  return { prefix: token.text === '!' ? '!' : '.', name, length: 2 };
}
