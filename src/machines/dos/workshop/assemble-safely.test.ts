import { expect, test } from 'vitest';
import { assembleSafely } from './assemble-safely.ts';

const { signal } = new AbortController();

test('a source is assembled, short or long', { timeout: 60_000 }, async () => {
  const short = await assembleSafely('again: inc ax\njmp again\n', 'a.asm', signal);
  expect([...short.bytes]).toEqual([0x40, 0xeb, 0xfd]);
  const long = await assembleSafely(`again: inc ax\njmp again\n${'; more\n'.repeat(5000)}`, 'a.asm', signal);
  expect(long).toEqual(short);
  expect(long.symbols.get('again')).toBe(0x100);
  const filled = await assembleSafely('times 60000 nop', 'a.asm', signal);
  expect([filled.bytes.length, filled.errors]).toEqual([60_000, []]);
});

test('what takes too long is an error of the source', { timeout: 60_000 }, async () => {
  const { errors } = await assembleSafely('times 65000 org 100h\n'.repeat(10_000), 'a.asm', signal);
  expect(errors).toEqual([{ line: 1, message: 'This takes too long: use fewer or smaller repetitions.' }]);
  await expect(assembleSafely('x'.repeat(9 * 1024 * 1024), 'a.asm', signal)).rejects.toThrow('8388608 is the limit');
});

test('nobody waits for what was cancelled', async () => {
  const abort = new AbortController();
  const waiting = assembleSafely('times 65000 org 100h\n'.repeat(10_000), 'a.asm', abort.signal);
  abort.abort();
  await expect(waiting).rejects.toThrow('aborted');
});
