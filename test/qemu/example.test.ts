import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { debugAKernel } from '../../examples/debug-a-kernel.ts';
import { program } from '../support/sandbox.ts';
import { linuxGuest } from './linux-guest.ts';
import { Lab } from './vm.ts';

test('the agent-like script boots, captures, breaks, looks and goes back', { timeout: 300_000 }, async () => {
  await using lab = new Lab();
  const guest = linuxGuest(join(lab.folder, 'initrd.cpio'));
  const log: string[] = [];
  const arch = guest.arch === 'x86_64' ? 'x86_64' : 'aarch64';
  const server = fileURLToPath(new URL(`file://${program}`));
  expect(await debugAKernel(server, { ...guest, arch }, (text) => log.push(text)), log.join('\n')).toBe(true);
});
