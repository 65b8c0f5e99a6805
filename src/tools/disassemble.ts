import { z } from 'zod';
import { MachineError } from '../machine/errors.ts';
import type { MemoryCapability, MemorySpace } from '../machine/memory.ts';
import { addressOf } from './debug/address.ts';
import { cpuArgument, seenBy } from './debug/processor.ts';
import { showInstructions } from './debug/show.ts';
import { checkRange, placeIn } from './debug/space.ts';
import { defineTool } from './tool.ts';

export const disassemble = defineTool({
  name: 'disassemble',
  title: 'Disassemble',
  description: 'Instructions with symbols, by default at the program counter.',
  toolset: 'debug',
  needs: ['cpu', 'addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    address: z.string().optional(),
    count: z.number().int().min(1).max(500).default(20),
    space: z.string().optional(),
    cpu: cpuArgument,
  }),
  async run(machine, { address, count, space: name, cpu: processor }) {
    const { cpu, addresses, memory } = await seenBy(machine, processor);
    const place = placeOf(memory, name, address);
    const first = place.text === undefined ? cpu.pc : await addressOf(place.text, addresses);
    const { space } = place;
    if (space && !cpu.disassembleIn) {
      const message = `Only what the processor sees can be disassembled here, not ${space.name}.`;
      throw new MachineError('MISSING_CAPABILITY', message, 'Leave space out.');
    }
    if (space) checkRange(space, first, 1, addresses.format);
    const instructions =
      space && cpu.disassembleIn
        ? await cpu.disassembleIn(space.name, first, count)
        : await cpu.disassemble(first, count);
    return {
      // Names and the program counter are of what the processor sees.
      text: showInstructions(instructions, addresses, space ? undefined : cpu.pc),
      data: { instructions: instructions.map(({ address: at, text }) => ({ address: at, text })) },
    };
  },
});

/** No space for the one that the processor sees. */
function placeOf(
  memory: MemoryCapability | undefined,
  name: string | undefined,
  address: string | undefined,
): { readonly space: MemorySpace | undefined; readonly text: string | undefined } {
  if (!memory) {
    if (name === undefined) return { space: undefined, text: address };
    throw new MachineError('MISSING_CAPABILITY', 'This machine has no memory spaces.', 'Leave space out.');
  }
  const { space, text } = placeIn(memory, name, address ?? '');
  return { space: space.name === memory.spaces[0]?.name ? undefined : space, text: text === '' ? undefined : text };
}
