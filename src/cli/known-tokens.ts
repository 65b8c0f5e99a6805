import { readFileSync, statSync } from 'node:fs';
import { type KnownToken, tokenDigest } from '../server/token-list.ts';
import type { OptionValues } from './options.ts';
import { localName, type TokenRow } from './token-rows.ts';
import { UsageError } from './usage-error.ts';

export interface ServerTokens {
  readonly known: readonly KnownToken[];
  /** An owner's token in plain text, for programs of the same user; undefined if none is needed. */
  readonly own: string | undefined;
  /** Whether people may read that one at the start. */
  readonly isShown: boolean;
  readonly warnings: readonly string[];
}

/** The tokens that a server with these options takes. Throws a `UsageError`. */
export function serverTokens(
  options: Pick<OptionValues, 'token' | 'noToken'>,
  tokens: readonly TokenRow[],
  kept: string,
): ServerTokens {
  if (options.noToken) return { known: [], own: undefined, isShown: false, warnings: [] };
  const own = options.token ?? kept;
  const hasNames = tokens.length > 0;
  const name = hasNames ? (options.token === undefined ? localName : 'owner') : undefined;
  const rows = tokens.map(readToken);
  const known: KnownToken[] = [{ name, role: 'own', sha256: tokenDigest(own) }, ...rows.map(({ known }) => known)];
  const digests = known.map(({ sha256 }) => Buffer.from(sha256).toString('hex'));
  const twice = known.find((_, index) => digests.indexOf(digests[index] ?? '') !== index);
  if (twice) throw new UsageError([`The token of "${twice.name}" is also somebody else's; give each their own.`]);
  if (rows.some(({ known }) => known.name === name))
    throw new UsageError([`"tokens" must not use the name "${name}".`]);
  return { known, own, isShown: !hasNames, warnings: rows.flatMap(({ warnings }) => warnings) };
}

function readToken(row: TokenRow): { readonly known: KnownToken; readonly warnings: readonly string[] } {
  const { name, role } = row;
  const given = row['token-sha256'];
  if (given !== undefined) return { known: { name, role, sha256: Buffer.from(given, 'hex') }, warnings: [] };
  if (row.token !== undefined) return { known: { name, role, sha256: tokenDigest(row.token) }, warnings: [] };
  const { token, warnings } = readTokenFile(name, row.file ?? '');
  return { known: { name, role, sha256: tokenDigest(token) }, warnings };
}

function readTokenFile(name: string, path: string): { readonly token: string; readonly warnings: readonly string[] } {
  let token: string;
  let mode: number;
  try {
    token = readFileSync(path, 'utf8').trim();
    mode = statSync(path).mode;
  } catch (error) {
    throw new UsageError([
      `The token file of "${name}" cannot be read: ${error instanceof Error ? error.message : error}.`,
    ]);
  }
  if (!/^[\x21-\x7e]{16,200}$/.test(token)) {
    throw new UsageError([
      `${path} must hold the token of "${name}", 16 to 200 characters without blanks, and nothing else.`,
    ]);
  }
  const isOpen = (mode & 0o077) !== 0;
  return {
    token,
    warnings: isOpen ? [`${path} can be read by other users of this computer; chmod 600 closes it.`] : [],
  };
}
