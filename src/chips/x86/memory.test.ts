import { expect, test } from 'vitest';
import { smallestMemory, X86Memory } from './memory.ts';

test('a byte of more instructions than can be counted stays code until all is forgotten', () => {
  const memory = new X86Memory(new Uint8Array(smallestMemory));
  const changed: number[] = [];
  memory.onCodeChange = (address) => changed.push(address);
  for (let left = 300; left > 0; left--) memory.countCode(0x500, 1);
  memory.write8(0x500, 1);
  for (let left = 299; left > 0; left--) memory.countCode(0x500, -1);
  memory.write8(0x500, 2);
  memory.write8(0x501, 2);
  expect(changed).toEqual([0x500, 0x500]);
  memory.clearCode();
  memory.write8(0x500, 3);
  memory.countCode(0x500, 1);
  memory.write8(0x500, 4);
  memory.countCode(0x500, -1);
  memory.write8(0x500, 5);
  expect(changed).toEqual([0x500, 0x500, 0x500]);
});
