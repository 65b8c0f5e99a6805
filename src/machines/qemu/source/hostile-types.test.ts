import { expect, test } from 'vitest';
import type { DwarfType, Member } from '../../../formats/dwarf/dwarf-types.ts';
import { type EvaluationScope, evaluateTyped } from './evaluator.ts';
import { parseTyped } from './typed-expression.ts';
import { memberOf, numberOf } from './typed-value.ts';
import { ValueWriter } from './value-text.ts';

/** A structure with members without names, each of which is that structure again. */
function insideOfItself(names: readonly string[]): DwarfType {
  const type: DwarfType = {
    ...{ kind: 'structure', name: 'evil', bytes: 8, variants: undefined },
    get members(): readonly Member[] {
      return names.map((name) => ({ name, offset: 0, type }));
    },
  };
  return type;
}

const evil: DwarfType = { kind: 'base', name: 'evil', bytes: 2 ** 40, encoding: 7 };
let reads = 0;
const scope: EvaluationScope = {
  bigEndian: false,
  pointerBytes: 8,
  variable: async () => undefined,
  register: async () => undefined,
  symbol: () => undefined,
  type: (name) => (name === 'evil' ? evil : undefined),
  read: async (_, length) => {
    reads = Math.max(reads, length);
    return new Uint8Array(length).fill(1);
  },
};
const names = { nameOf: () => undefined };

test('a structure inside itself has no member that is looked for without end', () => {
  expect(memberOf({ type: insideOfItself(['', '']), address: 0n }, 'x')).toBeUndefined();
});

test.for([
  ['without names', ['', '', ''], 2],
  ['with names, six deep', Array.from({ length: 64 }, (_, n) => `m${n}`), 6],
] as const)('a structure inside itself, %s, is shown up to a limit', async ([, members, depth]) => {
  const text = await new ValueWriter(scope, names).text({ type: insideOfItself(members), address: 0n }, depth);
  expect(text.length).toBeLessThan(100_000);
  expect(text).toContain('…');
});

test('what cannot be read counts as well', async () => {
  let asked = 0;
  const element: DwarfType = { kind: 'base', name: 'int', bytes: 4, encoding: 5 };
  const nested = (depth: number): DwarfType => {
    const inner = depth === 0 ? element : nested(depth - 1);
    return { kind: 'array', name: 'a', bytes: 4, element: inner, count: 32 };
  };
  const reader = {
    bigEndian: false,
    read: async () => {
      asked++;
      return undefined;
    },
  };
  await new ValueWriter(reader, names).text({ type: nested(5), address: 0n }, 6);
  expect(asked).toBeLessThan(5000);
});

test('a number of a size that no number has is refused, or read as far as one goes', async () => {
  const cast = parseTyped('(evil)5', () => true);
  await expect(evaluateTyped(cast, scope)).rejects.toThrow('is not a number');
  reads = 0;
  await numberOf({ type: evil, address: 0n }, scope);
  expect(reads).toBe(16);
});
