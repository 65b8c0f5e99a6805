import { expect, test } from 'vitest';
import { readCrt } from '../../../formats/commodore/media/crt.ts';
import { banks, crtFile } from '../../../formats/commodore/media/crt-testing.ts';
import { cartridgeFields } from './cartridge.ts';
import { cartridgeOf, cartridgeStateWords } from './cartridge-types.ts';

const plug = (...args: Parameters<typeof crtFile>) => cartridgeOf(readCrt(crtFile(...args)));
/** ROML's and ROMH's first byte and the lines. */
const seen = ({ mapping: { roml, romh, exrom, game } }: ReturnType<typeof plug>) => [roml?.[0], romh?.[0], exrom, game];

test('a type that is not known here is refused by its name', () => {
  expect(() => plug(60, 0, 0, banks(1))).toThrow('GMod2');
});

test('normal: 8K, 16K, Ultimax', () => {
  expect(seen(plug(0, 0, 1, banks(1)))).toEqual([1, undefined, 0, 1]);
  expect(seen(plug(0, 0, 0, [{ bank: 0, address: 0x8000, fill: 7, size: 0x4000 }]))).toEqual([7, 7, 0, 0]);
  expect(seen(plug(0, 1, 0, [{ bank: 0, address: 0xe000, fill: 9 }]))).toEqual([undefined, 9, 1, 0]);
});
test('Ocean', () => {
  const cartridge = plug(5, 0, 0, banks(16));
  expect(seen(cartridge)).toEqual([1, 1, 0, 0]);
  expect(cartridge.write(0xde00, 0x85)).toBe(true);
  expect(seen(cartridge)).toEqual([6, 6, 0, 0]);
});
test('Magic Desk', () => {
  const cartridge = plug(19, 0, 1, banks(8));
  cartridge.write(0xde00, 3);
  expect(seen(cartridge)).toEqual([4, undefined, 0, 1]);
  cartridge.write(0xde00, 0x80);
  expect(seen(cartridge).slice(2)).toEqual([1, 1]);
});
test('Action Replay: banks, RAM, freeze, off until reset', () => {
  const cartridge = plug(1, 0, 1, banks(4));
  expect(seen(cartridge)).toEqual([1, 1, 0, 1]);
  cartridge.write(0xde00, 0x08 | 0x01);
  expect(seen(cartridge)).toEqual([2, 2, 0, 0]);
  expect(cartridge.read(0xdf05)).toBe(2);
  cartridge.write(0xde00, 0x20);
  cartridge.writeLow(0x1f05, 0x77);
  expect(cartridge.read(0xdf05)).toBe(0x77);
  cartridge.write(0xdf06, 0x66);
  expect(cartridge.mapping.roml?.[0x1f06]).toBe(0x66);
  cartridge.freeze();
  expect(seen(cartridge).slice(2)).toEqual([1, 0]);
  cartridge.write(0xde00, 4);
  expect(seen(cartridge).slice(2)).toEqual([1, 1]);
  expect(cartridge.write(0xde00, 0)).toBe(false);
  cartridge.reset();
  expect(seen(cartridge)).toEqual([1, 1, 0, 1]);
});
test('EasyFlash: boot in Ultimax mode, banks, modes, RAM', () => {
  const chips = [...banks(4), ...banks(4, 0xa000).map((chip) => ({ ...chip, fill: chip.fill + 100 }))];
  const cartridge = plug(32, 1, 0, chips);
  expect(seen(cartridge)).toEqual([1, 101, 1, 0]);
  cartridge.write(0xde00, 2);
  const modes = [4, 5, 6, 7].map((mode) => {
    cartridge.write(0xde02, mode);
    return seen(cartridge).slice(2);
  });
  expect(modes).toEqual([
    [1, 1],
    [1, 0],
    [0, 1],
    [0, 0],
  ]);
  expect(seen(cartridge).slice(0, 2)).toEqual([3, 103]);
  cartridge.write(0xdf10, 0x55);
  expect(cartridge.read(0xdf10)).toBe(0x55);
});
test('Game System, Dinamic, Simons BASIC, Final Cartridge III', () => {
  const system3 = plug(15, 0, 1, banks(64));
  system3.write(0xde07, 0);
  expect(seen(system3)[0]).toBe(8);
  system3.read(0xde00);
  expect(seen(system3)[0]).toBe(1);
  const dinamic = plug(17, 0, 1, banks(16));
  dinamic.read(0xde05);
  expect(seen(dinamic)[0]).toBe(6);
  const simons = plug(4, 0, 0, [{ bank: 0, address: 0x8000, fill: 7, size: 0x4000 }]);
  simons.write(0xde00, 1);
  expect(seen(simons)).toEqual([7, 7, 0, 0]);
  simons.read(0xde00);
  expect(seen(simons).slice(2)).toEqual([0, 1]);
  const final = plug(
    3,
    1,
    1,
    Array.from({ length: 4 }, (_, bank) => ({ bank, address: 0x8000, fill: bank + 1, size: 0x4000 })),
  );
  final.write(0xdfff, 0x42);
  expect(seen(final)).toEqual([3, 3, 0, 0]);
  expect(final.read(0xde00)).toBe(3);
  final.write(0xdfff, 0xf0);
  expect(final.write(0xdfff, 0x42)).toBe(false);
  expect(seen(final).slice(2)).toEqual([1, 1]);
});
test('all that changes is in the state: a copy goes on the same way', () => {
  const crt = readCrt(crtFile(1, 0, 1, banks(4)));
  const one = cartridgeOf(crt);
  one.write(0xde00, 0x30);
  one.writeLow(5, 99);
  const two = cartridgeOf(crt, new Int32Array(cartridgeStateWords(crt)));
  two.state.set(one.state);
  expect(two.mapping).toEqual(one.mapping);
  expect(two.state[cartridgeFields.bank]).toBe(2);
  for (const cartridge of [one, two]) cartridge.write(0xde00, 0x09);
  expect(two.mapping).toEqual(one.mapping);
});
