import { z } from 'zod';
import { changedRegisters } from './debug/changed-registers.ts';
import { cpuArgument, seenBy } from './debug/processor.ts';
import { requireRewind } from './debug/require-rewind.ts';
import { showInstructions } from './debug/show.ts';
import { showArgument, withShown } from './debug/shown.ts';
import { stepLines } from './debug/step-line.ts';
import { defineTool } from './tool.ts';

export const step = defineTool({
  name: 'step',
  title: 'Step',
  description: 'Execute instructions or source lines: into, over or out of subroutines; back where it can rewind.',
  toolset: 'debug',
  needs: ['control', 'cpu', 'addresses'],
  effect: 'change',
  whileStopped: true,
  input: z.object({
    kind: z.enum(['into', 'over', 'out', 'line']).default('into'),
    count: z.number().int().min(1).max(100_000).default(1),
    back: z.boolean().default(false),
    cpu: cpuArgument,
    show: showArgument,
    timeout_ms: z.number().int().min(1).max(50_000).default(20_000),
  }),
  async run(machine, { kind, count, back, cpu: name, timeout_ms: wallMs, show }, { signal }) {
    const { control } = machine;
    return withShown(machine, show, async () => {
      const { cpu, addresses } = await seenBy(machine, name);
      if (back) requireRewind(machine);
      const before = await cpu.registers();
      const stop =
        kind === 'line'
          ? await stepLines({ control, cpu, addresses }, { count, back, cpu: name, wallMs }, signal)
          : await control.step({ kind, count, back, cpu: name, wallMs }, signal);
      const after = await cpu.registers();
      const next = await cpu.disassemble(cpu.pc, 3);
      return {
        text: `${changedRegisters(before, after)}\n${showInstructions(next, addresses, cpu.pc)}`,
        data: { stop, pc: cpu.pc, registers: Object.fromEntries(after.map(({ name, value }) => [name, value])) },
      };
    });
  },
});
