import { z } from 'zod';
import { parseAddress } from '../machine/addresses.ts';
import { hex, hexLines } from './debug/show.ts';
import { checkRange, spaceNamed } from './debug/space.ts';
import { defineTool } from './tool.ts';

export const memoryRead = defineTool({
  name: 'memory_read',
  title: 'Read memory',
  description:
    'Bytes of memory as a hex dump, without disturbing the machine. Example: {"address":"$0400","length":40}.',
  toolset: 'debug',
  needs: ['memory', 'addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    address: z.string().describe('$C000, 0xC000, decimal or a symbol'),
    length: z.number().int().min(1).max(8192).default(128),
    space: z.string().optional().describe('Default: what the processor sees'),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run({ memory, addresses }, { address, length, space: name }) {
    const space = spaceNamed(memory, name);
    const first = parseAddress(address, addresses);
    checkRange(space, first, length, addresses.format);
    const bytes = await memory.peek(space.name, first, length);
    return {
      text: hexLines(bytes, first, addresses.format),
      data: { address: first, length, space: space.name, bytes: [...bytes].map((byte) => hex(byte, 2)).join('') },
    };
  },
});
