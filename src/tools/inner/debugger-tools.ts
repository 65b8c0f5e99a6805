import { z } from 'zod';
import type { AddressCapability } from '../../machine/addresses.ts';
import { addressOf } from '../debug/address.ts';
import { cpuArgument, seenBy } from '../debug/processor.ts';
import { requireRewind } from '../debug/require-rewind.ts';
import { stepLines } from '../debug/step-line.ts';
import { defineTool } from '../tool.ts';

const mostFrames = 200;
/** The longest instruction of any processor here. */
const longestInstruction = 15;

function placeOf(address: bigint, addresses: AddressCapability) {
  const source = addresses.source?.(address);
  return {
    address,
    where: addresses.format(address),
    name: addresses.symbols.describe(address)?.replace(/ ?\([^()]*\)$/, '') || null,
    file: source?.file ?? null,
    line: source?.line ?? null,
  };
}

export const framesRead = defineTool({
  name: 'frames_read',
  title: 'Read the call stack',
  description: 'Where the processor is and where it came from, innermost first, with names and lines of source.',
  toolset: 'inner',
  needs: ['cpu', 'addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({ cpu: cpuArgument }),
  async run(machine, { cpu: name }) {
    const { addresses } = machine;
    const { cpu } = await seenBy(machine, name);
    const callers = (await cpu.callStack()).slice(0, mostFrames).map(({ from }) => from);
    return { text: '', data: { frames: [cpu.pc, ...callers].map((address) => placeOf(address, addresses)) } };
  },
});

export const instructionsRead = defineTool({
  name: 'instructions_read',
  title: 'Read instructions',
  description: 'Instructions around an address, with bytes, names and lines of source.',
  toolset: 'inner',
  needs: ['cpu', 'addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    address: z.string().max(200),
    before: z.number().int().min(0).max(500).default(0).describe('So many before it'),
    count: z.number().int().min(0).max(500),
  }),
  async run({ cpu, addresses }, { address, before, count }) {
    const first = await addressOf(address, addresses);
    const earlier = before === 0 ? [] : await instructionsBefore(first, before);
    const later = count === 0 ? [] : await cpu.disassemble(first, count);
    return {
      text: '',
      data: {
        earlier: earlier.length,
        instructions: [...earlier, ...later].map(({ address: at, bytes, text }) => ({
          ...placeOf(at, addresses),
          bytes: Buffer.from(bytes).toString('hex'),
          text,
        })),
      },
    };

    /** Code cannot be read backwards: the first beginning is taken from which it leads to the address. */
    async function instructionsBefore(end: bigint, wanted: number) {
      const farthest = BigInt(wanted * longestInstruction);
      const from = end > farthest ? end - farthest : 0n;
      for (let skip = 0n; skip < BigInt(longestInstruction) && from + skip < end; skip++) {
        const code = await cpu.disassemble(from + skip, Math.min(wanted * longestInstruction, Number(end - from)));
        const index = code.findIndex((each) => each.address === end);
        if (index > 0) return code.slice(Math.max(0, index - wanted), index);
      }
      return [];
    }
  },
});

export const sourceStep = defineTool({
  name: 'source_step',
  title: 'Step by lines of source',
  description:
    'To the next line of source, into functions that have lines, or over them; by instructions where there are no lines.',
  toolset: 'inner',
  needs: ['control', 'cpu', 'addresses'],
  effect: 'change',
  whileStopped: true,
  input: z.object({
    kind: z.enum(['into', 'over', 'out']),
    back: z.boolean().default(false),
    timeout_ms: z.number().int().min(1).max(50_000),
  }),
  async run({ control, cpu, addresses, builtIn }, { kind, back, timeout_ms: wallMs }, { signal }) {
    if (back) requireRewind({ control, ...(builtIn && { builtIn }) });
    const hasLine = addresses.source?.(cpu.pc) !== undefined;
    const stop =
      hasLine && kind !== 'out'
        ? await stepLines({ control, cpu, addresses }, { kind, count: 1, back, wallMs }, signal)
        : await control.step({ kind, count: 1, back, wallMs }, signal);
    return { text: '', data: { stop } };
  },
});
