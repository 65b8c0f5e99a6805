import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const processorRead = defineTool({
  name: 'processor_read',
  title: 'Read the processor',
  description: 'Registers by name, and the time.',
  toolset: 'inner',
  needs: ['cpu'],
  effect: 'read',
  idempotent: true,
  input: z.object({}),
  async run(machine) {
    const { cpu, cycles } = machine;
    const registers = await cpu.registers();
    return {
      text: '',
      data: {
        registers: Object.fromEntries(registers.map(({ name, value }) => [name, value])),
        cycles: cycles?.now ?? machine.status().now?.time ?? null,
      },
    };
  },
});
