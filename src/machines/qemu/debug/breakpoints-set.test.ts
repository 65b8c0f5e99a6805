import { expect, test } from 'vitest';
import type { BreakpointSpec } from '../../../machine/breakpoints.ts';
import { BreakpointsSet } from './breakpoints-set.ts';
import { TargetVocabulary } from './target-vocabulary.ts';

const spec: BreakpointSpec = { type: 'exec', address: 0x1000n, length: 1, logOnly: false, temporary: false };

/** Nothing of a target is read before a condition is asked. */
const vocabulary = () => Object.create(TargetVocabulary.prototype) as TargetVocabulary;

test('there are at most 256, also here', () => {
  const table = new BreakpointsSet(vocabulary(), undefined);
  for (let n = 0; n < 256; n++) table.add(spec);
  expect(() => table.add(spec)).toThrow(/256 is the limit/);
  table.remove(7);
  expect(table.add(spec).id).toBe(257);
});

test('those of the process before keep their numbers and counts', () => {
  const before = new BreakpointsSet(vocabulary(), undefined);
  before.remove(before.add(spec).id);
  before.add({ ...spec, type: 'change' }).hits = 3;
  const after = new BreakpointsSet(vocabulary(), before);
  expect(after.list()).toMatchObject([{ id: 2, type: 'change', hits: 3, enabled: true }]);
  expect(after.changes().map(({ lastBytes }) => lastBytes)).toEqual([undefined]);
  expect(after.add(spec).id).toBe(3);
});
