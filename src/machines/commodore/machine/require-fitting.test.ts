import { expect, test } from 'vitest';
import { requireFitting, requireSeen } from './require-fitting.ts';

const refusal = (format: string, firstAddress: number, bytes: number, end = 0x10000) => {
  const source = { name: `it.${format}`, format };
  return () => requireFitting(source, { firstAddress, bytes }, { ramEnd: () => end });
};

test('a text that makes nothing is told apart from a file without an address', () => {
  expect(refusal('asm', 0, 0)).toThrow('it.asm has no instruction and no data.');
  expect(refusal('prg', 0x801, 0)).toThrow('it.prg: 0 bytes do not fit at $0801.');
});

test('what goes beyond the last address, or the end of RAM, is refused', () => {
  expect(refusal('prg', 0xffff, 2)).toThrow('it.prg: 2 bytes do not fit at $FFFF.');
  expect(refusal('prg', 0xfffe, 2)).not.toThrow();
  expect(refusal('prg', 0x1f00, 0x101, 0x2000)).toThrow('it.prg: 257 bytes do not fit at $1F00: RAM ends at $1FFF.');
  expect(refusal('prg', 0x1f00, 0x100, 0x2000)).not.toThrow();
  expect(refusal('prg', 0x2000, 1, 0x2000)).toThrow('it.prg: 1 byte does not fit at $2000: there is no RAM.');
});

test('code is refused where the processor sees something else', () => {
  const reads = new Int32Array(256);
  reads.fill(0x20000, 0xa0, 0xc0);
  const seen = (first: number) => () => requireSeen('it', first, { reads }, { io: { first: 0xd000, last: 0xdfff } });
  expect(seen(0xa000)).toThrow(
    'it begins at $A000, where the processor sees ROM and not the RAM that it is loaded into.',
  );
  expect(seen(0xd020)).toThrow('where the processor sees chips');
  expect(seen(0xc000)).not.toThrow();
});
