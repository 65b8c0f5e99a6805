import { lowerHex } from '../formats/hex.ts';

/** Controls, format characters (zero-width, bidirectional, tags), separators, ignorable, private and unassigned ones. */
const hidden = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const allHidden = new RegExp(hidden.source, 'gu');
/** Most texts have nothing else, and looking for that is much cheaper than asking what each character is. */
const unusual = /[^\n\t\x20-\x7e\xa1-\xac\xae-\xff]/;

/**
 * Text as an agent and the person at its side can both see it: what leaves no mark of its own is written out, as
 * `\x1b` or `\u{200B}`. Whatever a machine, a file name or an error may have brought along, this is where it ends.
 */
export function visibleText(text: string, kept = ''): string {
  if (!unusual.test(text) || !hidden.test(text)) return text;
  return text.replace(allHidden, (character) => (kept.includes(character) ? character : writtenOut(character)));
}

/** The same for JSON, which stays JSON and says the same. */
export function visibleJson(json: string): string {
  if (!unusual.test(json) || !hidden.test(json)) return json;
  return json.replace(allHidden, (character) => {
    const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
    return units.map((unit) => `\\u${lowerHex(unit, 4)}`).join('');
  });
}

/** The same for every text in data, names of fields included. */
export function visibleData(data: Readonly<Record<string, unknown>>, kept = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [visibleText(key, kept), visibleValue(value, kept)]),
  );
}

function visibleValue(value: unknown, kept: string): unknown {
  if (typeof value === 'string') return visibleText(value, kept);
  if (Array.isArray(value)) return value.map((each) => visibleValue(each, kept));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return visibleData(value as Record<string, unknown>, kept);
}

function writtenOut(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  const hex = codePoint.toString(16);
  return codePoint < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex.toUpperCase()}}`;
}
