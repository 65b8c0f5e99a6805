import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Desk } from '../console/desk.ts';
import { program } from '../support/sandbox.ts';

test.each(['.', ''])('with %j in PATH no program of a folder is run that is shared with a guest', async (place) => {
  const path = `${place}:${process.env.PATH}`;
  await using desk = await Desk.openIn('env', [`PATH=${path}`, process.execPath, program]);
  const shared = join(desk.sandbox.dir, 'shared');
  const mark = join(desk.sandbox.dir, 'was-run');
  mkdirSync(shared);
  for (const name of ['unshare', 'sh', 'mount', 'qemu-system-x86_64']) {
    writeFileSync(join(shared, name), `#!/bin/sh\necho "$0" >> ${mark}\nexit 1\n`, { mode: 0o755 });
  }
  const options = { arch: 'x86_64', memory: 16, paused: true, share: shared, share_by: 'virtiofs' };
  // Whether it starts depends on what is installed here.
  await desk.call('machine_start', { kind: 'qemu', options });
  expect(existsSync(mark)).toBe(false);
});
