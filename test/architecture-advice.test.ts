import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tools } from '../src/tools/index.ts';
import { namesTool } from './support/foreign-names.ts';
import { textsIn } from './support/texts-in.ts';

/** What is said in these reaches agents through every surface, and each has its own tools. */
const folders = ['machines', 'machine', 'rack', 'console', 'host', 'links', 'tools', 'station', 'api'];
/** Texts that may name tools in so many words, and why. */
const allowed: readonly { readonly where: RegExp; readonly place?: string; readonly why: string }[] = [
  { where: /^tools\//, place: 'name', why: 'the name of the tool itself' },
  { where: /^tools\/[^/]+\.ts$/, place: 'description', why: 'what a tool does: shown with our own tools only' },
  { where: /^tools\//, place: 'describe()', why: 'what an argument means: shown with our own tools only' },
  { where: /^tools\/tool-find\/through-finder\.ts$/, why: 'whose calls are passed on' },
  { where: /^machines\//, place: 'summary', why: 'what a kind is: shown by machine_kinds only' },
  { where: /^machines\//, place: 'describe()', why: 'what an option of machine_start means: shown by machine_kinds' },
  {
    where:
      /breakpoints?\/(check-spec|commodore-breakpoints|parts|trigger-reach)\.ts$|^tools\/(breakpoint-set|debug\/(breakpoint-arguments|show-breakpoint))\.ts$/,
    why: 'a type of breakpoint has the name of a tool: chip_write',
  },
  { where: /^tools\/machine-kinds\.ts$/, why: 'an example of a call, as machine_kinds of our own tools shows it' },
];

const root = join(import.meta.dirname, '../src');
const names = tools.map(({ name }) => name);
const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)
    .filter((file) => file.endsWith('.ts') && !/[.-]test(ing)?\.ts$/.test(file)),
);

test('no text names a tool of ours but by call(), which each surface says in its own way', async () => {
  const found: string[] = [];
  for (const file of files) {
    for (const { text, place } of await textsIn(readFileSync(join(root, file), 'utf8'))) {
      if (!namesTool(text, names)) continue;
      if (allowed.some((each) => each.where.test(file) && (each.place === undefined || each.place === place))) continue;
      found.push(`${file}: ${text}`);
    }
  }
  expect(found).toEqual([]);
});

test('the check sees texts of every form, and passes what call() says', async () => {
  const put = (value: string) => `\${${value}}`;
  const source = [
    `const a: string = \`Stop it with ${put('b as string')}machine_stop.\`;`,
    `throw new MachineError('BUSY', 'Call pause first.' + a, advice\`Use ${put("call('run', { until: 'x' })")}.\`);`,
    'const c = z.string().describe("From machine_kinds");',
    'const d = { name: "machine_list", text: `run {"frames":1}`, run: "run", why: "run or stop" };',
  ].join('\n');
  const named = (await textsIn(source)).filter(({ text }) => namesTool(text, names));
  expect(named).toEqual([
    { text: 'Stop it with …machine_stop.', place: undefined },
    { text: 'Call pause first.', place: undefined },
    { text: 'From machine_kinds', place: 'describe()' },
    { text: 'machine_list', place: 'name' },
    { text: 'run {"frames":1}', place: 'text' },
  ]);
});
