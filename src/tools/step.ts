import { z } from 'zod';
import { changedRegisters } from './debug/changed-registers.ts';
import { cpuArgument, seenBy } from './debug/processor.ts';
import { requireRewind } from './debug/require-rewind.ts';
import { showInstructions } from './debug/show.ts';
import { defineTool } from './tool.ts';

export const step = defineTool({
  name: 'step',
  title: 'Step',
  description: 'Execute instructions one by one: into, over or out of subroutines; back where the machine can rewind.',
  toolset: 'debug',
  needs: ['control', 'cpu', 'addresses'],
  effect: 'change',
  whileStopped: true,
  input: z.object({
    kind: z.enum(['into', 'over', 'out']).default('into'),
    count: z.number().int().min(1).max(100_000).default(1),
    back: z.boolean().default(false),
    cpu: cpuArgument,
    timeout_ms: z.number().int().min(1).max(50_000).default(20_000),
  }),
  async run(machine, { kind, count, back, cpu: name, timeout_ms }, { signal }) {
    const { control } = machine;
    const { cpu, addresses } = await seenBy(machine, name);
    if (back) requireRewind(control);
    const before = await cpu.registers();
    const stop = await control.step({ kind, count, back, cpu: name, wallMs: timeout_ms }, signal);
    const after = await cpu.registers();
    const next = await cpu.disassemble(cpu.pc, 3);
    return {
      text: `${changedRegisters(before, after)}\n${showInstructions(next, addresses, cpu.pc)}`,
      data: { stop, pc: cpu.pc, registers: Object.fromEntries(after.map(({ name, value }) => [name, value])) },
    };
  },
});
