import { fields, type X87State } from './fields.ts';

/** Control, status, tags; the last instruction with its 11 bits; its operand. */
export function storeEnvironment(s: X87State, tags: number, wide: boolean): number[] {
  const instruction = [s[fields.instructionSegment], s[fields.instructionOffset]] as const;
  const operand = [s[fields.operandSegment], s[fields.operandOffset]] as const;
  const heads = [s[fields.control], s[fields.status], tags];
  if (s[fields.protectedMode] !== 0) return [...heads, instruction[1], instruction[0], operand[1], operand[0]];
  const [code, data] = [linear(instruction), linear(operand)];
  const pointers = [code & 0xffff, ((code >>> 16) << 12) | s[fields.opcode], data & 0xffff, (data >>> 16) << 12];
  if (!wide) return [...heads, ...pointers.map((word) => word & 0xffff)];
  // Halves that nothing is kept in are stored as ones.
  return [...heads, ...pointers].map((word, index) => ([4, 6].includes(index) ? word : word | -0x10000));
}

/** Takes the addresses from an environment, and gives its tags. */
export function loadEnvironment(s: X87State, words: readonly number[], wide: boolean): number {
  const word = (index: number) => words[index];
  s[fields.opcode] = word(4) & 0x7ff;
  if (s[fields.protectedMode] !== 0) {
    s[fields.instructionOffset] = word(3);
    s[fields.instructionSegment] = word(4);
    s[fields.operandOffset] = word(5);
    s[fields.operandSegment] = word(6);
  } else {
    const upper = (index: number) => (word(index) >>> 12) & (wide ? 0xffff : 15);
    s[fields.instructionOffset] = word(3) & 0xffff;
    s[fields.instructionSegment] = upper(4) << 12;
    s[fields.operandOffset] = word(5) & 0xffff;
    s[fields.operandSegment] = upper(6) << 12;
  }
  return word(2);
}

function linear([segment, offset]: readonly [number, number]): number {
  return ((segment << 4) + offset) >>> 0;
}
