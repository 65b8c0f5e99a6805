import type { ControlCapability } from '../../machine/control.ts';
import { MachineError } from '../../machine/errors.ts';

export function requireRewind(control: ControlCapability): void {
  if (control.canRewind) return;
  throw new MachineError(
    'MISSING_CAPABILITY',
    'This machine cannot run backwards.',
    'Save a snapshot before the place of interest and restore it instead.',
  );
}
