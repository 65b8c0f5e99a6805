import { MachineError } from '../machine/errors.ts';

/** What somebody may do; each role includes those before it. */
export const roles = ['observe', 'use', 'own'] as const;
export type Role = (typeof roles)[number];

/** What a deed does to machines. */
export type Effect = 'read' | 'change' | 'destroy';

/** The least role for each effect. What it does not say is in `src/tools/tool-role.ts`. */
export const roleOfEffect: Readonly<Record<Effect, Role>> = { read: 'observe', change: 'use', destroy: 'own' };

/** Who acts, as the way in has found out. Only `agent` is what a client says of itself. */
export interface Actor {
  /** The name of the token, or of the client where tokens have no names. */
  readonly client: string;
  readonly role: Role;
  readonly agent?: string | undefined;
  /** Which of the people at the page it is; agents are none. */
  readonly person?: string | undefined;
  /** An internet address, or `stdio`. */
  readonly address?: string | undefined;
}

export function mayAct(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}

/** The one place where a role is held against a deed, whether an agent's call or a person's hand on the page. */
export function requireRole({ client, role }: Actor, needed: Role, what: string): void {
  if (mayAct(role, needed)) return;
  throw new MachineError(
    'DENIED',
    `${what} needs the role "${needed}"; ${client} has the role "${role}".`,
    `Ask the operator of this server for a token with the role "${needed}".`,
    { role, needed_role: needed },
  );
}
