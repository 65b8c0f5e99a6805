import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RawStdio } from '../support/raw-stdio.ts';
import { Sandbox } from '../support/sandbox.ts';

test('what a killed server left in a work folder is cleared away with the rest', { timeout: 180_000 }, async () => {
  await using sandbox = await Sandbox.open();
  const work = join(sandbox.dir, 'work');
  mkdirSync(work);
  const raw = new RawStdio(sandbox);
  await raw.initialize();
  const options = { arch: 'riscv64', memory: 16, bios: 'none', work_dir: 'work' };
  await raw.call('machine_start', { kind: 'qemu', options });
  expect(readdirSync(work)).toHaveLength(1);
  raw.child.kill('SIGKILL');
  await raw.ended;
  expect((await sandbox.run(['doctor', '--quick', '--fix'])).stdout).toContain('removed what process');
  expect(readdirSync(work)).toEqual([]);
  expect(sandbox.servers).toEqual([]);
});
