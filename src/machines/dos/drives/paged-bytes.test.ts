import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesInMemory, PagedBytes } from './paged-bytes.ts';

const size = 100_000;

const change = fc.oneof(
  fc.record({
    type: fc.constant('write' as const),
    at: fc.nat(size),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 40_000 }),
  }),
  fc.record({ type: fc.constant('cut' as const), at: fc.nat(size) }),
  fc.record({ type: fc.constant('fork' as const) }),
);

test('forks keep what they were, whatever happens to the others', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 50_000 }), fc.array(change, { maxLength: 12 }), (first, changes) => {
      let model = new Uint8Array(2 * size);
      model.set(first);
      let paged = new PagedBytes(bytesInMemory(first), { bytes: 0 });
      const forks: [PagedBytes, Uint8Array][] = [];
      for (const each of changes) {
        if (each.type === 'write') {
          paged.write(each.at, each.bytes);
          model.set(each.bytes, each.at);
        } else if (each.type === 'cut') {
          paged.cut(each.at);
          model.fill(0, each.at);
        } else {
          // Now one, now the other goes on.
          const other = paged.fork();
          forks.push(forks.length % 2 === 0 ? [other, model] : [paged, model]);
          if (forks.length % 2 === 0) paged = other;
          model = model.slice();
        }
      }
      for (const [bytes, expected] of [...forks, [paged, model] as const]) {
        expect(Buffer.compare(bytes.read(0, 2 * size), expected)).toBe(0);
        expect(Buffer.compare(bytes.read(16_000, 20_000), expected.subarray(16_000, 36_000))).toBe(0);
      }
    }),
    { numRuns: 60 },
  );
});

test('a change after a fork costs a page, not everything', () => {
  const copied = { bytes: 0 };
  const paged = new PagedBytes(bytesInMemory(new Uint8Array(64 * 1024 * 1024)), copied);
  for (let moment = 0; moment < 100; moment++) {
    paged.write(1000, Uint8Array.of(moment));
    paged.fork();
  }
  expect(copied.bytes).toBeLessThan(2 * 1024 * 1024);
});
