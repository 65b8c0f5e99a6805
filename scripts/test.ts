/** The whole test command: `npm test`, or `npm test -- PART …` with names from the table below. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { endWhatIsLeft, partVariable } from './left-behind.ts';
import { runConformance, runInspector, type SuiteTotals } from './official-suites.ts';
import { ensureSystemPackages } from './system-packages.ts';

/** What the tests' JSON reporter writes, as far as it is read here. */
const reports = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numFailedTestSuites: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).default([]) }),
      ),
    }),
  ),
});

const parts: Record<string, (log?: string) => SuiteTotals | Promise<SuiteTotals>> = {
  units: () =>
    vitest('units', [
      'src',
      'test/architecture',
      'test/glossary',
      'test/tour',
      'test/contract',
      'test/server',
      'test/threads',
      'test/examples',
      'test/eval',
      'test/c64',
      'test/dos',
      'test/vic20',
      'test/plus4',
      'test/understanding',
    ]),
  vice: () => vitest('vice', ['test/vice']),
  ide: () => vitest('ide', ['test/ide']),
  security: () => vitest('security', ['test/security', 'test/fuzz']),
  gym: () => vitest('gym', ['test/gym']),
  faults: (log) => vitest('faults', ['test/faults'], log),
  watchdog: () => vitest('watchdog', ['test/watchdog']),
  page: () => vitest('page', ['test/page']),
  console: (log) => vitest('console', ['test/console'], log),
  fleet: (log) => vitest('fleet', ['test/fleet'], log),
  chaos: (log) => vitest('chaos', ['test/chaos'], log),
  soak: (log) => vitest('soak', ['test/soak'], log),
  guests: (log) => vitest('guests', ['test/guests'], log),
  qemu: (log) => vitest('qemu', ['test/qemu'], log),
  conformance: runConformance,
  inspector: runInspector,
};

/** Parts that wait for clocks, links and guests more than they compute: they run beside the first one, those of a line one after the other. */
const waiting: readonly (readonly string[])[] = [['console', 'faults', 'fleet', 'soak', 'guests', 'qemu'], ['chaos']];

/** More than these are no accident. */
const mostTriedAgain = 3;

interface Failure {
  readonly part: string;
  readonly file: string;
  readonly test: string;
  readonly message: string;
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`No part ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}`);
  process.exit(2);
}

