import { type JsonBounds, JsonMeasure } from './json-measure.ts';

/** So little that there is nothing to measure: whatever is in it takes some milliseconds. */
const littleChars = 16 * 1024;
const bounds: JsonBounds = { depth: 64, values: 200_000, parts: 100_000, members: 2000 };

/**
 * `JSON.parse` of what a guest, a program or a file says. Throws a `RangeError` where there is so much in it that reading
 * would keep everybody waiting, before it begins. Members that would be called where an object is made a text or a number are
 * left out: what is no function there throws.
 */
export function parseModestJson(text: string): unknown {
  if (text.length > littleChars) {
    const { excess } = new JsonMeasure(bounds).read(Buffer.from(text));
    if (excess !== undefined) throw new RangeError(`the JSON has more than ${bounds[excess]} ${words[excess]}`);
  }
  return mayConvert.test(text) ? JSON.parse(text, withoutConversions) : JSON.parse(text);
}

/** By their names, or by letters that are written as numbers. */
const mayConvert = /"(?:toString|valueOf|toJSON|[^"]{0,40}\\u)/;
const conversions = new Set(['toString', 'valueOf', 'toJSON']);

function withoutConversions(key: string, value: unknown): unknown {
  return conversions.has(key) ? undefined : value;
}

const words: Readonly<Record<keyof JsonBounds, string>> = {
  depth: 'levels',
  values: 'values',
  parts: 'lists, objects and members',
  members: 'members in one object',
};
