import { join } from 'node:path';
import { expect, test } from 'vitest';
import { debugAKernel } from '../../examples/debug-a-kernel.ts';
import { password } from '../linux-initrd.ts';
import { program } from '../support/sandbox.ts';
import { linuxGuest } from './linux-guest.ts';
import { Lab } from './vm.ts';

test('the agent-like script boots, logs in, captures, breaks, looks and goes back', { timeout: 300_000 }, async () => {
  await using lab = new Lab();
  const guest = linuxGuest(join(lab.folder, 'initrd.cpio'), { asks: true });
  const log: string[] = [];
  const done = debugAKernel(program, guest, { user: 'root', password }, (text) => log.push(text));
  const failure = await done.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure, log.join('\n')).toBeUndefined();
});
