/** The whole test command: `npm test`, or `npm test -- PART …` with names from the table below. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { runConformance, runInspector, type SuiteTotals } from './official-suites.ts';
import { ensureSystemPackages } from './system-packages.ts';

const parts: Record<string, () => SuiteTotals | Promise<SuiteTotals>> = {
  units: () =>
    vitest('units', [
      'src',
      'test/architecture',
      'test/glossary',
      'test/tour',
      'test/contract',
      'test/server',
      'test/examples',
      'test/eval',
      'test/c64',
      'test/vic20',
      'test/plus4',
      'test/understanding',
    ]),
  vice: () => vitest('vice', ['test/vice']),
  ide: () => vitest('ide', ['test/ide']),
  security: () => vitest('security', ['test/security', 'test/fuzz']),
  gym: () => vitest('gym', ['test/gym']),
  faults: () => vitest('faults', ['test/faults']),
  watchdog: () => vitest('watchdog', ['test/watchdog']),
  page: () => vitest('page', ['test/page']),
  console: () => vitest('console', ['test/console']),
  soak: () => vitest('soak', ['test/soak']),
  guests: () => vitest('guests', ['test/guests']),
  qemu: () => vitest('qemu', ['test/qemu']),
  conformance: runConformance,
  inspector: runInspector,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`No part ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}`);
  process.exit(2);
}

ensureSystemPackages();
mkdirSync('.cache', { recursive: true });
if (spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' }).status !== 0) process.exit(1);

const rows: (SuiteTotals & { readonly part: string })[] = [];
for (const [part, run] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(part)) continue;
  console.log(`\n== ${part}`);
  rows.push({ part, ...(await run()) });
}

console.log('');
for (const { part, ...totals } of rows) console.log(`${part}: ${figures(totals)}`);
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

function vitest(name: string, filters: readonly string[]): SuiteTotals {
  const file = `.cache/vitest-${name}.json`;
  rmSync(file, { force: true });
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`];
  const done = spawnSync('npx', ['vitest', 'run', ...reporters, ...filters], { stdio: 'inherit' });
  const report = readReport(file);
  const broken = report.failed === 0 && done.status !== 0 ? 1 : 0;
  return { passed: report.passed, failed: report.failed + broken, skipped: report.skipped };
}

function readReport(file: string): Required<SuiteTotals> {
  try {
    const report: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const count = (key: string) => Number(Reflect.get(Object(report), key) ?? 0);
    return {
      passed: count('numPassedTests'),
      failed: count('numFailedTests') + count('numFailedTestSuites') * Number(count('numFailedTests') === 0),
      skipped: count('numPendingTests') + count('numTodoTests'),
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
