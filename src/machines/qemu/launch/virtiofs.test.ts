import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findDaemon } from './virtiofs.ts';

test('virtiofsd is the first that can be run, and its absence says what to install', async () => {
  const work = mkdtempSync(join(tmpdir(), 'fp-virtiofs-'));
  try {
    const [first, second] = [join(work, 'a'), join(work, 'b')];
    for (const folder of [first, second]) {
      mkdirSync(folder);
      writeFileSync(join(folder, 'virtiofsd'), '#!/bin/sh\n', { mode: 0o600 });
    }
    await expect(findDaemon(['', first, second])).rejects.toMatchObject({
      type: 'UNAVAILABLE',
      message: 'virtiofs cannot be used: there is no virtiofsd.',
      fix: expect.stringMatching(/^Install it \(Debian: virtiofsd.*9p needs nothing else\.$/),
    });
    chmodSync(join(second, 'virtiofsd'), 0o700);
    expect(await findDaemon(['', first, second])).toBe(join(second, 'virtiofsd'));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
});
