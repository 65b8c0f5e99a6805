/**
 * Runs the tests of the DOS PC from a folder: `npm run suite:dos -- DIR [--filter TEXT] [--write FILE]`.
 * One line a test, totals by area; `--write docs/accuracy.md` writes its section with every failure named.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { accuracySection, totalsByArea } from './dos/accuracy-section.ts';
import { comTests } from './dos/com-tests.ts';
import { programTests } from './dos/program-tests.ts';
import { romTests } from './dos/rom-tests.ts';
import type { DosTest, Judged } from './dos/suite-test.ts';
import { writeSection } from './write-section.ts';

process.exitCode = await main();

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { filter: { type: 'string', default: '' }, write: { type: 'string' } },
  });
  const [folder] = positionals;
  if (!folder) {
    console.error('usage: npm run suite:dos -- DIR [--filter TEXT] [--write FILE]');
    return 2;
  }
  const resources = join(folder, 'spice86/tests/Spice86.Tests/Resources');
  const all = [...romTests(join(resources, 'cpuTests')), ...comTests(resources), ...programTests(folder)];
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

async function judge(test: DosTest): Promise<string> {
  try {
    return await test.run();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
