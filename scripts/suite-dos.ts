/**
 * Runs the tests of the DOS PC from a folder: `npm run suite:dos -- DIR [--filter TEXT] [--write FILE]`.
 * One line a test, totals by area; `--write docs/accuracy.md` writes its section with every failure named.
 *
 * With `--programs` the folder is any with COM and EXE files: each runs for `--seconds` of its own time with some keys.
 * `--save FILE` keeps what was seen, `--against FILE` compares with it.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { accuracySection, totalsByArea } from './dos/accuracy-section.ts';
import { anyProgramTests } from './dos/any-programs.ts';
import { comTests } from './dos/com-tests.ts';
import { programTests } from './dos/program-tests.ts';
import { romTests } from './dos/rom-tests.ts';
import type { DosTest, Judged } from './dos/suite-test.ts';
import { writeSection } from './write-section.ts';

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
      seconds: { type: 'string', default: '10' },
      save: { type: 'string' },
      against: { type: 'string' },
    },
  });
  const [folder] = positionals;
  const seconds = Number(values.seconds);
  if (!folder || !(seconds > 0)) {
    console.error('usage: npm run suite:dos -- DIR [--filter TEXT] [--write FILE]');
    console.error(
      '       npm run suite:dos -- DIR --programs [--seconds 10] [--filter TEXT] [--save FILE] [--against FILE]',
    );
    return 2;
  }
  const { against, save } = values;
  const all = values.programs ? anyProgramTests(folder, { seconds, against, save }) : suiteTests(folder);
  const tests = all.filter(({ area, name }) => `${area}/${name}`.includes(values.filter));
  const judged: Judged[] = [];
  for (const test of tests) {
    const why = await judge(test);
    console.log(`${why === '' ? 'ok  ' : 'FAIL'} ${test.area}/${test.name}${why === '' ? '' : ` (${why})`}`);
    judged.push({ test, why });
  }
  console.log('');
  for (const { area, passed, total } of totalsByArea(judged)) console.log(`${area}: ${passed} of ${total}`);
  const passed = judged.filter(({ why }) => why === '').length;
  console.log(`\n${passed} passed, ${judged.length - passed} failed`);
  if (values.write) writeSection(values.write, 'suite:dos', accuracySection(judged));
  return passed === judged.length && passed > 0 ? 0 : 1;
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
