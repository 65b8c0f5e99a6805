/**
 * Runs programs here and on a real VICE in lock step, and compares picture and RAM:
 * `npm run suite:differential -- DIR --list FILE --data DIR [--vice DIR] [--frames 50,250,450] [--filter TEXT] [--write FILE]`.
 * `--data`: VICE's data folder with the original ROMs; `--vice`: the folder of its programs, if they are not on the path.
 * One line per program; a difference names the first frame at which it shows. `--write docs/accuracy.md` writes the figures.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { lowerHex } from '../src/formats/hex.ts';
import { c64Differential } from './commodore/differential/c64-differential.ts';
import { knownDifferences } from './commodore/differential/known-differences.ts';
import { type Finding, LockStep } from './commodore/differential/lock-step.ts';
import type { DifferentialMachine, Moment } from './commodore/differential/machine.ts';
import { plus4Differential } from './commodore/differential/plus4-differential.ts';
import { vic20Differential } from './commodore/differential/vic20-differential.ts';
import type { SuiteTest } from './commodore/run-test.ts';
import { testName } from './commodore/test-name.ts';
import { writeSection } from './write-section.ts';

const machines: Readonly<Record<string, DifferentialMachine>> = {
  c64: c64Differential,
  vic20: vic20Differential,
  plus4: plus4Differential,
};

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 2;
});

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      list: { type: 'string' },
      data: { type: 'string' },
      vice: { type: 'string' },
      frames: { type: 'string', default: '50,250,450' },
      filter: { type: 'string', default: '' },
      write: { type: 'string' },
    },
  });
  const [programs] = positionals;
  const frames = values.frames.split(',').map(Number);
  if (!programs || !values.list || !values.data || !frames.every((frame) => frame > 0)) {
    console.error(
      'usage: npm run suite:differential -- DIR --list FILE --data DIR [--vice DIR] [--frames 50,250,450] [--filter TEXT] [--write FILE]',
    );
    return 2;
  }
  const tests = (JSON.parse(readFileSync(values.list, 'utf8')) as readonly SuiteTest[]).filter((test) =>
    testName(test).includes(values.filter),
  );
  const missing = new Set(tests.map(({ machine = 'c64' }) => machine).filter((kind) => !Object.hasOwn(machines, kind)));
  if (missing.size > 0) {
    const [those, these] = [[...missing].join(', '), Object.keys(machines).join(', ')];
    console.error(
      `The list is for ${those}, which is not built in: there is nothing to compare VICE with. Built in: ${these}.`,
    );
    return 2;
  }
  const different: string[] = [];
  for (const test of tests) {
    const machine = machines[test.machine ?? 'c64'] as DifferentialMachine;
    const program = { test, file: new Uint8Array(readFileSync(join(programs, test.prg ?? ''))) };
    const executable = values.vice ? join(values.vice, machine.executable) : machine.executable;
    await using pair = await LockStep.open(machine, program, { data: values.data, executable });
    const findings = await pair.run(program, frames);
    const differing = findings.filter(isDifferent);
    if (differing.length > 0) different.push(testName(test));
    console.log(`${differing.length === 0 ? 'same' : 'DIFF'} ${testName(test)}${describe(findings)}`);
  }
  const same = tests.length - different.length;
  console.log(`\n${same} of ${tests.length} the same`);
  for (const prg of different) console.log(`${prg}: ${reasonOf(prg)}`);
  const kind = tests[0]?.machine ?? 'c64';
  const name = `suite:differential${{ plus4: ' (Plus/4)', c64: ' (C64)' }[kind] ?? ''}`;
  if (values.write) writeSection(values.write, name, section(kind, tests.length, different, frames));
  return different.every((prg) => prg in knownDifferences) && same > 0 ? 0 : 1;
}

function reasonOf(prg: string): string {
  return knownDifferences[prg] ?? 'not explained';
}

function section(kind: string, total: number, different: readonly string[], frames: readonly number[]): string {
  const { executable = '', isExact = false } = machines[kind] ?? {};
  return [
    `## Compared with ${executable}`,
    '',
    'Programs without a verdict of their own, run here and on VICE 3.7.1 with the same ROMs, from power-up on and ' +
      (isExact
        ? 'instruction by instruction at the same cycle. '
        : `from line to line: ${executable} takes the TED's share of the time from whole instructions, here it is taken from the cycles it falls on. `) +
      `Picture and RAM${isExact ? '' : ' (up to $7FFF, without what is dead on the stack)'} are compared before frames ${frames.join(', ')} of the program.`,
    '',
    `**${total - different.length} of ${total} are the same to the last pixel and byte.**`,
    '',
    ...different.map((prg) => `- \`${prg}\`: ${reasonOf(prg)}`),
  ].join('\n');
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
  return `${lowerHex(pc, 4)} ${[a, x, y, sp, flags].map((value) => lowerHex(value, 2)).join(' ')} at ${line}/${cycle}`;
}
