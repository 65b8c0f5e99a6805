import type { Actor } from '../../api/roles.ts';
import { MachineError } from '../../machine/errors.ts';

type Who = Pick<Actor, 'role'> & { readonly session: string };

/** The reader of this name, which clients can share; without a name the caller's own. Who may only look shares none: reading moves it. */
export function readerOf(name: string | undefined, who: Who): string {
  if (name?.includes('@')) {
    throw new MachineError(
      'INVALID_ARGUMENT',
      'The name of a reader cannot contain "@".',
      'Leave reader out, or choose another.',
    );
  }
  return name === undefined || who.role === 'observe' ? ownReader(name, who) : name;
}

/** The caller's own, of those that it has for several things. */
export function ownReader(name: string | undefined, { role, session }: Who): string {
  return `${name ?? ''}@${role === 'observe' ? '~' : ''}${session}`;
}
