import { z } from 'zod';
import type { CpuCapability, Register } from '../machine/cpu.ts';
import { cpuArgument, seenBy } from './debug/processor.ts';
import { registerValue } from './debug/register-value.ts';
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
    for (const [name, value] of Object.entries(values))
      numbers.push([name, await registerValue(name, value, addresses)]);
    await setAll(cpu, numbers);
    const registers = await cpu.registers();
    const left = numbers.flatMap(([name, value]) => notTaken(name, value, registers));
    const notes = left.map(({ name, bits }) => `not taken: ${bits.join(', ')} of ${name}, which cannot be changed`);
    return {
      text: [showRegisters(registers), ...notes].join('\n'),
      data: {
        written: Object.fromEntries(numbers),
        ...(left.length > 0 && { not_taken: Object.fromEntries(left.map(({ name, bits }) => [name, bits])) }),
      },
    };
  },
});

/** All of them or, if one is refused, none. */
async function setAll(cpu: CpuCapability, values: readonly (readonly [string, bigint])[]): Promise<void> {
  const before = await cpu.registers();
  try {
    for (const [name, value] of values) await cpu.setRegister(name, value);
  } catch (error) {
    const now = new Map((await cpu.registers()).map(({ name, value }) => [name, value]));
    for (const { name, value } of before) if (now.get(name) !== value) await cpu.setRegister(name, value);
    throw error;
  }
}

/** The bits that a register does not have as they were written: flags by their letters. */
function notTaken(name: string, wanted: bigint, registers: readonly Register[]) {
  const register = registers.find((each) => each.name.toUpperCase() === name.toUpperCase());
  const differing = register === undefined ? 0n : register.value ^ wanted;
  if (register === undefined || differing === 0n) return [];
  const positions = Array.from({ length: register.bits }, (_, index) => register.bits - 1 - index);
  const bits = positions
    .filter((position) => (differing >> BigInt(position)) & 1n)
    .map((position) => letterOf(register, position) ?? `bit ${position}`);
  return [{ name: register.name, bits }];
}

/** Where a letter stands for each bit. */
function letterOf({ flags = '', bits }: Register, position: number): string | undefined {
  const letter = flags.length === bits ? flags[bits - 1 - position] : undefined;
  return letter === undefined || letter === '-' ? undefined : letter.toUpperCase();
}
