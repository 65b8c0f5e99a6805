import { z } from 'zod';
import { defineTool } from '../tool.ts';

const word = z.number().int().min(0).max(0xffff);

export const codeRead = defineTool({
  name: 'code_read',
  title: 'Read code',
  description: 'Instructions with their bytes, from a segmented address on.',
  toolset: 'inner',
  needs: ['cpu', 'addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({ segment: word, offset: word, count: z.number().int().min(1).max(500) }),
  async run({ cpu, addresses }, { segment, offset, count }) {
    const linear = BigInt(segment * 16 + offset);
    const first = addresses.segmented?.(BigInt(segment), BigInt(offset)) ?? linear;
    const code = await cpu.disassemble(first, count);
    return {
      text: '',
      data: {
        instructions: code.map(({ address, bytes, text }) => ({
          address: addresses.format(address),
          bytes: Buffer.from(bytes).toString('hex').toUpperCase(),
          text,
        })),
      },
    };
  },
});
