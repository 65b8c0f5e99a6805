import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Btf } from './btf.ts';
import { memoryKallsyms } from './memory-kallsyms.ts';

const noPause = async () => {};
const isKernel = (address: bigint) => address >= 0xffff000000000000n;
const base = 0xffffffff9a000000n;
const names = Array.from({ length: 1200 }, (_, n) => `function_${n}`);

type Order = 'before' | 'after';

/** The tables as kernels have them, with addresses 16 bytes apart; up to Linux 6.3 those come first. */
function packed(order: Order, isSplit: boolean): Buffer {
  const tokens = Array.from({ length: 256 }, (_, n) => (n > 0x20 && n < 0x7f ? String.fromCharCode(n) : `function_`));
  const parts: Buffer[] = [Buffer.alloc(64, 0x55)];
  const put = (...more: readonly Buffer[]) => {
    parts.push(...more);
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    parts.push(Buffer.alloc((8 - (length % 8)) % 8));
  };
  const words = (values: readonly number[]) => Buffer.from(Int32Array.from(values).buffer);
  const offsets = words(names.map((_, n) => (isSplit ? -1 - 16 * n : 16 * n)));
  const start = Buffer.alloc(8);
  start.writeBigUInt64LE(base);
  const addresses = () => {
    put(offsets);
    put(start);
  };
  if (order === 'before') addresses();
  put(words([names.length]));
  // The letter of the type, the word that all names share, and a number.
  const entries = names.map((name) => {
    const codes = [0x54, 0x80, ...Buffer.from(name.slice('function_'.length))];
    return Buffer.from([codes.length, ...codes]);
  });
  put(...entries);
  const places = entries.map((_, n) => entries.slice(0, n).reduce((sum, entry) => sum + entry.length, 0));
  put(words(places.filter((_, n) => n % 256 === 0)));
  put(Buffer.from(`${tokens.join('\0')}\0`, 'latin1'));
  const index = Buffer.alloc(512);
  tokens.reduce((at, token, n) => {
    index.writeUInt16LE(at, 2 * n);
    return at + token.length + 1;
  }, 0);
  put(index);
  if (order === 'after') addresses();
  parts.push(Buffer.alloc(64, 0x55));
  return Buffer.concat(parts);
}

test.for([
  ['before', true],
  ['before', false],
  ['after', false],
] as const)('symbols with their addresses %s the names are found in memory', async ([order, isSplit]) => {
  const found = await memoryKallsyms(packed(order, isSplit), noPause, isKernel);
  expect(found).toHaveLength(names.length);
  expect(found?.[1000]).toEqual({ name: 'function_1000', address: base + 16_000n, size: 0, local: false });
});

test('a list whose marks disagree is not believed', async () => {
  const image = packed('after', false);
  // The length of the first name, after the padding and the count.
  image.writeUInt8(image.readUInt8(72) + 1, 72);
  expect(await memoryKallsyms(image, noPause, isKernel)).toBeUndefined();
});

test('changed bytes never lead astray', async () => {
  const image = packed('before', true);
  await fc.assert(
    fc.asyncProperty(fc.nat(image.length - 1), fc.nat(255), async (at, value) => {
      const changed = Buffer.from(image);
      changed[at] = value;
      const found = await memoryKallsyms(changed, noPause, isKernel);
      expect(found === undefined || found.length <= names.length).toBe(true);
    }),
    { numRuns: 60 },
  );
});

/** `struct inner { int a; }`, `struct outer { int x; struct { inner in[2]; }; int bits : 3 }`. */
function types(): Buffer {
  const strings = ['', 'int', 'inner', 'a', 'outer', 'x', 'in', 'bits'];
  const at = (name: string) => strings.slice(0, strings.indexOf(name)).reduce((sum, each) => sum + each.length + 1, 0);
  const info = (kind: number, parts: number, flag = 0) => ((flag << 31) | (kind << 24) | parts) >>> 0;
  const words = [
    ...[at('int'), info(1, 0), 4, 0x20],
    ...[at('inner'), info(4, 1), 4, at('a'), 1, 0],
    ...[0, info(3, 0), 0, 2, 1, 2],
    ...[0, info(4, 1), 8, at('in'), 3, 0],
    ...[at('outer'), info(4, 3, 1), 16, at('x'), 1, 0, 0, 4, 32, at('bits'), 1, (3 << 24) | 99],
  ];
  const body = Buffer.from(Uint32Array.from(words).buffer);
  const text = Buffer.from(`${strings.join('\0')}\0`);
  const header = Buffer.from(Uint32Array.from([0x0001eb9f, 24, 0, body.length, body.length, text.length]).buffer);
  return Buffer.concat([header, body, text]);
}

test('members are found by their path, through arrays and structures without a name', async () => {
  const btf = await Btf.read(types(), noPause);
  expect(btf?.size).toBe(5);
  expect(btf?.bytesOf('outer')).toBe(16);
  expect(btf?.offsetOf('outer', 'in[1].a')).toBe(8);
  expect(btf?.offsetOf('outer', 'bits')).toBe(99 / 8);
  expect(btf?.offsetOf('outer', 'in.a')).toBeUndefined();
  expect(btf?.offsetOf('nothing', 'x')).toBeUndefined();
});

test('a structure that contains itself without a name comes to an end', async () => {
  const image = types();
  // The type of the member without a name: the structure itself.
  image.writeUInt32LE(5, 24 + 4 * (4 + 6 + 6 + 6 + 3 + 3 + 1));
  const btf = await Btf.read(image, noPause);
  expect(btf?.offsetOf('outer', 'nowhere')).toBeUndefined();
});

test('bytes that are no types, or broken ones, are refused or read without harm', async () => {
  expect(await Btf.read(Buffer.alloc(100), noPause)).toBeUndefined();
  const image = types();
  await fc.assert(
    fc.asyncProperty(fc.nat(image.length - 1), fc.nat(255), async (at, value) => {
      const changed = Buffer.from(image);
      changed[at] = value;
      (await Btf.read(changed, noPause))?.offsetOf('outer', 'in[1].a');
    }),
    { numRuns: 200 },
  );
});
