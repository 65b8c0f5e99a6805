import { expect, test } from 'vitest';
import { DwarfCursor } from '../elf/dwarf-cursor.ts';
import { readAbbreviations } from './abbreviations.ts';
import { at, form, tag } from './dwarf-constants.ts';
import { abbreviation, firstEntry, indexOf, leb, long, sectionsOf, text } from './dwarf-testing.ts';
import { TypeReader } from './dwarf-types.ts';

const [unit, variable, pointer, namespace, structure] = [1, 2, 3, 4, 5];
const table = [
  ...abbreviation(unit, tag.compileUnit, true, []),
  ...abbreviation(variable, tag.variable, false, [at.name, form.string, at.type, form.ref4]),
  ...abbreviation(pointer, tag.pointerType, false, [at.type, form.ref4]),
  ...abbreviation(namespace, tag.namespace, true, [at.name, form.string]),
  ...abbreviation(structure, tag.structureType, true, [at.name, form.string]),
  ...abbreviation(6, tag.variable, false, [at.name, form.string, at.constValue, form.udata]),
  ...abbreviation(7, tag.variable, false, [at.name, form.string, at.location, form.exprloc]),
  ...abbreviation(8, tag.variable, false, [at.name, form.string, at.constValue, form.indirect]),
  ...abbreviation(9, tag.subrangeType, false, [at.count, form.data4]),
  ...abbreviation(10, tag.arrayType, true, [at.type, form.ref4]),
  ...abbreviation(11, tag.baseType, false, [at.name, form.string, at.byteSize, form.data8]),
];
const good = [variable, ...text('good'), ...long(0)];

test.for([
  ['a number that never ends', [6, ...text('bad'), ...Array<number>(2_000_000).fill(0x80), 1]],
  ['a length that is no number', [7, ...text('bad'), ...Array<number>(200).fill(0x80), 1]],
  ['a form that names itself', [8, ...text('bad'), ...Array<number>(100_000).fill(form.indirect)]],
  ['an entry without a table', [99]],
] as const)('%s ends the reading, and what came before stays', async ([, bad]) => {
  const index = await indexOf(table, [unit, ...good, ...bad, 0]);
  expect(index.variable('good')).toBeDefined();
  expect(index.variable('bad')).toBeUndefined();
});

test('a cursor takes nothing that is not a number of bytes', () => {
  const { info } = sectionsOf(table, [unit]);
  const cursor = new DwarfCursor(info, 0, info.length);
  for (const bytes of [Number.NaN, -1, Number.POSITIVE_INFINITY]) expect(() => cursor.skip(bytes)).toThrow(RangeError);
  expect(cursor.at).toBe(0);
});

test('attributes that take no bytes are limited by their number', () => {
  const nothing = Array.from({ length: 501 }, () => [at.declaration, form.flagPresent]).flat();
  const { abbrev } = sectionsOf(abbreviation(1, tag.variable, false, nothing), []);
  expect(() => readAbbreviations(abbrev, 0)).toThrow('too large');
});

test('names inside five thousand namespaces are not put together', async () => {
  const deep = Array.from({ length: 5000 }, () => [namespace, ...text('a'.repeat(100))]).flat();
  const index = await indexOf(table, [unit, ...good, ...deep, ...good, 0]);
  expect(index.variable('good')).toBeDefined();
});

test('an entry with too many below it is read in part', async () => {
  const below = Array.from({ length: 120_000 }, () => [namespace, 0x61, 0, 0]).flat();
  const index = await indexOf(table, [unit, structure, ...text('huge'), ...below, 0, 0]);
  const children = index.type('huge')?.children.length ?? 0;
  expect(children).toBeGreaterThan(50_000);
  expect(children).toBeLessThan(110_000);
});

test('a pointer to a pointer to a pointer has a name that ends', async () => {
  const count = 20_000;
  const chain = Array.from({ length: count }, (_, n) => [pointer, ...long(firstEntry + 1 + 5 * (n + 1))]).flat();
  const index = await indexOf(table, [unit, ...chain, ...good, 0]);
  const reader = new TypeReader(
    (offset) => index.entry(offset),
    () => undefined,
  );
  const first = index.entry(firstEntry + 1);
  expect(first && reader.read(first).name).toMatch(/^… \*{32}$/);
});

test('arrays have so many dimensions, and sizes that can be counted with', async () => {
  const ranges = Array.from({ length: 5000 }, () => [9, ...long(0x7fffffff)]).flat();
  const base = [11, ...text('evil'), ...Array<number>(8).fill(255)];
  const entries = [unit, ...base, 10, ...long(firstEntry + 1), ...ranges, 0, 0];
  const index = await indexOf(table, entries);
  const reader = new TypeReader(
    (offset) => index.entry(offset),
    () => undefined,
  );
  const array = index.entry(firstEntry + 1 + base.length);
  const type = array && reader.read(array);
  expect(type?.name.match(/\[/g)).toHaveLength(16);
  expect(Number.isSafeInteger(type?.bytes)).toBe(true);
  expect(leb(300)).toEqual([0xac, 2]);
});
