import { z } from 'zod';
import type { AddressCapability } from '../machine/addresses.ts';
import { MachineError } from '../machine/errors.ts';
import { addressOf } from './debug/address.ts';
import { cpuArgument, seenBy } from './debug/processor.ts';
import { showRegisters } from './debug/show.ts';
import { defineTool } from './tool.ts';

export const registersWrite = defineTool({
  name: 'registers_write',
  title: 'Write registers',
  description: 'Change registers of a stopped machine: {"values":{"PC":"$C000","A":5}}.',
  toolset: 'debug',
  needs: ['cpu', 'addresses'],
  effect: 'change',
  idempotent: true,
  whileStopped: true,
  input: z.object({
    values: z.record(z.string(), z.unknown()),
    cpu: cpuArgument,
  }),
  async run(machine, { values, cpu: name }) {
    const { cpu, addresses } = await seenBy(machine, name);
    const numbers: (readonly [string, bigint])[] = [];
    for (const [name, value] of Object.entries(values)) numbers.push([name, await numberOf(name, value, addresses)]);
    for (const [name, value] of numbers) await cpu.setRegister(name, value);
    const registers = await cpu.registers();
    return { text: showRegisters(registers), data: { written: Object.fromEntries(numbers) } };
  },
});

async function numberOf(name: string, value: unknown, addresses: AddressCapability): Promise<bigint> {
  if (typeof value === 'string') return addressOf(value, addresses);
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  throw new MachineError(
    'INVALID_ARGUMENT',
    `${name.slice(0, 40)}: ${JSON.stringify(value)?.slice(0, 60)} is no value of a register.`,
    'Write {"values":{"A":5}}, or a text such as "$C000" or a symbol.',
  );
}
