import { MachineError } from '../../../machine/errors.ts';
import type { ViceSession } from './vice-session.ts';

/** With a binary monitor of version 2. */
const oldest = [3, 5];

/** The version in words; refuses those whose monitor says other things. */
export function requireVersion({ version }: ViceSession): string {
  if (version === undefined) return '3.5';
  const [major = 0, minor = 0] = version;
  const [oldestMajor = 0, oldestMinor = 0] = oldest;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return version.slice(0, 3).join('.');
  const message = `This is VICE ${version.slice(0, 3).join('.')}, and ${oldest.join('.')} is the oldest that can be used.`;
  throw new MachineError('UNAVAILABLE', message, 'Install a later VICE.');
}
