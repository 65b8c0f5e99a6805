import { MachineError } from '../../../machine/errors.ts';
import type { ViceSession } from './vice-session.ts';

/** With a binary monitor of version 2. */
const oldest = [3, 5] as const;

/** The version in words; refuses those whose monitor says other things. */
export function requireVersion(session: ViceSession): string {
  const told = (session.version ?? oldest).slice(0, 3).join('.');
  if (session.isSince(...oldest)) return told;
  const message = `This is VICE ${told}, and ${oldest.join('.')} is the oldest that can be used.`;
  throw new MachineError('UNAVAILABLE', message, 'Install a later VICE.');
}
