import { z } from 'zod';
import { MachineError } from '../../machine/errors.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Processor } from '../../machine/processors.ts';

/** Of tools that concern one processor; `state_read` says which there may be. */
export const cpuArgument = z.string().optional();

/** What the processor of this name sees; without a name, or as `main`, the machine's own. */
export async function seenBy<M extends Machine>(
  machine: M,
  cpu: string | undefined,
): Promise<Pick<M, 'cpu' | 'memory' | 'addresses' | 'paging' | 'source' | 'variables'> | Processor> {
  if (cpu === undefined) return machine;
  if (machine.processors) return machine.processors.named(cpu);
  if (cpu === 'main') return machine;
  const message = `No processor ${JSON.stringify(cpu.slice(0, 40))}: this machine has one.`;
  throw new MachineError('INVALID_ARGUMENT', message, 'Leave cpu out.');
}
