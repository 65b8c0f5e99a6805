import { describe, expect, test } from 'vitest';
import { FeedQueue } from './feed-queue.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const drain = (queue: FeedQueue) => {
  const batches = [];
  for (let batch = queue.take(); batch; batch = queue.take()) batches.push(batch);
  return batches;
};
const textOf = (queue: FeedQueue) => Buffer.concat(drain(queue).map((batch) => batch.bytes)).toString();

describe('FeedQueue', () => {
  test('packs what comes into one batch and copies it', () => {
    const queue = new FeedQueue(0);
    const chunk = bytes('ab');
    queue.push(0, chunk);
    chunk.fill(0);
    queue.push(2, bytes('cd'));
    expect(drain(queue)).toEqual([{ bytes: bytes('abcd'), offset: 4, reset: true }]);
    queue.push(4, bytes('ef'));
    expect(drain(queue)).toEqual([{ bytes: bytes('ef'), offset: 6, reset: false }]);
  });

  test('takes bytes it already has only once', () => {
    const queue = new FeedQueue(0);
    queue.push(0, bytes('abc'));
    queue.push(1, bytes('bc'));
    queue.push(1, bytes('bcd'));
    expect(textOf(queue)).toBe('abcd');
  });

  test('begins anew after a gap', () => {
    const queue = new FeedQueue(0);
    queue.push(0, bytes('abc'));
    queue.push(10, bytes('rest\nnew'));
    expect(drain(queue)).toEqual([{ bytes: bytes('new'), offset: 18, reset: true }]);
    expect(queue.skippedBytes).toBe(10);
  });

  test('output without newlines begins anew at a control sequence', () => {
    const queue = new FeedQueue(5);
    queue.push(5, bytes('1;2Hx\x1b[Hy'));
    expect(textOf(queue)).toBe('\x1b[Hy');
  });

  test('keeps the newest when too much waits, and counts the rest', () => {
    const queue = new FeedQueue(0);
    const chunk = new Uint8Array(100_000).fill(0x61);
    let offset = 0;
    for (; offset <= 5_000_000; offset += chunk.length) queue.push(offset, chunk);
    expect(queue.end).toBe(offset);
    expect(queue.bytes).toBeLessThan(4 * 1024 * 1024);
    expect(queue.bytes + queue.skippedBytes).toBe(offset);
    const batches = drain(queue);
    expect(batches[0]?.reset).toBe(true);
    expect(batches.slice(1).some((batch) => batch.reset)).toBe(false);
    expect(batches.at(-1)?.offset).toBe(offset);
  });
});
