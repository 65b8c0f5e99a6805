import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { type Comparison, compareStandards, sampleProgram } from '../../examples/compare-standards.ts';
import { HttpProgram } from '../support/http-program.ts';
import { program, Sandbox } from '../support/sandbox.ts';

const python = fileURLToPath(new URL('../../examples/compare-standards.py', import.meta.url));

/** A frame has 19,656 cycles under PAL and 17,095 under NTSC: the sprite comes less far. */
function checkC64({ pal, ntsc }: Comparison): void {
  expect(Math.abs(Number(pal.cyclesPerFrame) - 63 * 312)).toBeLessThan(10);
  expect(Math.abs(Number(ntsc.cyclesPerFrame) - 65 * 263)).toBeLessThan(10);
  const [far, near] = [Number(pal.moved), Number(ntsc.moved)];
  expect(far).toBeGreaterThan(60);
  expect(near).toBeGreaterThan(50);
  expect(near).toBeLessThan(far);
}

function checkVic20({ pal, ntsc }: Comparison): void {
  expect(Math.abs(Number(pal.cyclesPerFrame) - 71 * 312)).toBeLessThan(10);
  expect(Math.abs(Number(ntsc.cyclesPerFrame) - 65 * 261)).toBeLessThan(10);
  expect([pal.moved, ntsc.moved]).toEqual(Array(2).fill('VIC-20 does not have VIC-II chip'));
}

/** Its chip counts half cycles, and stays what it was sold with. */
const checkTed =
  (name: string) =>
  ({ pal, ntsc }: Comparison): void => {
    expect(Math.abs(Number(pal.cyclesPerFrame) - 114 * 312)).toBeLessThan(20);
    expect(pal.moved).toBe(`${name} does not have VIC-II chip`);
    expect(ntsc.cyclesPerFrame).toMatch(/MachineVideoStandard cannot be "NTSC" here/);
  };

const machines = [
  ['c64', checkC64],
  ['vic20', checkVic20],
  ['plus4', checkTed('Plus/4')],
  ['c16', checkTed('C16')],
] as const;

test.for(machines)(
  'the workflow of the design on a %s, by the script',
  { timeout: 180_000 },
  async ([machine, check]) => {
    const log: string[] = [];
    check(await compareStandards(program, machine, (text) => log.push(text)));
  },
);

test('the same by a client in plain Python', { timeout: 180_000 }, async () => {
  await using sandbox = await Sandbox.open();
  const machine = 'c64';
  const profiles = ['c64_pal_6581', 'c64_ntsc_6581'];
  const path = join(sandbox.dir, 'sprites.prg');
  await writeFile(path, sampleProgram(machine));
  const args = ['--dialect', 'vice', '--machine', machine, '--allow-path', sandbox.dir];
  await using server = await HttpProgram.start(sandbox, ...args);
  const { stdout } = await promisify(execFile)('python3', [python, server.url, server.token ?? '', path, ...profiles]);
  checkC64(JSON.parse(stdout));
});
