import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Writes the part of a document that a suite owns, between marks of its own; the rest is kept. */
export function writeSection(path: string, suite: string, text: string): void {
  const begin = `<!-- Written by \`npm run ${suite}\`. Do not edit up to the end mark. -->`;
  const end = `<!-- End of what \`npm run ${suite}\` writes. -->`;
  const section = [begin, '', text.trim(), '', end].join('\n');
  const document = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  const whole =
    from < 0 || to < from
      ? `${document.trimEnd()}\n\n${section}\n`
      : document.slice(0, from) + section + document.slice(to + end.length);
  writeFileSync(path, whole.trimStart());
}
