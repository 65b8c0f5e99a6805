import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteRing } from './byte-ring.ts';

/** The same answer the slow way: from the whole output. */
function lastLinesOf(text: string, count: number, ringStart: number): number {
  const starts = [0];
  for (let i = 0; i < text.length; i++) if (text[i] === '\n' && i + 1 < text.length) starts.push(i + 1);
  const kept = starts.slice(-1000);
  return Math.max(ringStart, kept[Math.max(0, kept.length - count)] ?? 0);
}

test('finds the same lines as a search of everything, whenever it is asked', () => {
  const pieces = fc.array(fc.tuple(fc.string({ unit: fc.constantFrom('\n', 'a', '\r') }), fc.boolean()), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(pieces, fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 12 }), (chunks, capacity, count) => {
      const ring = new ByteRing(capacity);
      let text = '';
      for (const [chunk, ask] of chunks) {
        ring.append(Buffer.from(chunk));
        text += chunk;
        if (ask) expect(ring.lastLines(count)).toBe(lastLinesOf(text, count, ring.start));
      }
      expect(ring.lastLines(count)).toBe(lastLinesOf(text, count, ring.start));
      const kept = text.slice(ring.start);
      expect(ring.lines).toBe(kept === '' ? 0 : kept.replace(/\n$/, '').split('\n').length);
    }),
  );
});

test('keeps 1,000 lines, with or without an unfinished one', () => {
  const ring = new ByteRing(1024 * 1024);
  for (let i = 0; i < 5000; i++) ring.append(Buffer.from(`line ${String(i).padStart(6, '0')}\n`));
  const lineBytes = 12;
  expect(ring.lastLines(1)).toBe(4999 * lineBytes);
  expect(ring.lastLines(60)).toBe(4940 * lineBytes);
  expect(ring.lastLines(1000)).toBe(4000 * lineBytes);
  expect(ring.lastLines(99_999)).toBe(4000 * lineBytes);
  ring.append(Buffer.from('login: '));
  expect(ring.lastLines(1)).toBe(5000 * lineBytes);
  expect(ring.lastLines(2)).toBe(4999 * lineBytes);
  expect(ring.lastLines(1000)).toBe(4001 * lineBytes);
  expect(ring.lastLines(0)).toBe(ring.end);
  expect(ring.lines).toBe(1000);
});

test('a line of 10 MB is one line', () => {
  const ring = new ByteRing(12_000_000);
  ring.append(Buffer.from('first\n'));
  ring.append(Buffer.alloc(10_000_000, 'x'));
  ring.append(Buffer.from('\r\n# '));
  expect(ring.lastLines(1)).toBe(10_000_008);
  expect(ring.lastLines(2)).toBe(6);
  expect(ring.lastLines(3)).toBe(0);
});

test('an empty ring has no lines', () => {
  const ring = new ByteRing(4096);
  expect(ring.lastLines(60)).toBe(0);
  ring.append(Buffer.from('\n'));
  expect(ring.lastLines(60)).toBe(0);
});
