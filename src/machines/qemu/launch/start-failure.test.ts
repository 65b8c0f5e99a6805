import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LaunchPlan } from './command-line.ts';
import { startFailure } from './start-failure.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-failure-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a kernel that QEMU refused is looked at as QEMU had it, wherever its name leads by then', async () => {
  const given = join(folder, 'given');
  const named = join(folder, 'named');
  await writeFile(given, Buffer.from('d65052e800000000000000002aafad17', 'hex'));
  await symlink('/dev/zero', named);
  const options = { arch: 'x86_64' } as LaunchPlan['options'];
  const plan = {
    options: { ...options, kernel: named },
    launched: { ...options, kernel: given },
    board: {} as LaunchPlan['board'],
  };
  const complaint = 'Error loading uncompressed kernel without PVH ELF Note';
  const end = { code: 1, signal: null, text: 'ended with code 1' };
  const { fix } = await startFailure('none', plan, complaint, end);
  expect(fix).toContain('multiboot 2 kernel');
});
