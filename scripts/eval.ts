/**
 * Scripted agents do the tasks of `examples/tasks` through MCP: `npm run eval`, `npm run eval -- c64 dos/ver`, with
 * `--write` into docs/benchmarks.md, with `--prompts` only the prompts as JSON, with `--idle` by an agent that does nothing,
 * for whom no task may be done. Needs a build.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { findTasks, type NamedTask } from './eval/find-tasks.ts';
import { type Figures, runTask } from './eval/run-task.ts';

const words = process.argv.slice(2);
const wanted = words.filter((word) => !word.startsWith('--'));
const isWanted = ({ kind, name }: NamedTask) =>
  wanted.length === 0 || wanted.includes(kind) || wanted.includes(`${kind}/${name}`);
const tasks = (await findTasks()).filter(isWanted);

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
  console.log(done.length === 0 ? `None of ${tasks.length} is done by doing nothing.` : `Done by nothing: ${done}`);
  process.exit(done.length === 0 ? 0 : 1);
}

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
const table = markdown(rows);
console.log(`\n${table}`);
if (words.includes('--write')) write(table);
process.exit(rows.every(({ problem }) => problem === undefined) ? 0 : 1);

function markdown(all: readonly (NamedTask & Figures)[]): string {
  const kinds = [...new Set(all.map(({ kind }) => kind))];
  const lines = kinds.map((kind) => {
    const own = all.filter((row) => row.kind === kind);
    const sum = (pick: (row: Figures) => number) => own.reduce((total, row) => total + pick(row), 0);
    const done = own.filter(({ problem }) => problem === undefined).length;
    const calls = sum((row) => row.calls);
    return `| ${kind} | ${done} of ${own.length} | ${(calls / own.length).toFixed(1)} | ${sum((row) => row.wrong)} | ${Math.round(sum((row) => row.chars) / own.length)} | ${Math.round(sum((row) => row.tokens) / own.length)} |`;
  });
  const head = '| kind | tasks done | calls a task | errors met | characters a task | tokens a task |';
  return [head, '| --- | --- | --- | --- | --- | --- |', ...lines].join('\n');
}

function write(text: string): void {
  const path = 'docs/benchmarks.md';
  const pattern = /(<!-- eval -->\n)[\s\S]*?(<!-- \/eval -->)/;
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(pattern, (_, open, close) => `${open}${text}\n${close}`),
  );
}
