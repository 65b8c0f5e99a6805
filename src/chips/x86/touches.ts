import { emit } from './emit.ts';
import type { Instruction } from './instruction.ts';
import { operationOf } from './operations/index.ts';
import { fields } from './registers.ts';

/** What a question about the processor may depend on: general registers by the bit of their number, and these. */
export const dependsOn = {
  segments: 1 << 8,
  flags: 1 << 9,
  memory: 1 << 10,
  /** What nobody keeps account of: it has to be asked before each instruction. */
  anything: 1 << 30,
} as const;

const everything = 0x7fffffff;
const [ax, cx, dx, si, di] = [1 << 0, 1 << 1, 1 << 2, 1 << 6, 1 << 7];
const { flags, memory } = dependsOn;

/** Calls whose own work touches this much, besides the operands that their text writes. All others may touch everything. */
const byCall: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    ['rol', 'ror', 'rcl', 'rcr', 'shl', 'shr', 'sal', 'sar', 'shld', 'shrd', 'bsf', 'bsr'].map((name) => [name, flags]),
  ),
  mul: ax | dx | flags,
  imul: ax | dx | flags,
  div: ax | dx | flags,
  idiv: ax | dx | flags,
  movs: cx | si | di | memory,
  stos: cx | di | memory,
  lods: ax | cx | si,
  cmps: cx | si | di | flags,
  scas: cx | di | flags,
};

const assignment = /\b(R|R16|R8)\[(\d+)(?: \+ (\d+))?\] (?:[|&^+-]|)=(?!=)/g;
const anyAssignment = /\b(?:R|R16|R8)\[[^\]]*\] (?:[|&^+-]|<<|>>>?|)=(?!=)/g;
const flagAssignment = /\bf[rxco] (?:[|&^+-]|)=(?!=)/;
const store = /\bwf\[|\bc\.write/;
const otherCall = /\bc\.(?!read|write|change|fault\b)\w+\(/;
const wordsPerIndex = { R: 1, R16: 2, R8: 4 } as const;

/** What an instruction may change of all this, read off the text that it runs as; `anything` is always among it. */
export function touchesOf(instruction: Instruction, generation: number): number {
  const { call } = operationOf(instruction);
  const own = call ? byCall[instruction.form.mnemonic] : 0;
  if (own === undefined || instruction.repeat !== 0) return everything;
  const text = emit(instruction, generation, (name) => `${instruction[name]}`);
  const written = [...text.matchAll(assignment)];
  if (otherCall.test(text) || written.length !== [...text.matchAll(anyAssignment)].length) return everything;
  let touches = dependsOn.anything | own;
  for (const [, view, index, more] of written) {
    const word = Math.floor((Number(index) + Number(more ?? 0)) / wordsPerIndex[view as keyof typeof wordsPerIndex]);
    touches |= bitOf(word);
  }
  if (flagAssignment.test(text)) touches |= flags;
  return store.test(text) ? touches | memory : touches;
}

function bitOf(word: number): number {
  if (word < fields.zero) return 1 << word;
  if (word >= fields.es && word <= fields.gsBase) return dependsOn.segments;
  if (word >= fields.eflags && word <= fields.overflow) return flags;
  // Where it goes, and when interrupts come: nobody keeps account of these.
  return word === fields.eip || word === fields.shadow ? 0 : everything;
}
