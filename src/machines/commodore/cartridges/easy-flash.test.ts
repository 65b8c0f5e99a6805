import { describe, expect, test } from 'vitest';
import { readCrt, writeCrt } from '../../../formats/commodore/media/crt.ts';
import { DiskShelf } from '../drive/disk-shelf.ts';
import { cartridgeOf, cartridgeStateWords } from './cartridge-types.ts';

const ultimax = 5;
const bank = (number: number, address: number, fill: number) => ({
  type: 'flash' as const,
  bank: number,
  address,
  size: 0x2000,
  bytes: new Uint8Array(0x2000).fill(fill),
});
const crt = readCrt(
  writeCrt({
    name: 'FLASH',
    version: 0x100,
    hardware: 32,
    hardwareName: 'EasyFlash',
    exrom: 1,
    game: 0,
    chips: [bank(0, 0x8000, 1), bank(0, 0xa000, 2)],
  }),
);

function easyFlash(shelf = new DiskShelf()) {
  const cartridge = cartridgeOf(crt, new Int32Array(cartridgeStateWords(crt)), shelf);
  cartridge.write(0xde02, ultimax);
  const unlock = (write: (offset: number, value: number) => boolean) => {
    write(0x555, 0xaa);
    write(0x2aa, 0x55);
  };
  const low = (offset: number, value: number) => cartridge.writeLow(offset, value);
  const high = (offset: number, value: number) => cartridge.writeHigh(offset, value);
  const program = (write: typeof low, at: number, value: number) => {
    unlock(write);
    write(0x555, 0xa0);
    write(at, value);
  };
  return { cartridge, low, high, unlock, program };
}

describe('the flash of an EasyFlash', () => {
  test('programs bytes, which only clears bits', () => {
    const { cartridge, low, high, program } = easyFlash();
    cartridge.write(0xde00, 3);
    program(low, 0x123, 0x5a);
    program(low, 0x123, 0xf0);
    program(high, 0x1fff, 0x77);
    expect(cartridge.mapping.roml?.[0x123]).toBe(0x50);
    expect(cartridge.mapping.romh?.[0x1fff]).toBe(0x77);
    expect(cartridge.mapping.roml?.[0x124]).toBe(0xff);
    expect(cartridge.peekRom(3 * 0x4000 + 0x123)).toBe(0x50);
  });

  test('erases a sector of eight banks, or the chip', () => {
    const { cartridge, low, unlock, program } = easyFlash();
    const erase = (command: number, at: number) => {
      unlock(low);
      low(0x555, 0x80);
      unlock(low);
      low(at, command);
    };
    cartridge.write(0xde00, 8);
    program(low, 0, 0);
    cartridge.write(0xde00, 7);
    erase(0x30, 0x100);
    expect([cartridge.peekRom(0), cartridge.peekRom(8 * 0x4000), cartridge.peekRom(0x2000)]).toEqual([0xff, 0, 2]);
    erase(0x10, 0x555);
    expect(cartridge.peekRom(8 * 0x4000)).toBe(0xff);
  });

  test('says who it is until it is told to stop', () => {
    const { cartridge, low, unlock } = easyFlash();
    unlock(low);
    expect(low(0x555, 0x90)).toBe(true);
    const { roml } = cartridge.mapping;
    expect([roml?.[0], roml?.[1]]).toEqual([0x01, 0xa4]);
    expect(cartridge.mapping.romh?.[0]).toBe(2);
    expect(low(0, 0xf0)).toBe(true);
    expect(cartridge.mapping.roml?.[0]).toBe(1);
  });

  test('takes no other bytes, and none outside Ultimax mode', () => {
    const { cartridge, low, program } = easyFlash();
    low(0x10, 0x00);
    low(0x555, 0xaa);
    low(0x2aa, 0x56);
    low(0x555, 0xa0);
    low(0x10, 0x00);
    cartridge.write(0xde02, 7);
    program(low, 0x10, 0);
    expect(cartridge.mapping.roml?.[0x10]).toBe(1);
  });

  test('goes back to what the state names, in the middle of a page too', () => {
    const shelf = new DiskShelf();
    const one = easyFlash(shelf);
    one.cartridge.write(0xde00, 5);
    for (let at = 0; at < 300; at++) one.program(one.low, at, at & 0x7f);
    const saved = one.cartridge.state.slice();
    for (let at = 300; at < 700; at++) one.program(one.low, at, 0);
    one.cartridge.state.set(saved);
    one.cartridge.restored();
    const { roml } = one.cartridge.mapping;
    expect([roml?.[299], roml?.[300], roml?.[600]]).toEqual([299 & 0x7f, 0xff, 0xff]);
    const other = easyFlash(shelf);
    other.cartridge.state.set(saved);
    other.cartridge.restored();
    expect(other.cartridge.mapping.roml?.subarray(0, 512)).toEqual(roml?.subarray(0, 512));
  });

  test('keeps its contents when the power goes, and in the file', () => {
    const { cartridge, low, program } = easyFlash();
    cartridge.write(0xde00, 9);
    program(low, 7, 0x33);
    cartridge.state.fill(0);
    cartridge.reset();
    expect(cartridge.peekRom(9 * 0x4000 + 7)).toBe(0x33);
    const again = readCrt(cartridge.file() ?? new Uint8Array());
    expect(again.chips.map((chip) => [chip.bank, chip.address, chip.bytes[7]])).toEqual([
      [0, 0x8000, 1],
      [0, 0xa000, 2],
      [9, 0x8000, 0x33],
    ]);
  });
});
