import { z } from 'zod';
import { hex } from '../formats/hex.ts';
import { addressOf } from './debug/address.ts';
import { memoryViews, showMemory } from './debug/memory-views.ts';
import { cpuArgument, seenBy } from './debug/processor.ts';
import { checkRange, placeIn } from './debug/space.ts';
import { defineTool } from './tool.ts';

export const memoryRead = defineTool({
  name: 'memory_read',
  title: 'Read memory',
  description: 'Memory as hex dump, numbers or texts: {"address":"$0400","length":40}.',
  toolset: 'debug',
  needs: ['memory', 'addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    address: z.string().describe('$C000, a symbol, sp+8, phys:0x1000'),
    length: z.number().int().min(1).max(8192).default(128),
    space: z.string().optional().describe('Default: what the processor sees'),
    cpu: cpuArgument,
    format: z.enum([...memoryViews, 'json']).optional(),
  }),
  async run(machine, { address, length, space: name, cpu, format }) {
    const { memory, addresses } = await seenBy(machine, cpu);
    const { space, text } = placeIn(memory, name, address);
    const first = await addressOf(text, addresses);
    checkRange(space, first, length, addresses.format);
    const bytes = await memory.peek(space.name, first, length);
    return {
      text: showMemory(
        format === 'json' ? 'text' : (format ?? 'text'),
        { bytes, first, bigEndian: memory.bigEndian ?? false },
        addresses,
      ),
      data: { address: first, length, space: space.name, bytes: [...bytes].map((byte) => hex(byte, 2)).join('') },
    };
  },
});
