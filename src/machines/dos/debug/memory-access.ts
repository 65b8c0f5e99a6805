import { effectsOf } from '../../../chips/x86/effects.ts';
import type { Instruction } from '../../../chips/x86/instruction.ts';
import { fields, registerPlaces, stateWords, toBase } from '../../../chips/x86/registers.ts';

/** What an instruction does to memory through an operand that is written in it. */
export interface MemoryAccess {
  /** Linear. */
  readonly address: number;
  readonly bytes: number;
  readonly access: 'read' | 'write';
}

/** Their operands are implied and move on with each step. */
const strings = ['movs', 'cmps', 'stos', 'lods', 'scas', 'ins', 'outs'];
/** They read a far pointer from memory, which the semantics table counts as an address. */
const pointers = ['les', 'lds', 'lss', 'lfs', 'lgs', 'callf', 'jmpf'];

/** Registers at a moment, by name, as the processor would have them in its state. */
export function stateWith(registers: Iterable<readonly [name: string, value: number]>): Int32Array {
  const words = new Int32Array(stateWords);
  for (const [name, value] of registers) {
    const place = registerPlaces.get(name);
    if (!place) continue;
    words[place.word] = value;
    if (place.word >= fields.es && place.word <= fields.gs) words[place.word + toBase] = value << 4;
  }
  return words;
}

export function memoryAccesses(instruction: Instruction, state: Int32Array): readonly MemoryAccess[] {
  const { operands, form, operandSize } = instruction;
  const place = operands.findIndex(({ kind }) => kind === 'memory');
  const operand = operands[place];
  if (!operand || strings.includes(form.mnemonic)) return [];
  const address = segmentBase(instruction, state) + offsetOf(instruction, state);
  if (pointers.includes(form.mnemonic)) return [{ address, bytes: 2 + operandSize / 8, access: 'read' }];
  const { reads, writes } = effectsOf(instruction);
  const bytes = operand.bytes ?? operand.width / 8;
  return [
    ...(reads.includes(place) ? [{ address, bytes, access: 'read' as const }] : []),
    ...(writes.includes(place) ? [{ address, bytes, access: 'write' as const }] : []),
  ];
}

function segmentBase({ seg }: Instruction, state: Int32Array): number {
  return (state[seg] ?? 0) >>> 0;
}

function offsetOf({ addressSize, base, index, scale, disp }: Instruction, state: Int32Array): number {
  if (addressSize === 32) return ((state[base] ?? 0) + ((state[index] ?? 0) << scale) + disp) >>> 0;
  const halves = new Uint16Array(state.buffer, state.byteOffset, state.length * 2);
  return ((halves[base] ?? 0) + (halves[index] ?? 0) + disp) & 0xffff;
}
