import { z } from 'zod';
import { hex } from '../formats/hex.ts';
import type { AddressCapability } from '../machine/addresses.ts';
import { MachineError } from '../machine/errors.ts';
import type { FrozenBytes, MemoryCapability, MemoryFreeze } from '../machine/memory.ts';
import { parseBytes } from './console/parse-bytes.ts';
import { parseAddress } from './debug/parse-address.ts';
import { showAddress } from './debug/show.ts';
import { checkRange, spaceNamed } from './debug/space.ts';
import { defineTool } from './tool.ts';

const maxFrozenBytes = 4096;
const maxFreezes = 256;
const maxBytesInAll = 65_536;

export const memoryFreeze = defineTool({
  name: 'memory_freeze',
  title: 'Freeze memory',
  description:
    'Hold bytes at a value whatever the program writes there: {"address":"lives","bytes":"09"}. ' +
    '{"release":1} releases them; without arguments lists what is frozen.',
  toolset: 'search',
  needs: ['memory', 'addresses'],
  effect: 'change',
  input: z.object({
    address: z.string().optional(),
    bytes: z.string().max(20_000).optional().describe('Hex; default: the byte that is there'),
    release: z.number().int().min(1).optional().describe('Number of the freeze to release'),
  }),
  async run({ memory, addresses }, { address, bytes, release }) {
    const freeze = freezeOf(memory);
    if (release !== undefined) {
      await freeze.release(release);
      return { text: `${release} is released`, data: { released: release } };
    }
    if (address === undefined) {
      if (bytes !== undefined)
        throw new MachineError('INVALID_ARGUMENT', 'These bytes need an address.', 'Add "address".');
      return {
        text: freeze.frozen.map((each) => showFrozen(each, addresses)).join('\n') || 'nothing is frozen',
        data: { frozen: freeze.frozen.map(frozenData) },
      };
    }
    const first = parseAddress(address, addresses);
    const space = spaceNamed(memory, undefined);
    const held = bytes === undefined ? undefined : parseBytes(bytes);
    const length = held?.length ?? 1;
    checkRange(space, first, length, addresses.format);
    if (length > maxFrozenBytes) {
      throw new MachineError('LIMIT_REACHED', `At most ${maxFrozenBytes} bytes at once.`, 'Freeze fewer.');
    }
    const total = freeze.frozen.reduce((sum, each) => sum + each.bytes.length, length);
    if (freeze.frozen.length >= maxFreezes || total > maxBytesInAll) {
      const message = `At most ${maxFreezes} freezes of ${maxBytesInAll} bytes together.`;
      throw new MachineError('LIMIT_REACHED', message, 'Release some with {"release":N}.');
    }
    const frozen = await freeze.hold(first, held ?? (await memory.peek(space.name, first, 1)));
    return { text: showFrozen(frozen, addresses), data: frozenData(frozen) };
  },
});

function freezeOf({ freeze }: MemoryCapability): MemoryFreeze {
  if (freeze) return freeze;
  throw new MachineError(
    'MISSING_CAPABILITY',
    'This machine cannot freeze memory.',
    'Set a breakpoint of type change there and write the value back when it stops.',
  );
}

function showFrozen({ id, address, bytes }: FrozenBytes, addresses: AddressCapability): string {
  const shown = [...bytes.subarray(0, 16)].map((byte) => hex(byte, 2)).join(' ');
  const more = bytes.length > 16 ? ` and ${bytes.length - 16} more` : '';
  return `frozen ${id}: ${showAddress(address, addresses)} = ${shown}${more}`;
}

function frozenData({ id, address, bytes }: FrozenBytes) {
  return { id, address, bytes: [...bytes].map((byte) => hex(byte, 2)).join('') };
}
