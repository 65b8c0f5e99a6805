import { expect, test } from 'vitest';
import { omfFile, omfModule } from './omf-testing.ts';
import { OmfError, readOmf } from './read-omf.ts';

test('code, names, what a linker fills in, and where the program begins', () => {
  const [module] = readOmf(omfModule([0x55, 0xe8, 0, 0, 0x5d, 0xc3, 0x90, 0xc3], { _a: 0, _b: 6 }, [2], 6));
  expect(module?.name).toBe('m.c');
  expect(module?.publics).toEqual([
    { name: '_a', segment: 0, offset: 0 },
    { name: '_b', segment: 0, offset: 6 },
  ]);
  expect(module?.segments).toMatchObject([{ class: 'CODE' }]);
  expect([...(module?.segments[0]?.bytes ?? [])]).toEqual([0x55, 0xe8, 0, 0, 0x5d, 0xc3, 0x90, 0xc3]);
  expect([...(module?.segments[0]?.unknown ?? [])]).toEqual([0, 0, 2, 2, 0, 0, 0, 0]);
  expect(module?.start).toEqual({ segment: 0, offset: 6 });
});

test('a library has its modules on pages', () => {
  const page = 16;
  const header = Uint8Array.of(0xf0, page - 3, 0, ...new Array<number>(page - 3).fill(0));
  const modules = [omfModule([0xc3], { _one: 0 }), omfModule([0x90, 0xc3], { _two: 1 })];
  const padded = modules.flatMap((bytes) => [
    ...bytes,
    ...new Array<number>((page - (bytes.length % page)) % page).fill(0),
  ]);
  const found = readOmf(Uint8Array.of(...header, ...padded, 0xf1, 1, 0, 0));
  expect(found.flatMap(({ publics }) => publics.map(({ name }) => name))).toEqual(['_one', '_two']);
});

test.each([
  ['nothing', new Uint8Array()],
  ['text', new TextEncoder().encode('hello, this is no object file')],
  ['a record that is cut short', Uint8Array.of(0x80, 200, 0, 1)],
  ['a record without its checksum', Uint8Array.of(0x80, 0, 0)],
])('%s is refused', (_, bytes) => {
  expect(() => readOmf(bytes)).toThrow(OmfError);
});

test('wrong numbers lead nowhere', () => {
  const data = omfFile(
    [0x80, 'x'],
    [0xa0, 9, 0, 0, 1, 2],
    [0x9c, 0xc4, 0, 0x56, 1],
    [0x90, 0, 7, '_f', 255, 255, 0],
    [0x8a, 0],
  );
  expect(readOmf(data)).toMatchObject([{ segments: [], publics: [{ segment: 6 }] }]);
  const huge = omfFile(
    [0x80, 'x'],
    [0x96, 'CODE'],
    ...new Array<[number, ...number[]]>(70).fill([0x99, 0x28, 0, 0, 0, 255, 1, 1, 1]),
    [0x8a, 0],
  );
  expect(() => readOmf(huge)).toThrow('too much');
});
