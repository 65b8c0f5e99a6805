import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TopLevelId } from './top-level-id.ts';

/** Cut into pieces anywhere. */
function idOf(text: string, cuts: readonly number[] = []): string | number | undefined {
  const scanner = new TopLevelId();
  const bytes = Buffer.from(text);
  let from = 0;
  for (const cut of [...cuts.map((each) => each % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    scanner.read(bytes.subarray(from, cut));
    from = Math.max(from, cut);
  }
  return scanner.value;
}

test.each([
  ['{"id":1}', 1],
  ['{"jsonrpc":"2.0","id":"a\\"b,}","method":"x"}', 'a"b,}'],
  ['{"params":{"id":5,"x":[{"id":6}]},"id" : 7 }', 7],
  ['{"method":"\\"id\\":9","id":-3.5}', -3.5],
  ['{"params":{"id":5}}', undefined],
  ['{"id":null}', undefined],
  ['{"id":{"a":1}}', undefined],
  ['[{"id":1}]', undefined],
  [`{"id":"${'x'.repeat(1000)}"}`, undefined],
  ['"id":1', undefined],
  ['}}}}{"id":4}', undefined],
])('of %j is %j', (text, id) => {
  expect(idOf(text)).toBe(id);
});

test('is found in any message, wherever it is cut', () => {
  const member = fc.tuple(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }));
  const id = fc.oneof(fc.integer(), fc.string({ maxLength: 30 }));
  fc.assert(
    fc.property(fc.array(member), id, fc.array(member), fc.array(fc.nat()), (before, wanted, after, cuts) => {
      const others = [...before, ...after].filter(([name]) => name !== 'id');
      const members = [...others.slice(0, before.length), ['id', wanted] as const, ...others.slice(before.length)];
      const text = `{${members.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(',\n')}}`;
      expect(idOf(text, cuts)).toBe(wanted);
    }),
  );
});
