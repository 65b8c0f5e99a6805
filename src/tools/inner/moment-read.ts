import { z } from 'zod';
import type { AddressCapability } from '../../machine/addresses.ts';
import { defineTool } from '../tool.ts';

/** The name of what lies there, and the line of source that it was made of. */
function placeOf(address: bigint, addresses: AddressCapability | undefined) {
  // Without the line in brackets that ends it.
  const name = addresses?.symbols.describe(address)?.replace(/ ?\(.*\)$/s, '');
  const source = addresses?.source?.(address);
  return { ...(name && { name }), ...(source && { source }) };
}

export const momentRead = defineTool({
  name: 'moment_read',
  title: 'Read the moment',
  description: 'State, place, beam, time and last stop as numbers.',
  toolset: 'inner',
  needs: [],
  effect: 'read',
  idempotent: true,
  input: z.object({}),
  async run(machine) {
    const { stop } = machine.status();
    const { beam, now, sinceMark } = machine.cycles ?? {};
    const pc = machine.cpu?.pc;
    const place = pc === undefined ? {} : placeOf(pc, machine.addresses);
    return {
      text: '',
      data: { kind: machine.kind, pc, ...place, stop, beam, cycle: now, since_mark: sinceMark },
    };
  },
});
