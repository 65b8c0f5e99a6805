import type { Instruction } from '../../../chips/x86/instruction.ts';
import type { X86 } from '../../../chips/x86/x86.ts';

/** Where a step over or out ends: at a linear address, when it is come to at the right moment. */
export interface Destination {
  readonly address: number;
  isThere(): boolean;
}

/** After the call that comes next, or the interrupt that a halted processor waits for; undefined if something else does. */
export function afterCall(cpu: X86): Destination | undefined {
  const next = cpu.decode(cpu.get('cs'), cpu.get('eip'));
  if (!cpu.isAfterHlt && !isCall(next)) return undefined;
  const stack = cpu.stackTop;
  const base = cpu.baseOf('ss');
  // On another stack nothing can be compared.
  const isThere = () => cpu.stackTop >= stack || cpu.baseOf('ss') !== base;
  return { address: cpu.isAfterHlt ? cpu.pc : next.space.linear(next.cs, next.next), isThere };
}

/** Where the innermost call returns to; undefined if none is known. */
export function afterReturn(cpu: X86): Destination | undefined {
  const depth = cpu.contexts.length;
  const calls = cpu.contexts.at(-1)?.calls;
  if (calls === undefined || calls.depth === 0) return undefined;
  const { returnKey } = calls.frame(calls.depth - 1);
  const address = cpu.addressOf(returnKey).linear;
  return { address, isThere: () => cpu.contexts.length <= depth };
}

/** What is gone through as one: calls, software interrupts, repeated string instructions, and HLT with the interrupt that ends it. */
function isCall({ form, repeat }: Instruction): boolean {
  return repeat !== 0 || ['call', 'callf', 'int', 'int3', 'into', 'hlt'].includes(form.mnemonic);
}
