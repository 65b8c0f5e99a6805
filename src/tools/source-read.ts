import { z } from 'zod';
import { MachineError } from '../machine/errors.ts';
import type { SourcePlace, SourceVariable } from '../machine/source.ts';
import type { Rack } from '../rack/rack.ts';
import { fenced } from './console/fence.ts';
import { addressOf } from './debug/address.ts';
import { counted } from './debug/code-place.ts';
import { cpuArgument, seenBy } from './debug/processor.ts';
import { requireSource } from './debug/require-source.ts';
import { showAddress } from './debug/show.ts';
import { defineTool } from './tool.ts';

const maxSourceBytes = 8 * 1024 * 1024;

export const sourceRead = defineTool({
  name: 'source_read',
  title: 'Read the source',
  description:
    'Source around where a guest is stopped, with the arguments and local variables of that frame; {"address":"main.c:41"} lists another place.',
  toolset: 'system',
  needs: ['source', 'addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    frame: z.number().int().min(0).max(63).default(0),
    address: z.string().optional(),
    lines: z.number().int().min(0).max(100).default(5).describe('Before and after'),
    depth: z.number().int().min(0).max(6).default(1),
    cpu: cpuArgument,
  }),
  async run(machine, { frame, address, lines, depth, cpu }, { rack }) {
    const { addresses } = machine;
    const source = requireSource(await seenBy(machine, cpu));
    if (address !== undefined) {
      const at = await addressOf(address, addresses);
      const text = await listing(rack, await source.place(at), lines);
      return { text: [showAddress(at, addresses), ...text].join('\n'), data: { address: at } };
    }
    const found = await source.variables({ frame, depth });
    // A call returns to the next instruction.
    const place = await source.place(frame === 0 ? found.pc : found.pc - 1n);
    const text = [
      `frame ${frame}: ${showAddress(found.pc, addresses)}`,
      ...(await listing(rack, place, lines)),
      ...shown(found.variables),
    ];
    return { text: text.join('\n'), data: { ...found, ...(place && { line: place.line }) } };
  },
});

function shown(variables: readonly SourceVariable[]): string[] {
  if (variables.length === 0) return ['no arguments or local variables'];
  const rows = variables.map(
    ({ name, type, text, isArgument }) =>
      `${isArgument ? 'argument' : 'local'} ${type === '' ? '' : `(${type}) `}${name} = ${text}`,
  );
  return [fenced(rows.join('\n'), `${counted(variables.length, 'variable')} of the guest`)];
}

async function listing(rack: Rack, place: SourcePlace | undefined, around: number): Promise<string[]> {
  if (!place) return ['no line of source is known for it'];
  if (around === 0) return [];
  const [first = ''] = place.paths;
  for (const path of place.paths) {
    const bytes = await rack.files.read(path, maxSourceBytes).catch((error: unknown) => notThere(error));
    if (!bytes) continue;
    const all = Buffer.from(bytes).toString('utf8').split('\n');
    const from = Math.max(1, place.line - around);
    const rows = all.slice(from - 1, place.line + around).map((text, n) => {
      const number = from + n;
      return `${number === place.line ? '>' : ' '} ${String(number).padStart(5)}  ${text.trimEnd().slice(0, 200)}`;
    });
    return [fenced(rows.join('\n'), path)];
  }
  return [`line ${place.line} of ${first}, which is not below an allowed path`];
}

function notThere(error: unknown): undefined {
  if (error instanceof MachineError) return undefined;
  throw error;
}
