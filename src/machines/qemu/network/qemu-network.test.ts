import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RuntimePaths } from '../launch/runtime-paths.ts';
import type { OpenedFiles } from '../opened-files.ts';
import type { CaptureSource } from './capture-source.ts';
import { QemuNetwork } from './qemu-network.ts';

test('all captures end with the machine, also one whose end is refused just then', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'captures-'));
  const refusals: ((error: Error) => void)[] = [];
  const source: CaptureSource = {
    start: async () => ({
      wallMs: (stampMs) => stampMs,
      stop: () => new Promise((_, refuse) => refusals.push(refuse)),
    }),
  };
  const paths = {
    scratch: (suffix: string) => join(folder, `capture${suffix}`),
  } as Partial<RuntimePaths> as RuntimePaths;
  const network = new QemuNetwork(new Map([['net0', source]]), paths, {} as OpenedFiles, { report: () => {} });
  const { id } = await network.startCapture({});
  const stopped = network.stopCapture(id);
  const all = network.stopAll();
  refusals[0]?.(new Error('QEMU has ended'));
  await expect(stopped).rejects.toThrow('QEMU has ended');
  await expect.poll(() => refusals.length).toBe(2);
  refusals[1]?.(new Error('QEMU has ended'));
  await all;
  expect(network.captures.map(({ active }) => active)).toEqual([false]);
  await rm(folder, { recursive: true });
});
