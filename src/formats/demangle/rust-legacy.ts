import { ownValue } from '../own-value.ts';
import { MangledText, NotMangled } from './mangled-text.ts';

const escapes: Readonly<Record<string, string>> = {
  SP: '@',
  BP: '*',
  RF: '&',
  LT: '<',
  GT: '>',
  LP: '(',
  RP: ')',
  C: ',',
};
const hash = /^h[0-9a-f]{16}$/;

/** `_ZN4core3fmt9Formatter3pad17h0123456789abcdefE`: looks like C++, but ends with a hash. Undefined for others. */
export function rustLegacy(text: string, at: number): { readonly name: string; readonly end: number } | undefined {
  const source = new MangledText(text, at);
  if (!source.take('N')) return undefined;
  const parts: string[] = [];
  while (!source.take('E')) {
    if (!/\d/.test(source.peek())) return undefined;
    parts.push(source.chars(source.decimal()));
  }
  const last = parts.pop();
  if (last === undefined || !hash.test(last) || parts.length === 0) return undefined;
  return { name: parts.map(unescaped).join('::'), end: source.at };
}

/** `_$LT$impl$u20$Foo$GT$`: the underscore is there because an identifier cannot begin with a dollar. */
function unescaped(part: string): string {
  const body = part.startsWith('_$') ? part.slice(1) : part;
  return body
    .replaceAll(/\$(\w+)\$/g, (whole, code: string) => ownValue(escapes, code) ?? unicode(code) ?? whole)
    .replaceAll('..', '::');
}

function unicode(code: string): string | undefined {
  const [, digits] = /^u([0-9a-f]{1,6})$/.exec(code) ?? [];
  if (digits === undefined) return undefined;
  const point = Number.parseInt(digits, 16);
  if (point > 0x10ffff) throw new NotMangled('no such character');
  return String.fromCodePoint(point);
}
