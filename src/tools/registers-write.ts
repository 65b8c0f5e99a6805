import { z } from 'zod';
import { addressOf } from './debug/address.ts';
import { cpuArgument, seenBy } from './debug/processor.ts';
import { showRegisters } from './debug/show.ts';
import { defineTool } from './tool.ts';

export const registersWrite = defineTool({
  name: 'registers_write',
  title: 'Write registers',
  description: 'Change registers of a stopped machine: {"values":{"PC":"$C000","A":"0"}}.',
  toolset: 'debug',
  needs: ['cpu', 'addresses'],
  effect: 'change',
  idempotent: true,
  whileStopped: true,
  input: z.object({
    values: z.record(z.string(), z.string()),
    cpu: cpuArgument,
  }),
  async run(machine, { values, cpu: name }) {
    const { cpu, addresses } = await seenBy(machine, name);
    const numbers: (readonly [string, bigint])[] = [];
    for (const [name, text] of Object.entries(values)) numbers.push([name, await addressOf(text, addresses)]);
    for (const [name, value] of numbers) await cpu.setRegister(name, value);
    const registers = await cpu.registers();
    return { text: showRegisters(registers), data: { written: Object.fromEntries(numbers) } };
  },
});
