import type { ConsolePort } from '../../machine/console.ts';
import { advice, call, MachineError } from '../../machine/errors.ts';

export function requireWritable({ writePolicy }: ConsolePort): void {
  if (writePolicy !== 'deny') return;
  throw new MachineError('DENIED', 'Agents may not type on this console (write_policy deny).', [
    advice`Reading is allowed: ${call('console_read')}.`,
    advice`A person can type with frontpanel attach.`,
  ]);
}
