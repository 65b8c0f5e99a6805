import { MachineError } from '../../machine/errors.ts';
import type { Capability, MachineWith } from '../../machine/machine.ts';
import type { ToolAnswer } from '../../tools/tool.ts';
import type { Caller, Toolbox } from '../../tools/toolbox.ts';

/** What the original answers with when a tool cannot do its work. */
export function executionError(problem: string): MachineError {
  return new MachineError('INTERNAL', `Tool execution error: ${problem}`, 'Correct the call and try again.');
}

/** Reads the machine while it is held still, as the original pauses it for each inspection. */
export async function inspect<C extends Capability, T>(
  toolbox: Toolbox,
  needs: readonly C[],
  read: (machine: MachineWith<C>) => Promise<T>,
): Promise<T> {
  const { machine } = toolbox.rack.get(undefined);
  const missing = needs.filter((capability) => machine[capability] === undefined);
  if (missing.length > 0) throw executionError(`the machine has no ${missing.join(', ')}.`);
  const letGo = machine.status().state === 'RUNNING' ? await machine.control?.hold() : undefined;
  try {
    return await read(machine as MachineWith<C>);
  } finally {
    letGo?.();
  }
}

/** One of our tools on the machine; what goes wrong is an error of the original's sort. */
export async function use(
  toolbox: Toolbox,
  caller: Caller,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<ToolAnswer> {
  // The original has no confirmations: whoever speaks its dialect does not know how to give one.
  const outcome = await toolbox.call(tool, args, { ...caller, confirmed: true });
  if (outcome.type === 'answer') return outcome.answer;
  throw executionError(outcome.type === 'error' ? `${outcome.error.message} ${outcome.error.fix}` : outcome.question);
}

export function linearOf(segment: number, offset: number): bigint {
  return BigInt(segment * 16 + offset);
}

export function hexText(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join('');
}
