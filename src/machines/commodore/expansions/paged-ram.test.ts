import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PagedRam } from './paged-ram.ts';

test('every copy of the state gets back what was in the memory when it was made', () => {
  const writes = fc.array(fc.tuple(fc.nat(0x7fff), fc.nat(255)), { maxLength: 20 });
  fc.assert(
    fc.property(fc.array(writes, { minLength: 1, maxLength: 8 }), fc.array(fc.nat(7)), (rounds, order) => {
      const ram = new PagedRam(0x8000);
      const copies = rounds.map((round) => {
        for (const [place, value] of round) ram.write(place, value);
        const copy = new Uint8Array(8);
        ram.hold(copy);
        const { low, high } = ram.name();
        return { copy, low, high, bytes: ram.bytes.slice() };
      });
      for (const index of order) {
        const wanted = copies[index % copies.length];
        ram.write(index, 0x55);
        expect(ram.restore(wanted?.low ?? 0, wanted?.high ?? 0)).toBe(true);
        expect(Buffer.compare(ram.bytes, wanted?.bytes ?? new Uint8Array())).toBe(0);
        expect([ram.name().low, ram.name().high]).toEqual([wanted?.low, wanted?.high]);
      }
    }),
  );
});

test('equal contents have equal names, in another memory too, and can be carried there', () => {
  const [one, other] = [new PagedRam(0x4000), new PagedRam(0x4000)];
  one.write(0x3fff, 7);
  const { low, high } = one.name();
  expect(other.name().low).not.toBe(low);
  expect(other.restore(low, high)).toBe(false);
  expect(other.remember(one.image(low, high) ?? new Uint8Array())).toBe(true);
  expect(other.restore(low, high)).toBe(true);
  expect(other.bytes[0x3fff]).toBe(7);
  expect(other.remember(new Uint8Array(5))).toBe(false);
});
