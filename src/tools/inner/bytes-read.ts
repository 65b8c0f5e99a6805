import { z } from 'zod';
import { addressOf } from '../debug/address.ts';
import { cpuArgument, seenBy } from '../debug/processor.ts';
import { checkRange, spaceNamed } from '../debug/space.ts';
import { defineTool } from '../tool.ts';

export const bytesRead = defineTool({
  name: 'bytes_read',
  title: 'Read bytes',
  description: 'Any range of one of the memory spaces, as hexadecimal text.',
  toolset: 'inner',
  needs: ['memory', 'addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    address: z.string().max(200),
    length: z.number().int().min(1).max(0x10000),
    space: z.string().max(40).optional(),
    cpu: cpuArgument,
  }),
  async run(machine, { address, length, space: name, cpu }) {
    const { memory, addresses } = await seenBy(machine, cpu);
    const space = spaceNamed(memory, name);
    const first = await addressOf(address, addresses);
    checkRange(space, first, length, addresses.format);
    const bytes = await memory.peek(space.name, first, length);
    return { text: '', data: { address: first, space: space.name, bytes: Buffer.from(bytes).toString('hex') } };
  },
});

export const addressRead = defineTool({
  name: 'address_read',
  title: 'Resolve an address',
  description: 'The number of an address as people write it: a symbol, a line of source, hexadecimal.',
  toolset: 'inner',
  needs: ['addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({ address: z.string().max(200) }),
  async run({ addresses }, { address }) {
    const found = await addressOf(address, addresses);
    return { text: '', data: { address: found, label: addresses.symbols.describe(found) ?? null } };
  },
});
