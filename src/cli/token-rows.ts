import { z } from 'zod';
import { roles } from '../api/roles.ts';

/** Whose token programs of the same user find in the runtime directory. */
export const localName = 'local';

const secretOf = ['token', 'token-sha256', 'file'] as const;

const tokenRow = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9 ._@-]{0,59}$/, 'must be 1 to 60 letters, digits, blanks or . _ @ -')
      .describe('Who has the token; this is what the journal and the audit log show.'),
    role: z
      .enum(roles)
      .describe('observe: look only; use: work with machines; own: also start, stop and destroy them.'),
    token: z
      .string()
      .regex(/^[\x21-\x7e]{16,200}$/, 'must be 16 to 200 characters without blanks')
      .optional(),
    'token-sha256': z
      .string()
      .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits')
      .describe('The SHA-256 of the token, so that the token itself is nowhere: printf %s TOKEN | sha256sum')
      .optional(),
    file: z.string().min(1).describe('A file with nothing but the token in it.').optional(),
  })
  .refine((row) => secretOf.filter((key) => row[key] !== undefined).length === 1, {
    message: `must have exactly one of ${secretOf.map((key) => `"${key}"`).join(', ')}`,
  });

/** Tokens in the configuration file: one for each person or program. */
export const tokenRows = z
  .array(tokenRow)
  .refine((rows) => new Set(rows.map(({ name }) => name)).size === rows.length, {
    message: 'must have different names',
  })
  .refine((rows) => !rows.some(({ name }) => name === localName), { message: `must not use the name "${localName}"` })
  .describe('Tokens with a name and a role, one for each person or program that uses the server over HTTP.');

export type TokenRow = z.output<typeof tokenRow>;
