import { expect, test } from 'vitest';
import type { BreakpointSpec } from '../../machine/breakpoints.ts';
import { BreakpointList, listed } from './breakpoint-list.ts';

const spec = (change: Partial<BreakpointSpec> = {}): BreakpointSpec => ({
  type: 'exec',
  address: 0x1000n,
  length: 1,
  logOnly: false,
  temporary: false,
  ...change,
});

const listOf = (own: (spec: BreakpointSpec) => { readonly mark: string } = () => ({ mark: 'own' })) =>
  new BreakpointList(own);

test('numbers are never given twice, and what a machine keeps stays with it', () => {
  const list = listOf();
  const first = list.add(spec());
  list.remove(first.id);
  const second = list.add(spec({ condition: 'a == 1' }));
  expect(second).toMatchObject({ id: 2, mark: 'own', enabled: true, hits: 0 });
  expect(list.list()).toEqual([{ ...spec({ condition: 'a == 1' }), id: 2, enabled: true, hits: 0 }]);
  expect(listed(second)).not.toHaveProperty('mark');
});

test('one that is not there is refused with those that are', () => {
  const list = listOf();
  expect(() => list.find(1)).toThrow(expect.objectContaining({ type: 'NOT_FOUND', fix: 'There are none.' }));
  list.add(spec());
  list.add(spec());
  expect(() => list.remove(7)).toThrow(
    expect.objectContaining({ message: 'No breakpoint 7.', fix: 'There are: 1, 2.' }),
  );
});

test('only enabled ones of the wanted types are asked', () => {
  const list = listOf();
  list.add(spec());
  list.add(spec({ type: 'read' })).enabled = false;
  list.add(spec({ type: 'write' }));
  expect(list.enabled().map(({ id }) => id)).toEqual([1, 3]);
  expect(list.enabled('read', 'write').map(({ id }) => id)).toEqual([3]);
});

test('one that cannot be armed takes no number', () => {
  const list = listOf(({ condition }) => {
    if (condition === 'bad') throw new Error('no condition');
    return { mark: '' };
  });
  expect(() => list.add(spec({ condition: 'bad' }))).toThrow('no condition');
  expect(list.add(spec()).id).toBe(1);
});

test('another list takes them over as they are, armed anew', () => {
  const before = listOf();
  before.add(spec()).hits = 5;
  before.remove(before.add(spec()).id);
  const after = listOf(() => ({ mark: 'new' }));
  after.adopt(before);
  expect(after.all).toMatchObject([{ ...spec(), id: 1, enabled: true, hits: 5, mark: 'new' }]);
  expect(after.add(spec()).id).toBe(3);
});

test('neither too many nor conditions without end', () => {
  const list = listOf();
  list.add(spec({ condition: 'x'.repeat(16_000) }));
  expect(() => list.add(spec({ condition: 'x'.repeat(400) }))).toThrow(/16400 characters, and 16384 is the limit/);
  for (let n = 1; n < 256; n++) list.add(spec());
  expect(() => list.add(spec())).toThrow(/There are 256 breakpoints, and 256 is the limit/);
});

test('frames are counted anew where the machine is put back before they began', () => {
  let frame = 1000;
  const list = new BreakpointList(
    () => ({}),
    () => frame,
  );
  const armed = list.add(spec({ frames: 2 }));
  expect(list.listed(armed).framesLeft).toBe(2);
  frame = 5;
  expect(list.listed(armed).framesLeft).toBe(2);
  frame = 7;
  expect(list.expire()).toEqual([armed]);
});
