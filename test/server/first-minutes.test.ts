import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Sandbox } from '../support/sandbox.ts';

test('demo shows five machines with comments, and says where QEMU is missing', async () => {
  await using sandbox = await Sandbox.open();
  const { code, stdout } = await sandbox.run(['demo'], { env: await withoutPrograms(sandbox) });
  expect(stdout.match(/^\d\. .*$/gm)).toEqual([
    '1. A Commodore 64, exact to the cycle',
    '2. A VIC-20',
    '3. A Plus/4',
    '4. A DOS PC',
    '5. A PC under QEMU',
  ]);
  expect(stdout).toContain('stop 3: condition raster_line == 101');
  expect(stdout).toContain('*****');
  expect(stdout.match(/^ {2}ERROR .*$/gm)).toEqual([expect.stringContaining('There is no qemu-system-x86_64')]);
  expect(stdout).toContain('QEMU is another program: install');
  expect(code).toBe(0);
});

test('doctor boots each kind and names what it was booted with; each failed line has one fix', async () => {
  await using sandbox = await Sandbox.open();
  const { stdout } = await sandbox.run(['doctor', '--json'], { env: await withoutPrograms(sandbox) });
  const { findings } = JSON.parse(stdout) as {
    findings: { check: string; status: string; detail: string; fix?: string }[];
  };
  const booted = findings.filter(({ check }) => check.startsWith('boot '));
  expect(booted.map(({ check, status }) => [check, status])).toEqual(
    ['c64', 'vic20', 'plus4', 'c16', 'dos', 'console'].map((kind) => [`boot ${kind}`, 'ok']),
  );
  expect(booted[0]?.detail).toMatch(/^\d+ ms; frontpanel's own ROMs; PAL, SID 6581\.$/);
  expect(findings).toContainEqual(expect.objectContaining({ check: 'QEMU', status: 'warn', fix: expect.any(String) }));
  expect(findings.filter(({ status, fix }) => status === 'fail' && fix === undefined)).toEqual([]);
});

test('a machine that does not boot is named with the fix', async () => {
  await using sandbox = await Sandbox.open();
  const env = await withoutPrograms(sandbox);
  await writeFile(join(sandbox.dir, 'bin', 'qemu-system-x86_64'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const { code, stdout } = await sandbox.run(['doctor'], { env });
  expect(stdout).toMatch(/FAIL {2}boot qemu: .*\n {6}→ \S/);
  expect(code).toBe(1);
});

/** Nothing that happens to be installed here. */
async function withoutPrograms({ dir }: Sandbox): Promise<Record<string, string>> {
  await mkdir(join(dir, 'bin'));
  return {
    PATH: join(dir, 'bin'),
    HOME: dir,
    XDG_RUNTIME_DIR: join(dir, 'run'),
    FRONTPANEL_ROMS: 'own',
    FRONTPANEL_PORT: '0',
  };
}
