import { z } from 'zod';
import { hex } from '../formats/hex.ts';
import type { AddressCapability } from '../machine/addresses.ts';
import { MachineError } from '../machine/errors.ts';
import type { MemoryChange, RoutineResult } from '../machine/routines.ts';
import { parseBytes } from './console/parse-bytes.ts';
import { addressOf } from './debug/address.ts';
import { counted } from './debug/code-place.ts';
import { registerValue } from './debug/register-value.ts';
import { defineTool } from './tool.ts';

const mostChanges = 64;
const mostShownBytes = 16;
const mostBytesChars = 200_000;

export const routineCall = defineTool({
  name: 'routine_call',
  title: 'Call a routine',
  description:
    'Call a routine of the program with these registers and bytes in memory, and get its registers, cycles and changed ' +
    'memory. Afterwards the machine is as it was before: a unit test for machine code. Example: {"address":"multiply","registers":{"A":6,"X":"$07"}}.',
  toolset: 'code',
  needs: ['routines', 'addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    address: z.string(),
    registers: z.record(z.string(), z.unknown()).default({}).describe('{"A":5}; the others keep their values'),
    memory: z.record(z.string(), z.unknown()).default({}).describe('Bytes to write first: {"$0400":"01 02"}'),
    interrupts: z.boolean().default(false).describe('Allow interrupts meanwhile'),
    as_handler: z.boolean().default(false).describe('It is an interrupt handler and ends with RTI'),
    max_cycles: z.number().int().min(1).max(20_000_000).default(1_000_000),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run({ routines, addresses }, { address, registers, memory, interrupts, as_handler, max_cycles }, { signal }) {
    const written = await Promise.all(
      Object.entries(memory).map(async ([at, bytes]) => ({
        address: await addressOf(at, addresses),
        bytes: bytesOf(at, bytes),
      })),
    );
    const values = await Promise.all(
      Object.entries(registers).map(
        async ([name, value]) => [name, await registerValue(name, value, addresses)] as const,
      ),
    );
    const result = await routines.call(
      {
        address: await addressOf(address, addresses),
        registers: Object.fromEntries(values),
        memory: written,
        interrupts,
        asHandler: as_handler,
        maxCycles: max_cycles,
      },
      signal,
    );
    return {
      text: show(result, addresses),
      data: {
        ...result,
        registers: Object.fromEntries(result.registers.map(({ name, value }) => [name, value])),
        changes: result.changes
          .slice(0, mostChanges)
          .map(({ address: at, before, after }) => ({ address: at, before: hexOf(before), after: hexOf(after) })),
        changed_bytes: changedBytes(result.changes),
      },
    };
  },
});

function show(
  { returned, reason, registers, cycles, instructions, changes }: RoutineResult,
  addresses: AddressCapability,
) {
  const end = returned ? 'returned' : `did not return: ${reason}`;
  const left = changes.length - mostChanges;
  return [
    `${end} · ${counted(cycles, 'cycle')}, ${counted(instructions, 'instruction')}`,
    registers
      .map(({ name, value, bits, flags }) => `${name}=${hex(value, bits / 4)}${flags ? ` (${flags})` : ''}`)
      .join(' '),
    `${counted(changedBytes(changes), 'byte')} changed`,
    ...changes.slice(0, mostChanges).map((change) => showChange(change, addresses)),
    ...(left > 0 ? [`and ${left} more places`] : []),
  ].join('\n');
}

function showChange({ address, before, after }: MemoryChange, { format, symbols }: AddressCapability): string {
  const name = symbols.describe(address);
  const more = after.length > mostShownBytes ? ` … (${after.length} bytes)` : '';
  const [old, now] = [before, after].map((bytes) => hexOf(bytes.subarray(0, mostShownBytes)));
  return `${format(address)}${name ? ` ${name}` : ''}: ${old} → ${now}${more}`;
}

function changedBytes(changes: readonly MemoryChange[]): number {
  return changes.reduce((sum, { after }) => sum + after.length, 0);
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => hex(byte, 2)).join(' ');
}

/** As hex, `01 02`, or as numbers. */
function bytesOf(place: string, given: unknown): Uint8Array {
  if (typeof given === 'string' && given.length <= mostBytesChars) return parseBytes(given);
  const numbers = z.array(z.number().int().min(0).max(255)).max(65_536).safeParse(given);
  if (numbers.success) return Uint8Array.from(numbers.data);
  const message = `memory: the value for ${place.slice(0, 40)} is not a list of bytes.`;
  throw new MachineError('INVALID_ARGUMENT', message, 'Write hex, {"$0400":"01 02"}, or numbers, {"$0400":[1,2]}.');
}
