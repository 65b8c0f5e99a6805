import { describe, expect, it } from 'vitest';
import { stateWords } from './fields.ts';
import { I8237 } from './i8237.ts';

function dma() {
  const memory = new Uint8Array(0x100000);
  const chip = new I8237(new Int32Array(stateWords), {
    readMemory: (address) => memory[address] ?? 0xff,
    writeMemory: (address, value) => {
      memory[address] = value;
    },
  });
  chip.powerOn();
  const out = (port: number, ...values: number[]) => {
    for (const value of values) chip.write(port, value);
  };
  return { chip, memory, out };
}

describe('8237A', () => {
  it('moves a block from memory and ends it at the terminal count', () => {
    const { chip, memory, out } = dma();
    memory.set([1, 2, 3], 0x21234);
    expect(chip.transfer(1)).toBeUndefined();
    out(0x0c, 0);
    out(0x02, 0x34, 0x12);
    out(0x03, 2, 0);
    out(0x83, 2);
    out(0x0b, 0x49);
    out(0x0a, 1);
    expect([chip.transfer(1), chip.transfer(1), chip.transfer(1), chip.transfer(1)]).toEqual([
      { value: 1, terminal: false },
      { value: 2, terminal: false },
      { value: 3, terminal: true },
      undefined,
    ]);
    expect([chip.read(0x08), chip.read(0x08)]).toEqual([2, 0]);
    out(0x0c, 0);
    expect([chip.read(0x03), chip.read(0x03)]).toEqual([0xff, 0xff]);
  });

  it('begins anew with auto-initialisation, and counts down', () => {
    const { chip, memory, out } = dma();
    memory.set([9, 8], 0x100);
    out(0x0c, 0);
    out(0x06, 0x01, 0x01);
    out(0x07, 1, 0);
    out(0x0b, 0x7b);
    out(0x0a, 3);
    const values = Array.from({ length: 5 }, () => chip.transfer(3)?.value);
    expect(values).toEqual([8, 9, 8, 9, 8]);
  });

  it('writes words on the second controller, by word addresses', () => {
    const { chip, memory, out } = dma();
    out(0xd8, 0);
    out(0xc4, 0x00, 0x40);
    out(0xc6, 10, 0);
    out(0x8b, 0x03);
    out(0xd6, 0x45);
    out(0xd4, 1);
    expect(chip.transfer(5)).toBeUndefined();
    chip.transfer(5, 0x1234);
    chip.transfer(5, 0x5678);
    expect([...memory.subarray(0x28000, 0x28004)]).toEqual([0x34, 0x12, 0x78, 0x56]);
    expect(chip.read(0x8b)).toBe(3);
  });

  it('only counts where a channel is set to verify, in either direction', () => {
    const { chip, memory, out } = dma();
    memory.set([7, 7], 0x100);
    out(0x0c, 0);
    out(0x04, 0x00, 0x01);
    out(0x05, 1, 0);
    out(0x0b, 0x42);
    out(0x0a, 2);
    expect([chip.transfer(2, 0x55), chip.transfer(2)]).toEqual([
      { value: 0x55, terminal: false },
      { value: 0xff, terminal: true },
    ]);
    expect([...memory.subarray(0x100, 0x102), chip.read(0x08)]).toEqual([7, 7, 4]);
    out(0x0c, 0);
    expect([chip.read(0x04), chip.read(0x04)]).toEqual([2, 1]);
  });

  it('masks all after a clear and shows the mask', () => {
    const { chip, out } = dma();
    out(0x0f, 5);
    expect(chip.read(0x0f)).toBe(0xf5);
    out(0x0d, 0);
    expect(chip.read(0x0f)).toBe(0xff);
    out(0x0e, 0);
    expect([chip.isReady(0), chip.isReady(4)]).toEqual([true, false]);
    out(0x80, 0x77);
    expect(chip.read(0x80)).toBe(0x77);
  });
});
