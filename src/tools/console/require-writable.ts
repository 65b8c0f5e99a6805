import type { ConsolePort } from '../../machine/console.ts';
import { MachineError } from '../../machine/errors.ts';

export function requireWritable({ writePolicy }: ConsolePort): void {
  if (writePolicy !== 'deny') return;
  throw new MachineError(
    'DENIED',
    'Agents may not type on this console (write_policy deny).',
    'Reading is allowed: console_read. A person can type with frontpanel attach.',
  );
}
