import { z } from 'zod';
import { hex } from '../formats/hex.ts';
import { MachineError } from '../machine/errors.ts';
import { comparisons, type FoundValue } from '../machine/memory.ts';
import { count } from './debug/code-place.ts';
import { spaceNamed } from './debug/space.ts';
import { defineTool } from './tool.ts';

const widths = { byte: 1, word: 2, dword: 4 } as const;

/** Nothing would ever be equal to it. */
function refuseWide(value: number | undefined, bytes: number): void {
  if (value === undefined || value < 2 ** (8 * bytes)) return;
  const widest = bytes === 1 ? 'A byte' : `A number of ${bytes} bytes`;
  const fix = 'Begin again with a larger "width", word or dword.';
  throw new MachineError('INVALID_ARGUMENT', `${widest} is at most ${2 ** (8 * bytes) - 1}.`, fix);
}

export const valueFind = defineTool({
  name: 'value_find',
  title: 'Find a value',
  description:
    'Find where a program keeps a number: start, let the program change it, and narrow down the places step by step. ' +
    'Example: {"restart":true,"compare":"equal","value":3}, run until a life is lost, {"compare":"decreased"}; without compare, lists what is left.',
  toolset: 'search',
  needs: ['memory', 'addresses'],
  effect: 'change',
  input: z.object({
    restart: z.boolean().default(false),
    compare: z.enum(comparisons).optional().describe('With value, or with the last step'),
    value: z.number().int().min(0).max(0xffff_ffff).optional(),
    width: z.enum(['byte', 'word', 'dword']).default('byte'),
    space: z.string().optional().describe('Default: ram if there is one, because devices change on their own'),
    from: z.number().int().min(0).default(0),
    limit: z.number().int().min(1).max(200).default(20),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run({ memory, addresses }, { restart, compare, value, width, space, from, limit }) {
    const { finder } = memory;
    if (!finder)
      throw new MachineError('MISSING_CAPABILITY', 'Values cannot be searched for here.', 'Compare memory instead.');
    const ram = memory.spaces.find(({ name }) => name === 'ram')?.name;
    refuseWide(value, restart ? widths[width] : (finder.search?.bytes ?? widths[width]));
    if (restart) await finder.start(spaceNamed(memory, space ?? ram).name, widths[width]);
    if (compare !== undefined) await finder.narrow(compare, value);
    const { search } = finder;
    if (!search) throw new MachineError('WRONG_STATE', 'No search has begun.', 'Begin one with {"restart":true}.');
    const places = search.steps === 0 ? [] : await finder.places(from, limit);
    const digits = search.bytes * 2;
    const show = ({ address, value: now, before }: FoundValue) => {
      const name = addresses.symbols.describe(address);
      const was = before === now ? '' : `, was ${hex(before, digits)}`;
      return `${addresses.format(address)}${name ? ` ${name}` : ''}: ${hex(now, digits)} (${now})${was}`;
    };
    const more = search.steps === 0 ? 0 : search.left - from - places.length;
    return {
      text: [
        `${count(search.left)} ${search.left === 1 ? 'place fits' : 'places fit'} after ${search.steps} ${search.steps === 1 ? 'step' : 'steps'}`,
        ...places.map(show),
        ...(more > 0 ? [`${count(more)} more; go on with "from":${from + places.length}, or narrow it further`] : []),
      ].join('\n'),
      data: { ...search, places },
    };
  },
});
