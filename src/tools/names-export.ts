import { z } from 'zod';
import { MachineError } from '../machine/errors.ts';
import type { MachineWith } from '../machine/machine.ts';
import type { NamedProgram } from '../machine/names.ts';
import { TimeSlice, unlessAborted } from '../machines/shared/time-slice.ts';
import { parseAddress } from './debug/parse-address.ts';
import { peekMany } from './debug/peek-many.ts';
import { checkRange, spaceNamed } from './debug/space.ts';
import { dotLines } from './graph/dot.ts';
import { allBlocks } from './graph/select-blocks.ts';
import { addressMover, exportedProgram } from './names/exported-program.ts';
import { ghidraScript } from './names/ghidra-script.ts';
import { idaScript } from './names/ida-script.ts';
import { knownProgram } from './names/known-program.ts';
import { listing } from './names/listing.ts';
import { spice86Flow, spice86Symbols } from './names/spice86-dump.ts';
import { symbolLines } from './names/symbol-lines.ts';
import { defineTool } from './tool.ts';

type Exported = MachineWith<'names' | 'addresses' | 'memory'>;

const exports = [
  'ghidra',
  'ghidra_script',
  'ida',
  'spice86_flow',
  'spice86_symbols',
  'memory',
  'listing',
  'dot',
] as const;
/** Those whose addresses can be another tool's. */
const rebased: readonly string[] = ['ghidra', 'ghidra_script', 'ida'];

/** Without a file an answer holds about this much. */
const maxAnswerLines = 150;
const mostDumped = 0x1000000;
/** A listing has a line for each byte if it must. */
const mostListed = 0x40000;

export const namesExport = defineTool({
  name: 'names_export',
  title: 'Export names, memory, listing',
  description:
    'For other tools: names as Ghidra reads them, scripts that give Ghidra or IDA all functions, names, comments, code, ' +
    'references and texts, the dumps of Spice86, a memory dump, a listing, or the graph as DOT. ' +
    'Example: {"as":"ida","base":"0x10000","path":"game.py"}.',
  toolset: 'names',
  needs: ['names', 'addresses', 'memory'],
  effect: 'change',
  input: z.object({
    as: z.enum(exports).default('ghidra'),
    base: z.string().optional().describe('Where the other tool has the program; default: addresses of the machine'),
    path: z.string().optional().describe('New file; default: the answer shows the beginning'),
    address: z.string().optional().describe('Memory and listing from here; default: the program'),
    length: z.number().int().min(1).max(0x1000000).optional(),
    space: z.string().optional(),
  }),
  async run(machine, { as, base, path, address, length, space }, { rack, signal }) {
    const range = { address, length, space, base };
    if (as === 'memory') {
      if (path === undefined) throw new MachineError('INVALID_ARGUMENT', 'A dump needs a file.', 'Add "path".');
      if (range.base !== undefined) throw hasNoBase(as);
      const { first, bytes } = await memoryOf(machine, range, mostDumped, signal);
      await rack.writeFile(path, bytes);
      return {
        text: `${bytes.length} bytes from ${machine.addresses.format(first)} on in ${path}; Ghidra: raw binary at 0x${first.toString(16)}`,
        data: { path, address: first, length: bytes.length },
      };
    }
    const lines = await linesOf(machine, as, range, signal);
    if (path !== undefined) {
      await rack.writeFile(path, new TextEncoder().encode(`${lines.join('\n')}\n`));
      return { text: `${lines.length} lines in ${path}`, data: { path, lines: lines.length } };
    }
    const shown = lines.slice(0, maxAnswerLines);
    const left = lines.length - shown.length;
    const rest = left > 0 ? [`${left} more lines; give a "path" for all of them`] : [];
    return { text: [...shown, ...rest].join('\n') || 'nothing to export', data: { lines: shown, total: lines.length } };
  },
});

function hasNoBase(as: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', `${as} has no base.`, `Leave "base" out, or use ${rebased.join(', ')}.`);
}

interface Range {
  readonly address: string | undefined;
  readonly length: number | undefined;
  readonly space: string | undefined;
  readonly base: string | undefined;
}

async function linesOf(
  machine: Exported,
  as: Exclude<(typeof exports)[number], 'memory'>,
  range: Range,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { names, addresses, graph, functions } = machine;
  const { base: text } = range;
  const base = text === undefined ? undefined : parseAddress(text, addresses);
  if (base !== undefined && (!rebased.includes(as) || names.program === undefined)) {
    throw rebased.includes(as)
      ? new MachineError('WRONG_STATE', 'No program is loaded to be moved.', 'Start one first, or leave "base" out.')
      : hasNoBase(as);
  }
  const slice = new TimeSlice(unlessAborted(signal));
  if (as === 'ghidra') {
    const places = await names.list();
    const known = (await functions?.list()) ?? [];
    return symbolLines(places, known, addressMover(names.program, base), slice);
  }
  if (as === 'ghidra_script' || as === 'ida') {
    const program = await exportedProgram(await knownProgram(machine, slice), base, slice);
    return as === 'ida' ? idaScript(program) : ghidraScript(program);
  }
  if (as === 'spice86_symbols') return spice86Symbols((await functions?.list()) ?? [], await names.list());
  if (as === 'listing') {
    const memory = await memoryOf(machine, withLoaded(range, names.program), mostListed, signal);
    return listing(memory, await graph?.read(), await names.list(), addresses, signal);
  }
  if (graph === undefined) {
    throw new MachineError('MISSING_CAPABILITY', 'This machine keeps no graph.', 'Export something else.');
  }
  const whole = await graph.read();
  if (as === 'spice86_flow') return spice86Flow(whole, slice);
  return dotLines(allBlocks(whole), whole, addresses, signal);
}

/** Of a program what was loaded: a COM file has all of memory to itself. */
function withLoaded(range: Range, program: NamedProgram | undefined): Range {
  if (range.address !== undefined || range.length !== undefined || program === undefined) return range;
  const { first, last, image = first, imageLast = last } = program;
  return { ...range, address: `0x${image.toString(16)}`, length: Number(imageLast - image) + 1 };
}

async function memoryOf(
  { memory, addresses, names: { program } }: Exported,
  { address, length, space: name }: Range,
  most: number,
  signal: AbortSignal,
) {
  if (address === undefined && program === undefined) {
    throw new MachineError('INVALID_ARGUMENT', 'No program is loaded to be exported.', 'Add "address" and "length".');
  }
  const first = address === undefined ? (program?.first ?? 0n) : parseAddress(address, addresses);
  const whole = program && first >= program.first && first <= program.last ? Number(program.last - first) + 1 : 256;
  const space = spaceNamed(memory, name);
  const wanted = length ?? whole;
  checkRange(space, first, wanted, addresses.format);
  if (wanted > most) {
    const message = `${wanted} bytes are too many: at most ${most} at once.`;
    throw new MachineError('LIMIT_REACHED', message, `Give "address" and a "length" of up to ${most}.`);
  }
  const slice = new TimeSlice(unlessAborted(signal));
  return { first, bytes: await peekMany(memory, space.name, first, wanted, slice) };
}