ensureSystemPackages();
mkdirSync('.cache', { recursive: true });
if (spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' }).status !== 0) process.exit(1);

/** Processes that a part started and did not end. */
const leftBehind: string[] = [];
const names = Object.keys(parts).filter((part) => wanted.length === 0 || wanted.includes(part));
const rows: { readonly part: string; passed: number; failed: number; readonly skipped?: number }[] = [];
/** Begun while others run, and shown when it is their turn. */
const early = new Map(
  waiting.flatMap((line) => [...runEarly(names.filter((part) => line.includes(part) && part !== names[0]))]),
);
for (const part of names) {
  console.log(`\n== ${part}`);
  const totals = await (early.get(part)?.() ?? parts[part]?.());
  rows.push({ part, ...(totals ?? { passed: 0, failed: 1 }) });
}

const failures = names.flatMap(failuresOf);
const steady = await filesThatPassAlone([...new Set(failures.map(({ file }) => file))]);
console.log('');
for (const { file, test, message } of failures) {
  console.log(
    `${steady.has(file) ? 'UNSTEADY (passed when run again, alone)' : 'FAILED'} ${file} > ${test}\n${message}\n`,
  );
}
for (const process of leftBehind) console.log(`LEFT BEHIND, ended now, by ${process}`);
for (const row of rows) {
  const own = failures.filter(({ part }) => part === row.part);
  const passing = own.filter(({ file }) => steady.has(file));
  const again = own.length > 0 && passing.length === own.length ? row.failed : passing.length;
  row.passed += again;
  row.failed -= again;
  const { part, ...totals } = row;
  console.log(`${part}: ${figures(totals)}${again > 0 ? ` (${again} unsteady)` : ''}`);
}
const total = (pick: (row: SuiteTotals) => number) => rows.reduce((sum, row) => sum + pick(row), 0);
const sum = {
  passed: total((row) => row.passed),
  failed: total((row) => row.failed),
  skipped: total((row) => row.skipped ?? 0),
};
console.log(`\n${figures(sum)}`);
process.exit(sum.failed === 0 && sum.passed > 0 ? 0 : 1);

function figures({ passed, failed, skipped = 0 }: SuiteTotals): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** One after the other; the answers wait for theirs and print what it had to say. */
function runEarly(early: readonly string[]): ReadonlyMap<string, () => Promise<SuiteTotals>> {
  let before: Promise<unknown> = Promise.resolve();
  return new Map(
    early.map((part) => {
      const log = `.cache/${part}.log`;
      const totals = before.then(async () => parts[part]?.(log) ?? { passed: 0, failed: 1 });
      before = totals;
      return [
        part,
        async () => {
          const done = await totals;
          process.stdout.write(readFileSync(log));
          return done;
        },
      ];
    }),
  );
}

/** What it prints goes to the terminal, or to a file. */
async function vitest(name: string, filters: readonly string[], log?: string): Promise<SuiteTotals> {
  const file = `.cache/vitest-${name}.json`;
  rmSync(file, { force: true });
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`];
  const output = log === undefined ? 'inherit' : openSync(log, 'w');
  const mark = `${process.pid}-${name}`;
  const child = spawn('npx', ['vitest', 'run', ...reporters, ...filters], {
    stdio: ['inherit', output, output],
    env: { ...process.env, [partVariable]: mark, ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }) },
  });
  const [status]: unknown[] = await once(child, 'exit');
  leftBehind.push(...(await endWhatIsLeft(mark)).map((process) => `${name}: ${process}`));
  if (typeof output === 'number') closeSync(output);
  const report = readReport(file);
  const broken = report.failed === 0 && status !== 0 ? 1 : 0;
  return { passed: report.passed, failed: report.failed + broken, skipped: report.skipped };
}

function readReport(file: string): Required<SuiteTotals> {
  const report = reports.safeParse(readJson(file)).data;
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const { numFailedTests: failed, numFailedTestSuites: suites } = report;
  return {
    passed: report.numPassedTests,
    failed: failed > 0 ? failed : suites,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** What failed in a part and how, to be read at the end of a long run. */
function failuresOf(part: string): Failure[] {
  return filesOf(part).flatMap(({ name, message, assertionResults }) => {
    const file = relative('.', name);
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    const tests = failed.map((one) => ({ test: one.fullName, message: shortened(one.failureMessages.join('\n')) }));
    const whole = message && failed.length === 0 ? [{ test: 'the file', message: shortened(message) }] : [];
    return [...whole, ...tests].map((failure) => ({ part, file, ...failure }));
  });
}

/**
 * A few failures among thousands may come from a machine that had other things to do: their files run once more when
 * nothing else does. Those that pass are named as such.
 */
async function filesThatPassAlone(files: readonly string[]): Promise<ReadonlySet<string>> {
  if (files.length === 0 || files.length > mostTriedAgain) return new Set();
  console.log('\n== again, alone');
  const { failed } = await vitest('again', ['--maxWorkers=1', ...files]);
  const failing = new Set(failuresOf('again').map(({ file }) => file));
  if (failed > 0 && failing.size === 0) return new Set();
  const tried = filesOf('again').filter(({ assertionResults }) =>
    assertionResults.some(({ status }) => status === 'passed'),
  );
  return new Set(tried.map(({ name }) => relative('.', name)).filter((file) => !failing.has(file)));
}

function filesOf(part: string) {
  return reports.safeParse(readJson(`.cache/vitest-${part}.json`)).data?.testResults ?? [];
}

function shortened(message: string): string {
  return stripVTControlCharacters(message).slice(0, 1500);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
