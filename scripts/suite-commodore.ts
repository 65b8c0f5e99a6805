/**
 * Runs VICE's test programs from a folder:
 * `npm run suite:commodore -- DIR [--roms DIRECTORIES] [--list FILE] [--filter TEXT] [--jobs N] [--record FILE] [--write FILE]`.
 * With `--record` each result is kept in that file, and tests that it has are not run again: long lists can be run in pieces.
 * One line a test, totals by area; `--write docs/accuracy.md` writes the table with every failure named.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { accuracyTable, type Judged, totalsByArea } from './commodore/accuracy-table.ts';
import { type OriginalRoms, originalRoms } from './commodore/original-roms.ts';
import { Plus4TestRunner, plus4RomFolder } from './commodore/plus4-test-runner.ts';
import { ResultRecord } from './commodore/result-record.ts';
import { type SuiteResult, type SuiteTest, TestRunner } from './commodore/run-test.ts';
import { readTestList } from './commodore/test-list.ts';
import { testName } from './commodore/test-name.ts';
import { Vic20TestRunner, vic20RomFolder } from './commodore/vic20-test-runner.ts';
import { writeSection } from './write-section.ts';

type Machine = 'c64' | 'vic20' | 'plus4';

const romFolderOf = { vic20: vic20RomFolder, plus4: plus4RomFolder } as const;

interface Job {
  readonly index: number;
  readonly test: SuiteTest;
}
interface Answer {
  readonly index: number;
  readonly result: SuiteResult;
}

/** What the parts of the document are called. */
const sections = {
  c64: 'suite:commodore',
  extended: 'suite:commodore (C64 with expansions and drives)',
  vic20: 'suite:commodore (VIC-20)',
  plus4: 'suite:commodore (Plus/4)',
} as const;

if (isMainThread) process.exitCode = await main();
else work();

function work(): void {
  const { programs, roms, machine } = workerData as { programs: string; roms: OriginalRoms | string; machine: Machine };
  const ofFolder = machine === 'plus4' ? Plus4TestRunner : Vic20TestRunner;
  const runner = typeof roms === 'string' ? new ofFolder(programs, roms) : new TestRunner(programs, roms);
  parentPort?.on('message', ({ index, test }: Job) => {
    let result: SuiteResult;
    try {
      result = runner.run(test);
    } catch (error) {
      result = { passed: false, detail: error instanceof Error ? error.message : String(error), cycles: 0 };
    }
    parentPort?.postMessage({ index, result } satisfies Answer);
  });
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      roms: { type: 'string' },
      list: { type: 'string' },
      filter: { type: 'string' },
      jobs: { type: 'string', default: '2' },
      record: { type: 'string' },
      write: { type: 'string' },
    },
  });
  const [programs] = positionals;
  if (!programs) {
    console.error(
      'usage: npm run suite:commodore -- DIR [--roms DIRECTORIES] [--list FILE] [--filter TEXT] [--jobs N] [--record FILE] [--write FILE]',
    );
    return 2;
  }
  const tests = readTestList(programs, values.list).filter((test) =>
    `${test.group ?? ''} ${testName(test)}`.includes(values.filter ?? ''),
  );
  const machine = tests.map(machineOf).find((each) => each !== 'c64') ?? 'c64';
  const found = machine === 'c64' ? await originalRoms(values.roms) : romFolderOf[machine](values.roms);
  if ('problem' in found) {
    console.error(found.problem);
    return 2;
  }
  console.log(found.description);
  const roms = 'folder' in found ? found.folder : found;
  const jobs = Math.max(1, Number(values.jobs) || 1);
  const record = new ResultRecord(values.record);
  const judged = await runAll(tests, { programs, roms, machine }, jobs, record);
  console.log('');
  for (const { area, passed, total } of totalsByArea(judged)) console.log(`${area}: ${passed} of ${total}`);
  const passed = judged.filter(({ result }) => result.passed).length;
  console.log(`\n${passed} passed, ${judged.length - passed} failed`);
  const isExtended = tests.some(({ group }) => group !== undefined);
  const table = machine === 'c64' && isExtended ? 'extended' : machine;
  if (values.write) writeSection(values.write, sections[table], accuracyTable(judged, table));
  return passed === judged.length && passed > 0 ? 0 : 1;
}

function machineOf({ machine = 'c64' }: SuiteTest): Machine {
  if (machine !== 'c64' && machine !== 'vic20' && machine !== 'plus4')
    throw new Error(`tests of a ${machine} cannot be run yet`);
  return machine;
}

function runAll(
  tests: readonly SuiteTest[],
  data: object,
  jobs: number,
  record: ResultRecord,
): Promise<readonly Judged[]> {
  const results = tests.map((test) => record.find(test));
  const open = tests.flatMap((_, index) => (results[index] === undefined ? [index] : []));
  const all = () => tests.map((test, index) => ({ test, result: results[index] as SuiteResult }));
  let done = 0;
  return new Promise((resolve, reject) => {
    if (open.length === 0) resolve(all());
    const total = open.length;
    for (let job = 0; job < Math.min(jobs, total); job += 1) {
      const worker = new Worker(fileURLToPath(import.meta.url), { workerData: data });
      const feed = () => {
        const index = open.shift();
        const test = index === undefined ? undefined : tests[index];
        if (index === undefined || !test) return void worker.terminate();
        worker.postMessage({ index, test } satisfies Job);
      };
      worker.on('error', reject);
      worker.on('message', ({ index, result }: Answer) => {
        results[index] = result;
        done += 1;
        const test = tests[index] as SuiteTest;
        record.keep(test, result);
        const name = testName(test);
        console.log(`${result.passed ? 'ok  ' : 'FAIL'} ${name}${result.detail ? ` (${result.detail})` : ''}`);
        feed();
        if (done === total) resolve(all());
      });
      feed();
    }
  });
}
