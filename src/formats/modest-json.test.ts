import { expect, test } from 'vitest';
import { parseModestJson } from './modest-json.ts';

const many = (count: number, each: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => each(at)).join(',');

test.each([
  ['lists in lists', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'levels'],
  ['empty objects', `[${many(110_000, () => '{}')}]`, 'lists, objects and members'],
  ['members', `{${many(3000, (at) => `"m${at}":0`)}}`, 'members in one object'],
  ['numbers', `[${many(300_000, () => '1')}]`, 'values'],
])('%s without end are refused before they are read', (_, text, what) => {
  expect(() => parseModestJson(text)).toThrow(RangeError);
  expect(() => parseModestJson(text)).toThrow(what);
});

test('what would be called where an object is made a text is left out, however it is written', () => {
  const text = '{"a":{"toString":1,"valueOf":1,"\\u0074oString":2,"toJSON":[],"b":"toString"}}';
  const { a } = parseModestJson(text) as { a: object };
  expect(a).toEqual({ b: 'toString' });
  expect([String(a), Number(a), JSON.stringify(a)]).toEqual(['[object Object]', Number.NaN, '{"b":"toString"}']);
});

test('long texts and what is small are read', () => {
  expect(parseModestJson(`{"a":"${'[{'.repeat(500_000)}"}`)).toEqual({ a: '[{'.repeat(500_000) });
  expect(parseModestJson(`${'['.repeat(100)}${']'.repeat(100)}`)).toHaveLength(1);
  expect(() => parseModestJson('{')).toThrow(SyntaxError);
});
