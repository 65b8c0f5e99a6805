/**
 * Scripted agents do the tasks of `examples/tasks` through MCP: `npm run eval`, `npm run eval -- c64 dos/ver`, with
 * `--write` into docs/benchmarks.md (the rows of the kinds that were run as a whole), with `--prompts` only the prompts as JSON, with `--idle` by an agent that does nothing,
 * for whom no task may be done. Needs a build.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { findTasks, type NamedTask } from './eval/find-tasks.ts';
import { type Figures, runTask } from './eval/run-task.ts';

const words = process.argv.slice(2);
const wanted = words.filter((word) => !word.startsWith('--'));
const isWanted = ({ kind, name }: NamedTask) =>
  wanted.length === 0 || wanted.includes(kind) || wanted.includes(`${kind}/${name}`);
const all = await findTasks();
const tasks = all.filter(isWanted);

if (words.includes('--prompts')) {
  const prompts = tasks.map(({ kind, name, task }) => ({ task: `${kind}/${name}`, prompt: task.prompt }));
  console.log(JSON.stringify(prompts, null, 2));
  process.exit(0);
}

if (words.includes('--idle')) {
  const done: string[] = [];
  for (const { kind, name, task } of tasks) {
    const { problem } = await runTask(task, async () => 'Done.');
    if (problem === undefined) done.push(`${kind}/${name}`);
  }
  console.log(
    done.length === 0
      ? `None of ${tasks.length} tasks passes without doing anything.`
      : `Tasks that pass without doing anything: ${done}`,
  );
  process.exit(done.length === 0 ? 0 : 1);
}

const head = [
  '| kind | tasks done | calls a task | fewest and most | errors met | characters a task | tokens a task |',
  '| --- | --- | --- | --- | --- | --- | --- |',
];
const rows: (NamedTask & Figures)[] = [];
for (const each of tasks) {
  const figures = await runTask(each.task).catch((error: unknown) => ({
    ...{ calls: 0, wrong: 0, chars: 0, tokens: 0 },
    problem: `the script ended: ${error instanceof Error ? error.message : String(error)}`,
  }));
  rows.push({ ...each, ...figures });
  const state = figures.problem === undefined ? 'done' : `NOT DONE: ${figures.problem}`;
  console.log(`${each.kind}/${each.name}: ${figures.calls} calls, ${figures.tokens} tokens, ${state}`);
}
const lines = new Map([...new Set(rows.map(({ kind }) => kind))].map((kind) => [kind, lineOf(kind)]));
console.log(`\n${[...head, ...lines.values()].join('\n')}`);
if (words.includes('--write')) write();
process.exit(rows.every(({ problem }) => problem === undefined) ? 0 : 1);

function lineOf(kind: string): string {
  const own = rows.filter((row) => row.kind === kind);
  const mean = (pick: (row: Figures) => number) => own.reduce((total, row) => total + pick(row), 0) / own.length;
  const done = own.filter(({ problem }) => problem === undefined).length;
  const calls = own.map((row) => row.calls);
  const cells = [
    kind,
    `${done} of ${own.length}`,
    mean((row) => row.calls).toFixed(1),
    `${Math.min(...calls)} to ${Math.max(...calls)}`,
    Math.round(mean((row) => row.wrong) * own.length),
    Math.round(mean((row) => row.chars)),
    Math.round(mean((row) => row.tokens)),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Rows of kinds of which some tasks were not run stay as they were. */
function write(): void {
  const path = 'docs/benchmarks.md';
  const pattern = /(<!-- eval -->\n)([\s\S]*?)(<!-- \/eval -->)/;
  const isWhole = (kind: string) => all.every((task) => task.kind !== kind || tasks.includes(task));
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(pattern, (_, open: string, before: string, close: string) => {
      const kept = before.split('\n').flatMap((line): [string, string][] => {
        const kind = /^\| (\w+) \| \d/.exec(line)?.[1];
        return kind === undefined ? [] : [[kind, line]];
      });
      const table = new Map([...kept, ...[...lines].filter(([kind]) => isWhole(kind))]);
      const sorted = [...table].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
      return `${open}${[...head, ...sorted].join('\n')}\n${close}`;
    }),
  );
}
