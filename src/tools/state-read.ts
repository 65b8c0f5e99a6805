import { z } from 'zod';
import { momentOf } from './debug/moment-of.ts';
import { cpuArgument, seenBy } from './debug/processor.ts';
import { showAddress, showInstructions, showRegisters } from './debug/show.ts';
import { defineTool } from './tool.ts';

export const stateRead = defineTool({
  name: 'state_read',
  title: 'Read the state',
  description: 'Registers, next instructions and call stack in one call.',
  toolset: 'debug',
  needs: ['cpu', 'addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    instructions: z.number().int().min(0).max(50).default(8),
    cpu: cpuArgument.describe('drive8, vcpu1 …'),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run(machine, { instructions, cpu: name }) {
    const { cpu, addresses } = await seenBy(machine, name);
    const registers = await cpu.registers();
    const code = await cpu.disassemble(cpu.pc, instructions);
    const frames = await cpu.callStack();
    const source = addresses.source?.(cpu.pc);
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
        showInstructions(code, addresses, cpu.pc),
        ...calls,
        ...(frames.some(({ guess }) => guess) ? ['  (a guess: found by scanning the stack; some may be old)'] : []),
      ].join('\n'),
      data: {
        registers: Object.fromEntries(registers.map(({ name, value }) => [name, value])),
        pc: cpu.pc,
        instructions: code.map(({ address, text }) => ({ address, text })),
        call_stack: frames,
        ...(source && { source }),
        ...momentOf(machine.status()),
      },
    };
  },
});
