import { expect, test } from 'vitest';
import { RawStdio } from '../support/raw-stdio.ts';
import { Sandbox } from '../support/sandbox.ts';

test('a client that dies with its pipes leaves nothing behind', { timeout: 180_000 }, async () => {
  await using sandbox = await Sandbox.open();
  const raw = new RawStdio(sandbox);
  await raw.initialize();
  await raw.call('machine_start', { kind: 'qemu', options: { arch: 'riscv64', memory: 16, bios: 'none' } });
  expect(sandbox.servers).toHaveLength(1);
  const { stdin, stdout, stderr } = raw.child;
  for (const end of [stdout, stderr, stdin]) end.destroy();
  await expect.poll(() => sandbox.servers, { timeout: 60_000 }).toEqual([]);
});
