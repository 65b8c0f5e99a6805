import { z } from 'zod';
import { hex } from '../formats/hex.ts';
import { MachineError } from '../machine/errors.ts';
import { addressOf } from './debug/address.ts';
import { checkRange, placeIn } from './debug/space.ts';
import { defineTool } from './tool.ts';

export const memoryCompare = defineTool({
  name: 'memory_compare',
  title: 'Compare memory',
  description: 'Where two ranges of memory differ, or a range from its state in a snapshot.',
  toolset: 'search',
  needs: ['memory', 'addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    address: z.string(),
    length: z.number().int().min(1).max(65_536),
    other: z.string().optional().describe('Start of the second range'),
    snapshot: z.string().optional().describe('Or the name of a snapshot'),
    space: z.string().optional(),
    limit: z.number().int().min(1).max(500).default(50),
  }),
  async run(machine, { address, length, other, snapshot, space: name, limit }) {
    const { memory, addresses } = machine;
    const { space, text } = placeIn(memory, name, address);
    const first = await addressOf(text, addresses);
    checkRange(space, first, length, addresses.format);
    if ((other === undefined) === (snapshot === undefined)) {
      throw new MachineError('INVALID_ARGUMENT', 'Nothing to compare with.', 'Give exactly one of other and snapshot.');
    }
    const now = await memory.peek(space.name, first, length);
    let then: Uint8Array;
    if (other !== undefined) {
      const place = placeIn(memory, name ?? (text === address ? undefined : space.name), other);
      const second = await addressOf(place.text, addresses);
      checkRange(place.space, second, length, addresses.format);
      then = await memory.peek(place.space.name, second, length);
    } else {
      const { snapshots } = machine;
      if (!snapshots?.peek) {
        const message = 'Snapshots of this machine cannot be read.';
        throw new MachineError('MISSING_CAPABILITY', message, 'Compare with another range: give "other".');
      }
      then = await snapshots.peek(snapshot ?? '', space.name, first, length);
    }
    const differing: number[] = [];
    for (let index = 0; index < now.length; index++) if (now[index] !== then[index]) differing.push(index);
    const shown = differing.slice(0, limit);
    const lines = shown.map(
      (index) => `${addresses.format(first + BigInt(index))}  ${hex(now[index] ?? 0, 2)}  ${hex(then[index] ?? 0, 2)}`,
    );
    const more = differing.length > limit ? [`and ${differing.length - limit} more`] : [];
    return {
      text: [`${differing.length} of ${length} bytes differ`, ...lines, ...more].join('\n'),
      data: { differing: differing.length, addresses: shown.map((index) => first + BigInt(index)) },
    };
  },
});
