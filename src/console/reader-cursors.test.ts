import { expect, test } from 'vitest';
import { ByteRing } from './byte-ring.ts';
import { ReaderCursors } from './reader-cursors.ts';

test('readers of a session are forgotten with it, others stay', () => {
  const ring = new ByteRing(4096);
  ring.append(Buffer.from('0123456789'));
  const cursors = new ReaderCursors(ring);
  for (const reader of ['@a', 'serencp@a', '@ba', 'shared']) cursors.set(reader, 5);
  cursors.forgetSession('a');
  expect(['@a', 'serencp@a', '@ba', 'shared'].map((reader) => cursors.get(reader))).toEqual([0, 0, 5, 5]);
});

test('no more than a thousand are kept, the newest', () => {
  const ring = new ByteRing(4096);
  ring.append(Buffer.from('0123456789'));
  const cursors = new ReaderCursors(ring);
  for (let session = 0; session < 1500; session++) cursors.set(`@${session}`, 7);
  expect([cursors.get('@499'), cursors.get('@500'), cursors.get('@1499')]).toEqual([0, 7, 7]);
});

test('those who may only look push nobody out', () => {
  const ring = new ByteRing(4096);
  ring.append(Buffer.from('0123456789'));
  const cursors = new ReaderCursors(ring);
  for (const reader of ['@owner', 'shared', '@~looker']) cursors.set(reader, 5);
  for (let session = 0; session < 1500; session++) cursors.set(`name@~${session}`, 7);
  expect(['@owner', 'shared', '@~looker', 'name@~1499'].map((reader) => cursors.get(reader))).toEqual([5, 5, 0, 7]);
  cursors.forgetSession('1499');
  expect(cursors.get('name@~1499')).toBe(0);
});
