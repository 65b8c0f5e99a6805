import { statSync } from 'node:fs';
import type { CommandLine } from './parse.ts';

/** What to say of a configuration file with tokens in it that other users of this computer can read. */
export function openConfigWarnings({ sections, sources }: Pick<CommandLine, 'sections' | 'sources'>): string[] {
  if (sections === undefined || process.getuid === undefined) return [];
  const rows = sections.values.get('tokens');
  const hasTokens = Array.isArray(rows) && rows.some((row) => typeof Object(row).token === 'string');
  if (!hasTokens && sources.token?.place !== 'file') return [];
  const { path } = sections;
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o077) === 0) return [];
  return [`${path} holds tokens and is open to other users of this computer; close it: chmod 600 ${path}`];
}
