import { advice, call, MachineError } from '../../machine/errors.ts';
import type { MachineWith } from '../../machine/machine.ts';

export function requireRewind({ control, builtIn }: Pick<MachineWith<'control'>, 'control' | 'builtIn'>): void {
  if (control.canRewind) return;
  throw new MachineError('MISSING_CAPABILITY', 'This machine cannot run backwards.', [
    ...(builtIn ? [advice`The built-in machine can: ${call('machine_start', { kind: builtIn.kind })}.`] : []),
    advice`Save a snapshot before the place of interest with ${call('snapshot_save')} and restore it instead.`,
  ]);
}
