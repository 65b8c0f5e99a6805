import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../test/vice/', import.meta.url);

/**
 * The test that proves each of these tools, as a link: one in `test/vice` whose title names it before a colon. Throws where
 * there is none.
 */
export function toolProofs(tools: readonly string[]): ReadonlyMap<string, string> {
  const titles = readdirSync(folder)
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => titlesIn(readFileSync(new URL(file, folder), 'utf8')).map((title) => ({ file, title })));
  return new Map(
    tools.map((tool) => {
      const found = titles.find(({ title }) => namesIn(title).includes(tool));
      if (!found) throw new Error(`No test in test/vice proves ${tool}: give one the title "${tool}: what it shows".`);
      return [
        tool,
        `[${found.file.replace('.test.ts', '')}](../test/vice/${found.file}): ${found.title.replace(/^[^:]*: /, '')}`,
      ];
    }),
  );
}

function titlesIn(source: string): string[] {
  return [...source.matchAll(/\btest\(\s*'((?:[^'\\]|\\.)*)'/g)].map(([, title = '']) => title);
}

function namesIn(title: string): string[] {
  return title.split(': ', 1)[0]?.match(/vice\.[a-z0-9_.]*[a-z0-9_]/g) ?? [];
}
