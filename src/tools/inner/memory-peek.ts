import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const memoryPeek = defineTool({
  name: 'memory_peek',
  title: 'Peek at memory',
  description: 'Bytes from a linear address of the first memory on; none where the range lies outside it.',
  toolset: 'inner',
  needs: ['memory'],
  effect: 'read',
  idempotent: true,
  input: z.object({ address: z.number().int().min(0), length: z.number().int().min(1).max(0x10000) }),
  async run({ memory }, { address, length }) {
    const [space] = memory.spaces;
    const size = space?.size ?? 0n;
    if (!space || BigInt(address + length) > size) return { text: '', data: { size } };
    const bytes = await memory.peek(space.name, BigInt(address), length);
    return { text: '', data: { size, bytes: Buffer.from(bytes).toString('hex').toUpperCase() } };
  },
});
