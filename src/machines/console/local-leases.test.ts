import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { LocalLeases } from './local-leases.ts';

const directory = mkdtempSync(join(tmpdir(), 'fp-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('a board has one holder among the servers of a user, and is free after it', async () => {
  const [one, other] = [new LocalLeases(directory), new LocalLeases(directory)];
  const lease = await one.take('board rig');
  expect(lease.isHeld).toBe(true);
  await expect(other.take('board rig')).rejects.toMatchObject({ type: 'BUSY' });
  const beside = await other.take('board other');
  await lease.release();
  expect(lease.isHeld).toBe(false);
  const next = await other.take('board rig');
  expect(next.isHeld).toBe(true);
  await Promise.all([next.release(), beside.release()]);
});
