import { blockDirectives } from './block-directives.ts';
import { directives } from './directives.ts';
import { instructions } from './instructions.ts';
import { nearest } from './nearest.ts';

export function unknownDirective(text: string): string {
  const guess = nearest(text.slice(1).toLowerCase(), [...directives.keys(), ...blockDirectives.keys()]);
  return `${text} is not a directive${guess ? `; did you mean ${text[0]}${guess}?` : ''}`;
}

export function unknownStatement(text: string, macros: Iterable<string>): string {
  if (text.startsWith('.')) return unknownDirective(text);
  const guess = nearest(text, [...instructions.keys(), ...macros]);
  return `'${text}' is neither an instruction nor a macro${guess ? `; did you mean ${guess}?` : ''} (a label starts in column 1 or ends with ':')`;
}
