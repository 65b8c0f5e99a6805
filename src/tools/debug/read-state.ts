import type { ToolAnswer } from '../../api/tool-host.ts';
import type { MachineWith } from '../../machine/machine.ts';
import { localVariables } from './local-variables.ts';
import { momentOf } from './moment-of.ts';
import { seenBy } from './processor.ts';
import { showAddress, showInstructions, showRegisters } from './show.ts';

/** Registers, the next instructions and the call stack, which for some machines is much work; with no instructions none of both. */
export async function readState(
  machine: MachineWith<'cpu' | 'addresses'>,
  { instructions, cpu: name }: { readonly instructions: number; readonly cpu?: string | undefined },
): Promise<ToolAnswer> {
  const { cpu, addresses } = await seenBy(machine, name);
  const registers = await cpu.registers();
  const code = await cpu.disassemble(cpu.pc, instructions);
  const frames = instructions > 0 ? await cpu.callStack() : [];
  const source = addresses.source?.(cpu.pc);
  const { shown: locals, more } =
    name === undefined && instructions > 0 ? await localVariables(machine) : { shown: [], more: 0 };
  const calls = frames
    .slice(0, 8)
    .map(
      ({ from, kind, guess }) =>
        `  ${guess ? 'perhaps called from' : kind === 'interrupt' ? 'interrupted at' : 'called from'} ${showAddress(from, addresses)}`,
    );
  return {
    text: [
      `${name === undefined ? '' : `${name}: `}${showRegisters(registers)}`,
      ...(source ? [`${source.file}:${source.line}  ${source.text ?? ''}`.trimEnd()] : []),
      ...(locals.length > 0
        ? [`${locals.map((each) => `${each.name} = ${each.text}`).join(', ')}${more > 0 ? `, and ${more} more` : ''}`]
        : []),
      ...(code.length > 0 ? [showInstructions(code, addresses, cpu.pc)] : []),
      ...calls,
      ...(frames.some(({ guess }) => guess) ? ['  (a guess: found by scanning the stack; some may be old)'] : []),
    ].join('\n'),
    data: {
      registers: Object.fromEntries(registers.map(({ name, value }) => [name, value])),
      pc: cpu.pc,
      ...(instructions > 0 && {
        instructions: code.map(({ address, text }) => ({ address, text })),
        call_stack: frames,
      }),
      ...(source && { source }),
      ...(locals.length > 0 && {
        variables: locals.map(({ name, text, type, address }) => ({ name, text, type, address })),
        ...(more > 0 && { variables_left_out: more }),
      }),
      ...momentOf(machine.status()),
    },
  };
}
