import { z } from 'zod';
import { MachineError } from '../machine/errors.ts';
import { parseBytes } from './console/parse-bytes.ts';
import { addressOf } from './debug/address.ts';
import { counted } from './debug/code-place.ts';
import { checkRange, placeIn } from './debug/space.ts';
import { defineTool } from './tool.ts';

const askAboveBytes = 4096;

export const memoryWrite = defineTool({
  name: 'memory_write',
  title: 'Write memory',
  description: 'Change memory of a stopped machine: {"address":"$C000","bytes":"A9 00 60"}.',
  toolset: 'debug',
  needs: ['memory', 'addresses'],
  effect: 'change',
  idempotent: true,
  whileStopped: true,
  input: z.object({
    address: z.string(),
    bytes: z.string().max(200_000).describe('Hex'),
    space: z.string().optional(),
  }),
  confirm: (_machine, { address, bytes }) => {
    const { length } = parseBytes(bytes);
    return length > askAboveBytes ? `Overwrite ${length} bytes of memory from ${address.slice(0, 40)}?` : undefined;
  },
  async run({ memory, addresses, missingBecause }, { address, bytes, space: name }) {
    const { space, text } = placeIn(memory, name, address);
    if (!space.writable) {
      const others = memory.spaces.flatMap((each) => (each.writable ? [each.name] : []));
      const [why, fix] =
        others.length > 0
          ? ['', `Use ${others.join(', ')}.`]
          : [missingBecause ? `: ${missingBecause}` : '', 'Its memory can only be read.'];
      throw new MachineError('INVALID_ARGUMENT', `${space.name} cannot be written${why}.`, fix);
    }
    const first = await addressOf(text, addresses);
    const data = parseBytes(bytes);
    checkRange(space, first, data.length, addresses.format);
    await memory.poke(space.name, first, data);
    return {
      text: `${counted(data.length, 'byte')} written to ${addresses.format(first)} in ${space.name}`,
      data: { address: first, length: data.length, space: space.name },
    };
  },
});
