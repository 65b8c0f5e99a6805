import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BinmonClient } from '../support/binmon-client.ts';
import { converse } from '../support/binmon-conversation.ts';
import { hasVice, RealVice } from '../support/real-vice.ts';
import { DebugDesk } from './debug-desk.ts';

test.skipIf(!hasVice)('a real VICE (x64sc) and our server answer the same bytes with the same bytes', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'vice-'));
  try {
    await using vice = await RealVice.start(dir);
    await using desk = await DebugDesk.open('--allow-debuggers', '--toolset', 'all');
    using ours = await BinmonClient.open(await desk.start('c64', 'binmon'));
    const [theirs, own] = await Promise.all([converse(vice.client), converse(ours)]);
    expect(own).toEqual(theirs);
    expect(own.length).toBeGreaterThan(70);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
