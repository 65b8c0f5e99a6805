import { expect, test } from 'vitest';
import { assemble } from '../../../formats/commodore/assembler/assemble.ts';
import { canReach } from './code-flow.ts';

function memoryOf(source: string): (address: number) => number {
  const { origin, bytes, errors } = assemble(source);
  expect(errors).toEqual([]);
  return (address) => bytes[address - origin] ?? 0;
}

test('code is followed through branches and jumps, not beyond its end', () => {
  const peek = memoryOf('* = $c000\n bne over\n rts\nover jmp there\n nop\nthere lda #1');
  expect(canReach(0xc000, 0xc007, peek)).toBe(true);
  expect(canReach(0xc000, 0xc006, peek)).toBe(false);
  expect(canReach(0xc002, 0xc003, peek)).toBe(false);
});

test('an indirect jump leads to where its vector points, with both bytes from one page', () => {
  const peek = memoryOf('* = $c000\n .byte $20\n jmp (vector)\nthere rts\n * = $c0ff\nvector .byte $04');
  // The second byte is that of $C000.
  expect(canReach(0xc001, 0x2004, peek)).toBe(true);
  expect(canReach(0xc001, 0xc004, peek)).toBe(false);
});
