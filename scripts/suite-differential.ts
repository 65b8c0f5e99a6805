/**
 * Runs programs here and on a real VICE in lock step, and compares picture and RAM:
 * `npm run suite:differential -- DIR --list FILE --data DIR [--vice DIR] [--frames 50,250,450] [--filter TEXT]`.
 * `--data`: VICE's data folder with the original ROMs; `--vice`: the folder of its programs, if they are not on the path.
 * One line a program; a difference names the first frame at which it shows.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Finding, LockStep } from './commodore/differential/lock-step.ts';
import type { DifferentialMachine, Moment } from './commodore/differential/machine.ts';
import { chooseExpansion, vic20Differential } from './commodore/differential/vic20-differential.ts';
import type { SuiteTest } from './commodore/run-test.ts';

const machines: Readonly<Record<string, DifferentialMachine>> = { vic20: vic20Differential };

process.exitCode = await main();

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      list: { type: 'string' },
      data: { type: 'string' },
      vice: { type: 'string' },
      frames: { type: 'string', default: '50,250,450' },
      filter: { type: 'string', default: '' },
    },
  });
  const [programs] = positionals;
  const frames = values.frames.split(',').map(Number);
  if (!programs || !values.list || !values.data || !frames.every((frame) => frame > 0)) {
    console.error(
      'usage: npm run suite:differential -- DIR --list FILE --data DIR [--vice DIR] [--frames 50,250,450] [--filter TEXT]',
    );
    return 2;
  }
  const tests = (JSON.parse(readFileSync(values.list, 'utf8')) as readonly SuiteTest[]).filter(({ prg }) =>
    prg.includes(values.filter),
  );
  let same = 0;
  for (const test of tests) {
    const machine = machines[test.machine ?? 'c64'];
    if (!machine) throw new Error(`there is no differential run of a ${test.machine ?? 'c64'} yet`);
    chooseExpansion(test.prg, new Uint8Array(readFileSync(join(programs, test.prg))));
    const executable = values.vice ? join(values.vice, machine.executable) : machine.executable;
    await using pair = await LockStep.open(machine, test, { data: values.data, executable });
    const findings = await pair.run(test, programs, frames);
    const differing = findings.filter(isDifferent);
    if (differing.length === 0) same += 1;
    console.log(`${differing.length === 0 ? 'same' : 'DIFF'} ${test.prg}${describe(findings)}`);
  }
  console.log(`\n${same} of ${tests.length} the same`);
  return same === tests.length && same > 0 ? 0 : 1;
}

function isDifferent({ pixels, bytes }: Finding): boolean {
  return pixels !== 0 || bytes.length > 0;
}

function describe(findings: readonly Finding[]): string {
  const first = findings.find(isDifferent) ?? findings.find(({ ours, theirs }) => text(ours) !== text(theirs));
  if (!first) return '';
  const { frame, pixels, bytes, ours, theirs, isJammed } = first;
  const parts = [
    pixels === 0 ? '' : typeof pixels === 'string' ? pixels : `${pixels} pixels`,
    bytes.length === 0 ? '' : `${bytes.length} bytes from $${bytes[0]?.toString(16)} on`,
    text(ours) === text(theirs) ? '' : `here ${text(ours)}, there ${text(theirs)}`,
    isJammed ? 'jammed' : '',
  ];
  return ` (frame ${frame}: ${parts.filter(Boolean).join('; ')})`;
}

function text({ pc, a, x, y, sp, flags, line, cycle }: Moment): string {
  const hex = (value: number, digits = 2) => value.toString(16).padStart(digits, '0');
  return `${hex(pc, 4)} ${[a, x, y, sp, flags].map((value) => hex(value)).join(' ')} at ${line}/${cycle}`;
}
