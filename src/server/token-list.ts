import { createHash, timingSafeEqual } from 'node:crypto';
import type { Role } from '../api/roles.ts';

/** A token that opens the door, kept as its digest. */
export interface KnownToken {
  /** Who has it; undefined for the one token of a server without named ones. */
  readonly name: string | undefined;
  readonly role: Role;
  readonly sha256: Uint8Array;
}

/** Whom a token belongs to. */
export type Bearer = Pick<KnownToken, 'name' | 'role'>;

export function tokenDigest(token: string): Uint8Array {
  return createHash('sha256').update(token).digest();
}

/** The tokens of a server. Without any, everybody who reaches it owns it. */
export class TokenList {
  readonly #tokens: readonly KnownToken[];

  constructor(tokens: readonly KnownToken[]) {
    this.#tokens = tokens;
  }

  get isNeeded(): boolean {
    return this.#tokens.length > 0;
  }

  bearerOf(token: string | undefined): Bearer | undefined {
    if (!this.isNeeded) return { name: undefined, role: 'own' };
    if (token === undefined || token === '') return undefined;
    const digest = tokenDigest(token);
    // All are compared, so that the time it takes tells nothing.
    const [found] = this.#tokens.filter(({ sha256 }) => timingSafeEqual(sha256, digest));
    return found && { name: found.name, role: found.role };
  }
}
