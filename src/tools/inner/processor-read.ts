import { z } from 'zod';
import { cpuArgument, seenBy } from '../debug/processor.ts';
import { defineTool } from '../tool.ts';

export const processorRead = defineTool({
  name: 'processor_read',
  title: 'Read the processor',
  description: 'Registers by name, and the time.',
  toolset: 'inner',
  needs: ['cpu'],
  effect: 'read',
  idempotent: true,
  input: z.object({ cpu: cpuArgument }),
  async run(machine, { cpu: name }) {
    const { cycles } = machine;
    const { cpu } = await seenBy(machine, name);
    const registers = await cpu.registers();
    return {
      text: '',
      data: {
        registers: Object.fromEntries(registers.map(({ name, value }) => [name, value])),
        processors: machine.processors?.names ?? [],
        cycles: cycles?.now ?? machine.status().now?.time ?? null,
      },
    };
  },
});
