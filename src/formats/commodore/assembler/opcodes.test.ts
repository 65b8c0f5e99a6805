import fc from 'fast-check';
import { expect, test } from 'vitest';
import { disassemble } from '../../../chips/mos6510/disassemble.ts';
import { opcodes } from '../../../chips/mos6510/opcodes.ts';
import { assemble } from './assemble.ts';

function bytesOf(text: string, origin: number): number[] {
  const { bytes, errors } = assemble(` ${text}`, { origin });
  expect(errors).toEqual([]);
  return [...bytes];
}

test.for(opcodes)('$opcode $mnemonic $mode', ({ opcode, mnemonic, mode, length }) => {
  const origin = 0x1000;
  const source = disassemble([opcode, 0x12, 0x34], origin).text;
  const [first = -1, ...operand] = bytesOf(source, origin);
  // Several opcodes do the same; the assembler takes one of them.
  const chosen = opcodes[first];
  expect(chosen).toMatchObject({ mnemonic, mode, length });
  expect(operand).toEqual([0x12, 0x34].slice(0, length - 1));
  const doubles = opcodes.filter((row) => row.mnemonic === mnemonic && row.mode === mode);
  if (doubles.length === 1) expect(first).toBe(opcode);
});

test('assembling what the disassembler wrote gives the same text and length again', () => {
  const byte = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(byte, byte, byte, fc.integer({ min: 0x0200, max: 0xfe00 }), (opcode, low, high, origin) => {
      const { text, length } = disassemble([opcode, low, high], origin);
      const bytes = bytesOf(text, origin);
      expect(bytes).toHaveLength(length);
      expect(disassemble(bytes, origin).text).toBe(text);
    }),
    { numRuns: 500 },
  );
});

test.for([
  ['lax #1', 0xab],
  ['axs #1', 0xcb],
  ['axs $10', 0x87],
  ['sax ($10,x)', 0x83],
  ['dcm $10', 0xc7],
  ['isb $10', 0xe7],
  ['ins $1000', 0xef],
  ['aso $10', 0x07],
  ['lse $10', 0x47],
  ['asr #1', 0x4b],
  ['alr #1', 0x4b],
  ['arr #1', 0x6b],
  ['xaa #1', 0x8b],
  ['ane #1', 0x8b],
  ['lxa #1', 0xab],
  ['lar $1000,y', 0xbb],
  ['ahx $1000,y', 0x9f],
  ['ahx ($10),y', 0x93],
  ['shs $1000,y', 0x9b],
  ['kil', 0x02],
  ['hlt', 0x02],
  ['dop', 0x80],
  ['dop $10', 0x04],
  ['dop $10,x', 0x14],
  ['top $1000', 0x0c],
  ['top $1000,x', 0x1c],
  ['top', 0x0c],
  ['blt *', 0x90],
  ['BGE *', 0xb0],
] as const)('%s', ([source, opcode]) => expect(bytesOf(source, 0x1000)[0]).toBe(opcode));
