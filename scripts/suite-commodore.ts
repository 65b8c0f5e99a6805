/**
 * Runs VICE's test programs from a folder:
 * `npm run suite:commodore -- DIR [--roms DIRECTORIES] [--list FILE] [--filter TEXT] [--jobs N] [--write FILE]`.
 * One line a test, totals by area; `--write docs/accuracy.md` writes the table with every failure named.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { accuracyTable, type Judged, totalsByArea } from './commodore/accuracy-table.ts';
import { type OriginalRoms, originalRoms } from './commodore/original-roms.ts';
import { Plus4TestRunner, plus4RomFolder } from './commodore/plus4-test-runner.ts';
import { type SuiteResult, type SuiteTest, TestRunner } from './commodore/run-test.ts';
import { readTestList } from './commodore/test-list.ts';
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
      write: { type: 'string' },
    },
  });
  const [programs] = positionals;
  if (!programs) {
    console.error(
      'usage: npm run suite:commodore -- DIR [--roms DIRECTORIES] [--list FILE] [--filter TEXT] [--jobs N] [--write FILE]',
    );
    return 2;
  }
  const tests = readTestList(programs, values.list).filter((test) => nameOf(test).includes(values.filter ?? ''));
  const machine = tests.map(machineOf).find((each) => each !== 'c64') ?? 'c64';
  const found = machine === 'c64' ? await originalRoms(values.roms) : romFolderOf[machine](values.roms);
  if ('problem' in found) {
    console.error(found.problem);
    return 2;
  }
  console.log(found.description);
  const roms = 'folder' in found ? found.folder : found;
  const judged = await runAll(tests, { programs, roms, machine }, Math.max(1, Number(values.jobs) || 1));
  console.log('');
  for (const { area, passed, total } of totalsByArea(judged)) console.log(`${area}: ${passed} of ${total}`);
  const passed = judged.filter(({ result }) => result.passed).length;
  console.log(`\n${passed} passed, ${judged.length - passed} failed`);
  const suite = { c64: 'suite:commodore', vic20: 'suite:commodore (VIC-20)', plus4: 'suite:commodore (Plus/4)' }[
    machine
  ];
  if (values.write) writeSection(values.write, suite, accuracyTable(judged, machine));
  return passed === judged.length && passed > 0 ? 0 : 1;
}

function machineOf({ machine = 'c64' }: SuiteTest): Machine {
  if (machine !== 'c64' && machine !== 'vic20' && machine !== 'plus4')
    throw new Error(`tests of a ${machine} cannot be run yet`);
  return machine;
}

/** Some tests are a cartridge and no program. */
function nameOf({ prg, mounts }: SuiteTest): string {
  return prg ?? mounts?.map(({ path }) => path).join(' ') ?? '';
}

function runAll(tests: readonly SuiteTest[], data: object, jobs: number): Promise<readonly Judged[]> {
  const results: (SuiteResult | undefined)[] = tests.map(() => undefined);
  let next = 0;
  let done = 0;
  return new Promise((resolve, reject) => {
    if (tests.length === 0) resolve([]);
    for (let job = 0; job < Math.min(jobs, tests.length); job += 1) {
      const worker = new Worker(fileURLToPath(import.meta.url), { workerData: data });
      const feed = () => {
        const test = tests[next];
        if (!test) return void worker.terminate();
        worker.postMessage({ index: next, test } satisfies Job);
        next += 1;
      };
      worker.on('error', reject);
      worker.on('message', ({ index, result }: Answer) => {
        results[index] = result;
        done += 1;
        const name = nameOf(tests[index] as SuiteTest);
        console.log(`${result.passed ? 'ok  ' : 'FAIL'} ${name}${result.detail ? ` (${result.detail})` : ''}`);
        feed();
        if (done === tests.length) resolve(tests.map((test, i) => ({ test, result: results[i] as SuiteResult })));
      });
      feed();
    }
  });
}
