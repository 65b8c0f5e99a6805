import { z } from 'zod';
import { MachineError } from '../../machine/errors.ts';
import type { DialectTool } from '../dialect.ts';
import { addressInput, addressText } from './numbers.ts';
import type { ViceCall } from './vice-call.ts';
import { viceTool } from './vice-tool.ts';

/** The bits of the status register by their letters. */
const flags: Readonly<Record<string, number>> = { N: 0x80, V: 0x40, B: 0x10, D: 8, I: 4, Z: 2, C: 1 };

const written = { not_taken: z.record(z.string(), z.array(z.string())).optional() };

const get = viceTool({
  name: 'vice.registers.get',
  title: 'Get CPU registers',
  description: 'All registers of the CPU (PC, A, X, Y, SP, P) as numbers, and the flags.',
  effect: 'read',
  input: z.strictObject({}),
  call: (_input, call) => registersOf(call),
});

const set = viceTool({
  name: 'vice.registers.set',
  title: 'Set a CPU register',
  description:
    'Set PC, A, X, Y, SP, P, or one flag by its letter (N V B D I Z C) to true or false, 1 or 0. Pause first; ' +
    'in ERROR call vice.execution.clear_error after it.',
  effect: 'change',
  idempotent: true,
  guard: { whileRunning: 'set registers' },
  input: z.strictObject({
    register: z.string().min(1).max(20),
    value: z.union([z.boolean().describe('Of a flag'), addressInput]),
  }),
  async call({ register, value }, call) {
    const name = register.toUpperCase();
    const bit = flags[name];
    const values = bit === undefined ? { [name]: textOf(name, value) } : { P: await withFlag(name, bit, value, call) };
    const { not_taken } = await call.use('registers_set', { values }, written);
    const left = not_taken?.['P'] ?? [];
    if (bit !== undefined && left.includes(name)) throw unchangeable(name);
    return { register: name, ...(await registersOf(call)), ...(left.length > 0 && { not_taken: left }) };
  },
});

function textOf(name: string, value: number | string | boolean): string {
  if (typeof value !== 'boolean') return addressText(value);
  throw new MachineError('INVALID_ARGUMENT', `${name} is not a flag.`, 'Set "value" to a number.');
}

function unchangeable(flag: string): MachineError {
  return new MachineError(
    'INVALID_ARGUMENT',
    `The processor has no flag ${flag}: it exists only in what PHP, BRK and interrupts push.`,
    'Change the byte on the stack ($0100 + SP + 1 in an interrupt handler).',
  );
}

async function withFlag(name: string, bit: number, given: number | string | boolean, call: ViceCall): Promise<string> {
  const value = typeof given === 'boolean' ? Number(given) : given;
  if (!['0', '1'].includes(String(value))) {
    throw new MachineError('INVALID_ARGUMENT', `The flag ${name} is 0 or 1.`, 'Set "value" to 0, 1, true or false.');
  }
  const { P } = await registersOf(call);
  return String(Number(value) === 1 ? P | bit : P & ~bit);
}

async function registersOf(call: ViceCall) {
  const { registers } = await call.use('processor_read', {}, { registers: z.record(z.string(), z.number()) });
  const { PC = 0, A = 0, X = 0, Y = 0, SP = 0, P = 0 } = registers;
  const letters = Object.entries(flags).map(([letter, bit]) => [letter, (P & bit) !== 0]);
  return { PC, A, X, Y, SP, P, flags: Object.fromEntries(letters) as Record<string, boolean> };
}

export const registerTools: readonly DialectTool[] = [get, set];
