import { z } from 'zod';
import { TimeSlice, unlessAborted } from '../machines/shared/time-slice.ts';
import { addressOf } from './debug/address.ts';
import { findPattern, parsePattern } from './debug/parse-pattern.ts';
import { peekMany } from './debug/peek-many.ts';
import { showAddress } from './debug/show.ts';
import { checkRange, placeIn } from './debug/space.ts';
import { defineTool } from './tool.ts';

/** Searched in one call. */
const mostBytes = 0x1000000n;

export const memorySearch = defineTool({
  name: 'memory_search',
  title: 'Search memory',
  description: 'Where a byte pattern occurs in memory: {"pattern":"A9 ?? 8D 20 D0"} or {"pattern":"\\"HELLO\\""}.',
  toolset: 'search',
  needs: ['memory', 'addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    pattern: z.string().max(1000).describe('Hex bytes, ?? for any, "text"'),
    from: z.string().optional(),
    length: z.number().int().min(1).max(Number(mostBytes)).optional().describe('Default: to the end'),
    space: z.string().optional(),
    limit: z.number().int().min(1).max(500).default(50),
  }),
  async run({ memory, addresses }, { pattern, from, length, space: name, limit }, { signal }) {
    const { space, text } = placeIn(memory, name, from ?? '');
    const first = text === '' ? 0n : await addressOf(text, addresses);
    const end = space.repeatsFrom !== undefined && first < space.repeatsFrom ? space.repeatsFrom : space.size;
    const rest = end - first;
    const span = length ?? Math.max(1, Number(rest < mostBytes ? rest : mostBytes));
    checkRange(space, first, span, addresses.format);
    const slice = new TimeSlice(unlessAborted(signal));
    const bytes = await peekMany(memory, space.name, first, span, slice);
    const offsets = await findPattern(bytes, parsePattern(pattern), limit + 1, slice);
    const found = offsets.map((offset) => first + BigInt(offset));
    const shown = found.slice(0, limit);
    const more =
      found.length > limit
        ? `\nmore than ${limit}; go on with "from":"${addresses.format((shown.at(-1) ?? 0n) + 1n)}"`
        : '';
    const lines = shown.map((address) => showAddress(address, addresses)).join('\n') || 'not found';
    return { text: `${lines}${more}`, data: { addresses: shown, more: found.length > limit, space: space.name } };
  },
});
