import { readFileSync, writeFileSync } from 'node:fs';

/** Puts the result of one bench between its markers, or at the end where it has none yet. */
export function writeSection(path: string, name: string, text: string): void {
  const before = readFileSync(path, 'utf8');
  const open = `<!-- bench ${name} -->`;
  const close = `<!-- /bench ${name} -->`;
  const section = `${open}\n${text}\n${close}`;
  const from = before.indexOf(open);
  const to = before.indexOf(close);
  const after =
    from < 0 || to < from
      ? `${before.trimEnd()}\n\n${section}\n`
      : before.slice(0, from) + section + before.slice(to + close.length);
  writeFileSync(path, after);
}
