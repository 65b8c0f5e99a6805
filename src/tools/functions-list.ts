import { z } from 'zod';
import type { AddressCapability } from '../machine/addresses.ts';
import type { KnownFunction, LibraryMatch } from '../machine/functions.ts';
import { TimeSlice, unlessAborted } from '../machines/shared/time-slice.ts';
import { count, showPlace, showPlaces } from './debug/code-place.ts';
import { pageHead, pageOf, pageTail } from './debug/paging.ts';
import { defineTool } from './tool.ts';

/** Callers and functions called that an answer lists of each function. */
const mostPlaces = 50;

type Order = 'calls' | 'address' | 'name';

export const functionsList = defineTool({
  name: 'functions_list',
  title: 'List functions',
  description:
    'Functions found while the program ran: address, name, calls, callers, functions called, returns. ' +
    'Example: {"sort":"calls","filter":"print","limit":20}.',
  toolset: 'code',
  needs: ['functions', 'addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    sort: z.enum(['calls', 'address', 'name']).default('calls'),
    filter: z.string().max(100).optional().describe('Part of a name or address'),
    from: z.number().int().min(0).default(0),
    limit: z.number().int().min(1).max(200).default(20),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run({ functions, addresses }, { sort, filter, from, limit }, { signal }) {
    const all = await functions.list();
    const wanted = filter?.toLowerCase();
    const matching = all.filter(
      (each) => wanted === undefined || showName(each, addresses).toLowerCase().includes(wanted),
    );
    const page = pageOf(sorted(matching, sort), from, limit);
    const slice = new TimeSlice(unlessAborted(signal));
    const items: KnownFunction[] = [];
    for (const each of page.items) {
      if (slice.isOver) await slice.next();
      // What it calls is looked for only now.
      items.push({ ...each });
    }
    const among = matching.length < all.length ? ` (${all.length} are known)` : '';
    return {
      text: [
        `${pageHead(page, 'functions')}${among}`,
        ...items.map((each) => showFunction(each, addresses)),
        ...pageTail(page),
      ].join('\n'),
      data: { functions: items.map(listed), total: page.total, known: all.length, next: page.next },
    };
  },
});

/** A handler may be called from thousands of places. */
function listed({ callers, callees, ...rest }: KnownFunction) {
  return {
    ...rest,
    callers: callers.slice(0, mostPlaces),
    callees: callees.slice(0, mostPlaces),
    ...(callers.length > mostPlaces && { more_callers: callers.length - mostPlaces }),
    ...(callees.length > mostPlaces && { more_callees: callees.length - mostPlaces }),
  };
}

function sorted(functions: readonly KnownFunction[], order: Order): readonly KnownFunction[] {
  const byAddress = (a: KnownFunction, b: KnownFunction) =>
    a.address < b.address ? -1 : a.address > b.address ? 1 : 0;
  return [...functions].sort((a, b) => {
    if (order === 'calls') return b.calls - a.calls || byAddress(a, b);
    // Functions without a name come last.
    if (order === 'name' && a.name !== b.name)
      return a.name === undefined ? 1 : b.name === undefined || a.name < b.name ? -1 : 1;
    return byAddress(a, b);
  });
}

function showName(each: KnownFunction, addresses: AddressCapability): string {
  return each.name === undefined ? showPlace(each, addresses) : `${each.where} ${each.name}`;
}

function showLibrary({ names, of, bytes, certainty }: LibraryMatch, name: string | undefined): string {
  const which = names.length === 1 && names[0] === name ? '' : `${names.join(' or ')} of `;
  return `${certainty === 'sure' ? '' : 'likely '}${which}${of} (${bytes} bytes equal)`;
}

function showFunction(each: KnownFunction, addresses: AddressCapability): string {
  const { calls, callers, callees, returns, bytes, library } = each;
  const parts = [
    `${showName(each, addresses)}: ${count(calls)} ${calls === 1 ? 'call' : 'calls'}`,
    library && showLibrary(library, each.name),
    callers.length > 0 && `from ${showPlaces(callers, addresses)}`,
    callees.length > 0 && `calls ${showPlaces(callees, addresses)}`,
    `${count(returns.aligned)} ${returns.aligned === 1 ? 'return' : 'returns'}${returns.misaligned > 0 ? ` and ${count(returns.misaligned)} elsewhere` : ''}`,
    bytes !== undefined && `${count(bytes)} ${bytes === 1 ? 'byte' : 'bytes'} ran`,
  ];
  return parts.filter(Boolean).join('; ');
}
