import { MachineError } from '../../machine/errors.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Variable } from '../../machine/variables.ts';

/** Arguments and local variables where the machine stands, where nothing else reads them; none outside the functions of C. */
export async function localVariables({
  variables,
  source,
}: Pick<Machine, 'variables' | 'source'>): Promise<readonly Variable[]> {
  if (!variables || source) return [];
  return variables.locals(0).catch((error: unknown) => {
    if (error instanceof MachineError && error.type === 'NOT_FOUND') return [];
    throw error;
  });
}
