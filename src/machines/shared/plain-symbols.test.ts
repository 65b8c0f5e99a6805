import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PlainSymbols } from './plain-symbols.ts';

test('an address is described by the last symbol at or before it, if it is near', () => {
  const table = new PlainSymbols();
  table.add([
    ['main', 0x1000n],
    ['loop', 0x1010n],
    ['kernel', 0xffffffff81000000n],
  ]);
  expect(table.describe(0x1000n)).toBe('main');
  expect(table.describe(0x1012n)).toBe('loop+2');
  expect(table.describe(0x1012n, 1n)).toBeUndefined();
  expect(table.describe(0x1012n, 0n)).toBeUndefined();
  expect(table.describe(0xfffn)).toBeUndefined();
  expect(table.describe(0xffffffff81000004n)).toBe('kernel+4');
});

test('whatever comes and goes, what is left is known', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd');
  const change = fc.tuple(name, fc.option(fc.bigInt(0n, 5n)));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const table = new PlainSymbols();
      const model = new Map<string, bigint>();
      for (const [symbol, address] of changes) {
        if (address === null) {
          table.remove(symbol);
          model.delete(symbol);
        } else {
          table.add([[symbol, address]]);
          model.set(symbol, address);
        }
        for (let at = 0n; at <= 8n; at++) {
          const before = [...model.values()].filter((each) => each <= at).sort();
          const near = before.at(-1);
          const described = table.describe(at)?.split('+')[0];
          if (near === undefined) expect(described).toBeUndefined();
          else expect(model.get(described ?? '')).toBe(near);
        }
      }
      expect(new Map(table.all)).toEqual(model);
    }),
  );
});
