import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteRing } from './byte-ring.ts';

/** Bytes whose values follow from their offset, so that a misplaced one shows. */
function pattern(from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let i = 0; i < length; i++) bytes[i] = ((from + i) * 2654435761) >>> 13;
  return bytes;
}

function filled(ring: ByteRing, total: number, chunk: number): ByteRing {
  while (ring.end < total) ring.append(pattern(ring.end, Math.min(chunk, total - ring.end)));
  return ring;
}

test('behaves like a plain array whose head is cut off', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 30 });
  const asked = { from: fc.integer({ min: 0, max: 2800 }), max: fc.integer({ min: 0, max: 200 }) };
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 64 }), sizes, fc.record(asked), (capacity, chunks, { from, max }) => {
      const ring = new ByteRing(capacity);
      const all: number[] = [];
      for (const size of chunks) {
        const bytes = pattern(all.length, size);
        ring.append(bytes);
        all.push(...bytes);
        const start = Math.max(0, all.length - capacity);
        expect([ring.start, ring.end]).toEqual([start, all.length]);
        expect([...ring.read(start, capacity).bytes]).toEqual(all.slice(start));
      }
      const first = Math.min(Math.max(from, ring.start), ring.end);
      const answer = ring.read(from, max);
      expect([...answer.bytes]).toEqual(all.slice(first, first + max));
      expect(answer.from).toBe(first);
      expect(answer.lost).toBe(Math.max(0, ring.start - from));
    }),
  );
});

test('slices cover the ring without a hole at block borders', () => {
  const ring = filled(new ByteRing(700_000), 3_000_000, 99_991);
  const pieces: Buffer[] = [];
  for (let at = ring.start; at < ring.end; ) {
    const piece = Buffer.from(ring.slice(at, 100_000));
    expect(piece.length).toBeGreaterThan(0);
    pieces.push(piece);
    at += piece.length;
  }
  expect(Buffer.concat(pieces).equals(pattern(ring.start, 700_000))).toBe(true);
});

test('an append larger than the ring keeps its last bytes', () => {
  const ring = filled(new ByteRing(4096), 10, 10);
  ring.append(pattern(10, 50_000));
  expect(ring.end).toBe(50_010);
  expect(Buffer.from(ring.read(0, 1e6).bytes).equals(pattern(50_010 - 4096, 4096))).toBe(true);
  expect(ring.read(0, 10).lost).toBe(50_010 - 4096);
});

test('bytes on loan stay as they are while the ring laps them, and their block is used again afterwards', () => {
  const ring = filled(new ByteRing(600_000), 600_000, 50_000);
  const loans = [ring.lend(0, 1000), ring.lend(5, 200_000), ring.lend(262_144, 300_000)];
  const expected = [pattern(0, 1000), pattern(5, 200_000), pattern(262_144, 262_144)];
  filled(ring, 5_000_000, 70_001);
  expect(loans.map((loan, i) => expected[i]?.equals(loan.bytes))).toEqual([true, true, true]);
  expect(Buffer.from(ring.read(ring.start, 600_000).bytes).equals(pattern(4_400_000, 600_000))).toBe(true);

  const late = ring.lend(ring.start, 10);
  const { buffer } = late.bytes;
  late.giveBack();
  const reused = new Set<ArrayBufferLike>();
  for (let lap = 0; lap < 12; lap++) {
    filled(ring, ring.end + 262_144, 262_144);
    reused.add(ring.slice(ring.end - 1, 1).buffer);
  }
  expect(reused.has(buffer)).toBe(true);
  expect(reused.size).toBe(4);
});

test('memory is taken only as bytes arrive', () => {
  const before = process.memoryUsage().arrayBuffers;
  const rings = Array.from({ length: 100 }, () => new ByteRing(10 * 1024 * 1024));
  for (const ring of rings) ring.append(Buffer.from('login: '));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40 * 1024 * 1024);
});

test('an offset outside the ring is an error of the caller', () => {
  const ring = filled(new ByteRing(4096), 10_000, 1000);
  expect(() => ring.slice(0, 1)).toThrow(RangeError);
  expect(() => ring.slice(10_001, 1)).toThrow(RangeError);
  expect(ring.slice(10_000, 1)).toHaveLength(0);
});
