import { z } from 'zod';
import { addressOf } from './debug/address.ts';
import { showInstructions } from './debug/show.ts';
import { defineTool } from './tool.ts';

export const disassemble = defineTool({
  name: 'disassemble',
  title: 'Disassemble',
  description: 'Instructions from an address on (default: where the processor stands), with symbols.',
  toolset: 'debug',
  needs: ['cpu', 'addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    address: z.string().optional(),
    count: z.number().int().min(1).max(500).default(20),
  }),
  async run({ cpu, addresses }, { address, count }) {
    const first = address === undefined ? cpu.pc : await addressOf(address, addresses);
    const instructions = await cpu.disassemble(first, count);
    return {
      text: showInstructions(instructions, addresses, cpu.pc),
      data: { instructions: instructions.map(({ address: at, text }) => ({ address: at, text })) },
    };
  },
});
