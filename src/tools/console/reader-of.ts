import { MachineError } from '../../machine/errors.ts';

/** The reader of this name, which clients can share; without a name the caller's own. */
export function readerOf(name: string | undefined, session: string): string {
  if (name === undefined) return `@${session}`;
  if (!name.includes('@')) return name;
  throw new MachineError(
    'INVALID_ARGUMENT',
    'The name of a reader has no "@".',
    'Leave reader out, or choose another.',
  );
}
