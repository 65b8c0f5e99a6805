import { MachineError } from '../../machine/errors.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Variable } from '../../machine/variables.ts';

interface Locals {
  readonly shown: readonly Variable[];
  /** How many are not. */
  readonly more: number;
}

const mostShown = 16;

/** The first arguments and local variables where the machine stands, where nothing else reads them; none outside the functions of C. */
export async function localVariables(machine: Pick<Machine, 'variables' | 'source'>): Promise<Locals> {
  const all = await allVariables(machine);
  return { shown: all.slice(0, mostShown), more: Math.max(0, all.length - mostShown) };
}

async function allVariables({
  variables,
  source,
}: Pick<Machine, 'variables' | 'source'>): Promise<readonly Variable[]> {
  if (!variables || source) return [];
  return variables.locals(0).catch((error: unknown) => {
    if (error instanceof MachineError && error.type === 'NOT_FOUND') return [];
    throw error;
  });
}
