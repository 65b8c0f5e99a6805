/**
 * What the DOS PC makes of a folder: `npm run suite:dos -- DIR [--filter TEXT]`.
 *
 * Any folder of programs (COM, EXE, BAT, sources in assembler; without DIR our own in examples/dos): each is started, runs
 * for `--frames` with some keys, and what became of it is told. `--pictures DIR` writes what their screens showed, `--save FILE`
 * keeps what was seen, `--against FILE` compares with it.
 *
 * A folder with `spice86`, `msdos2`, `games` or `freedos` in it is the suite: one line a test, totals by area; `--write
 * docs/accuracy.md` writes its section with every failure named. `--programs` takes it as any other.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { accuracySection, totalsByArea } from './dos/accuracy-section.ts';
import { runFolder } from './dos/any-programs.ts';
import { comTests } from './dos/com-tests.ts';
import { programTests } from './dos/program-tests.ts';
import { romTests } from './dos/rom-tests.ts';
import type { DosTest, Judged } from './dos/suite-test.ts';
import { writeSection } from './write-section.ts';

const ownPrograms = 'examples/dos';
const usage = `usage: npm run suite:dos -- [DIR] [--filter TEXT] [--frames 700] [--pictures DIR] [--save FILE] [--against FILE]
       npm run suite:dos -- DIR [--filter TEXT] [--write FILE]   (with spice86, msdos2, games or freedos in it)`;

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 2;
});

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      filter: { type: 'string', default: '' },
      write: { type: 'string' },
      programs: { type: 'boolean', default: false },
      frames: { type: 'string', default: '700' },
      pictures: { type: 'string' },
      save: { type: 'string' },
      against: { type: 'string' },
    },
  });
  const { filter, pictures, save, against, write } = values;
  const [folder = ownPrograms] = positionals;
  const frames = Number(values.frames);
  if (positionals.length > 1 || !(frames >= 1)) {
    console.error(usage);
    return 2;
  }
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.`);
  if (values.programs || !isSuite(folder)) {
    const isGood = await runFolder(folder, { filter, frames, pictures, save, against }, (line) => console.log(line));
    return isGood ? 0 : 1;
  }
  const judged = await judgeAll(suiteTests(folder).filter(({ area, name }) => `${area}/${name}`.includes(filter)));
  const passed = judged.filter(({ why }) => why === '').length;
  console.log(`\n${passed} passed, ${judged.length - passed} failed`);
  if (write) writeSection(write, 'suite:dos', accuracySection(judged));
  return passed === judged.length && passed > 0 ? 0 : 1;
}

async function judgeAll(tests: readonly DosTest[]): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (const test of tests) {
    const why = await judge(test);
    console.log(`${why === '' ? 'ok  ' : 'FAIL'} ${test.area}/${test.name}${why === '' ? '' : ` (${why})`}`);
    judged.push({ test, why });
  }
  console.log('');
  for (const { area, passed, total } of totalsByArea(judged)) console.log(`${area}: ${passed} of ${total}`);
  return judged;
}

function isSuite(folder: string): boolean {
  return ['spice86', 'msdos2', 'games', 'freedos'].some((part) => existsSync(join(folder, part)));
}

function suiteTests(folder: string): DosTest[] {
  const resources = join(folder, 'spice86/tests/Spice86.Tests/Resources');
  return [...romTests(join(resources, 'cpuTests')), ...comTests(resources), ...programTests(folder)];
}

async function judge(test: DosTest): Promise<string> {
  try {
    return await test.run();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
