import { disassemble } from '../../../chips/x86/disassemble.ts';
import type { Instruction } from '../../../chips/x86/instruction.ts';
import type { SymbolTable } from '../../../machine/addresses.ts';

/** An instruction as text, with the name of what it leads to in place of the address. */
export function codeText(instruction: Instruction, symbols: SymbolTable): string {
  const text = disassemble(instruction);
  const target = targetOf(instruction);
  const name = target === undefined ? undefined : symbols.describe(BigInt(target), 0n);
  return name === undefined ? text : text.replace(/\S+$/, name);
}

/** Linear address that a direct jump or call leads to. */
function targetOf({ cs, imm, target, operands, space }: Instruction): number | undefined {
  if (operands.some(({ kind }) => kind === 'target')) return space.linear(cs, target);
  return operands.some(({ kind }) => kind === 'far') && space.segmented ? imm * 16 + target : undefined;
}
