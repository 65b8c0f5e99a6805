import { z } from 'zod';
import { MachineError } from '../machine/errors.ts';
import type { NamedPlace, NamesCapability } from '../machine/names.ts';
import { TimeSlice, unlessAborted } from '../machines/shared/time-slice.ts';
import { pageHead, pageOf, pageTail } from './debug/paging.ts';
import { parseAddress } from './debug/parse-address.ts';
import { defineTool } from './tool.ts';

export const namesWrite = defineTool({
  name: 'names_write',
  title: 'Name addresses',
  description:
    'Give an address a name or a comment, or remove both; without an address lists them. Names work wherever an ' +
    'address is taken and are kept with the program for other sessions. Example: {"address":"1000:0234","name":"read_map"}.',
  toolset: 'names',
  needs: ['names', 'addresses'],
  effect: 'change',
  idempotent: true,
  input: z.object({
    address: z.string().optional(),
    name: z.string().max(200).optional(),
    comment: z.string().max(500).optional().describe('Empty: remove it'),
    remove: z.boolean().default(false),
    filter: z.string().max(100).optional().describe('For the list: part of a name or comment'),
    from: z.number().int().min(0).default(0),
    limit: z.number().int().min(1).max(500).default(50),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run({ names, addresses }, { address, name, comment, remove, filter, from, limit }, { signal }) {
    const show = (place: NamedPlace) => showNamed(place, addresses.format);
    if (address === undefined) {
      if (name !== undefined || comment !== undefined || remove) {
        throw new MachineError('INVALID_ARGUMENT', 'A name needs an address.', 'Add "address".');
      }
      const wanted = filter?.toLowerCase() ?? '';
      const slice = new TimeSlice(unlessAborted(signal));
      const found: NamedPlace[] = [];
      for (const place of await names.list()) {
        if (slice.isOver) await slice.next();
        if (wanted === '' || show(place).toLowerCase().includes(wanted)) found.push(place);
      }
      const page = pageOf(found, from, limit);
      return {
        text: [`${pageHead(page, 'names')}; ${keptWith(names)}`, ...page.items.map(show), ...pageTail(page)].join('\n'),
        data: { names: page.items, total: page.total, next: page.next },
      };
    }
    const at = parseAddress(address, addresses);
    if (remove) {
      const removed = await names.remove(at);
      return { text: `removed: ${show(removed)}`, data: { removed } };
    }
    if (name === undefined && comment === undefined) {
      throw new MachineError('INVALID_ARGUMENT', 'Nothing to write.', 'Add "name", "comment" or "remove":true.');
    }
    const place = await names.set(at, { name, comment });
    return { text: `${show(place)}; ${keptWith(names)}`, data: { ...place } };
  },
});

function showNamed({ address, name, comment }: NamedPlace, format: (address: bigint) => string): string {
  return [format(address), name, comment && `; ${comment}`].filter(Boolean).join(' ');
}

function keptWith({ program }: NamesCapability): string {
  return program === undefined
    ? 'no program is loaded, so they are kept only while this machine lives'
    : `kept with ${program.name} (${program.hash.slice(0, 12)})`;
}
