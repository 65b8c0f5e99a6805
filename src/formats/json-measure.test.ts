import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JsonBounds, JsonMeasure } from './json-measure.ts';

/** In one piece, and byte by byte. */
function excessOf(text: string, bounds: JsonBounds): keyof JsonBounds | undefined {
  const bytes = Buffer.from(text);
  const { excess } = new JsonMeasure(bounds).read(bytes);
  const inBytes = new JsonMeasure(bounds);
  for (let at = 0; at < bytes.length; at++) inBytes.read(bytes.subarray(at, at + 1));
  expect(inBytes.excess).toBe(excess);
  return excess;
}

const bounds: JsonBounds = { depth: 4, values: 20, parts: 12, members: 3 };
const list = (count: number, value: unknown) => JSON.stringify(Array.from({ length: count }, () => value));

test.each<[string, string, keyof JsonBounds | undefined]>([
  ['a few values', '{"a":[1,2,"[[[[[["],"b":{}}', undefined],
  ['quotes and brackets in a text', JSON.stringify('"\\[{'.repeat(50)), undefined],
  ['no JSON', ']]]]}}}} ::', undefined],
  ['a text without an end', '"[[[[[[', undefined],
  ['four levels', '[[[[1]]]]', undefined],
  ['five levels', '[[[[[1]]]]]', 'depth'],
  ['levels that never end', '['.repeat(1000), 'depth'],
  ['levels one after the other', '[[[[]]],[[[]]]]', undefined],
  ['twenty numbers after the first', list(21, 1), undefined],
  ['one more', list(22, 1), 'values'],
  ['twelve lists', list(11, []), undefined],
  ['thirteen lists', list(12, []), 'parts'],
  ['three members', '{"a":1,"b":{"a":1,"b":2,"c":3},"c":3}', undefined],
  ['four members', '{"a":1,"b":2,"c":3,"d":4}', 'members'],
  ['four members after an inner object', '{"a":1,"b":{"x":1},"c":3,"d":4}', 'members'],
  ['as many members in two objects', '[{"a":1,"b":2},{"a":1,"b":2}]', undefined],
])('%s', (_what, text, excess) => {
  expect(excessOf(text, bounds)).toBe(excess);
});

test('counts what is there, whatever the texts in it are', () => {
  const count = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? 1 +
        Object.values(value).reduce(
          (sum: number, each) => sum + count(each),
          Array.isArray(value) ? 0 : Object.keys(value).length,
        )
      : 0;
  const wide = { depth: 1000, values: 1_000_000, members: 1_000_000 };
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const parts = count(value);
      const text = JSON.stringify(value);
      expect(excessOf(text, { ...wide, parts })).toBeUndefined();
      if (parts > 0) expect(excessOf(text, { ...wide, parts: parts - 1 })).toBe('parts');
    }),
  );
});
