import { expect, test } from 'vitest';
import { requireFitting } from './require-fitting.ts';

const refusal = (format: string, firstAddress: number, bytes: number) => {
  const source = { name: `it.${format}`, format, bytes: new Uint8Array() };
  return () => requireFitting(source, { firstAddress, bytes, space: 0x10000 });
};

test('a text that makes nothing is told apart from a file without an address', () => {
  expect(refusal('asm', 0, 0)).toThrow('it.asm has no instruction and no data.');
  expect(refusal('prg', 0x801, 0)).toThrow('it.prg: 0 bytes do not fit at $0801.');
});

test('what goes beyond the last address is refused', () => {
  expect(refusal('prg', 0xffff, 2)).toThrow('it.prg: 2 bytes do not fit at $FFFF.');
  expect(refusal('prg', 0xfffe, 2)).not.toThrow();
});
