import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { stdioClient } from '../support/mcp-client.ts';
import { Sandbox } from '../support/sandbox.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Pages whose example needs nothing that a reader would have to bring, and the part that it is in. */
const pages = [
  ['c64', 0],
  ['vic20', 0],
  ['plus4', 0],
  ['dos', 1],
] as const;

interface Call {
  readonly tool: string;
  readonly args: Record<string, unknown>;
}

/** What is fenced in a part of a page: calls, or lines of their answers. */
async function exampleOf(page: string, part: number): Promise<readonly (readonly string[])[]> {
  const example = (await readFile(join(root, 'docs', `${page}.md`), 'utf8')).split('\n## ')[part] ?? '';
  const fenced = example.split('```').filter((_, index) => index % 2 === 1);
  return fenced.map((text) => text.split('\n').filter((line) => line !== ''));
}

function callIn(line: string): Call | undefined {
  const [, tool, args] = /^([a-z_]+) +(\{.*\})/.exec(line) ?? [];
  return tool && args ? { tool, args: JSON.parse(args) } : undefined;
}

/** What a page leaves out is "…" there. */
function shows(answers: string, line: string): boolean {
  const parts = line.split('…').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^\\s*${parts.join('.*')}$`, 'm').test(answers);
}

test.each(pages)('docs/%s.md: its calls have the answers that it shows', { timeout: 180_000 }, async (page, part) => {
  await using sandbox = await Sandbox.open();
  await cp(join(root, 'examples'), join(sandbox.dir, 'examples'), { recursive: true });
  await using client = await stdioClient(sandbox, 'modern');
  let answers = '';
  let shown = 0;
  for (const block of await exampleOf(page, part)) {
    const calls = block.map(callIn).filter((call) => call !== undefined);
    for (const { tool, args } of calls) {
      const answer = await client.call(tool, args);
      expect(answer.isError, answer.text).toBe(false);
      answers += `${answer.text}\n`;
    }
    if (calls.length > 0) continue;
    for (const line of block) expect(shows(answers, line), `${line}\nnot in\n${answers}`).toBe(true);
    shown += block.length;
  }
  expect(shown).toBeGreaterThan(1);
});
