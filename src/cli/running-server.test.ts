import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { identify } from '../host/process-identity.ts';
import { recordPath } from '../host/runtime-dir.ts';
import { runningServers } from './running-server.ts';

test('the server that has run longest comes first, whatever the pids are', async () => {
  const base = await mkdtemp(join(tmpdir(), 'frontpanel-running-'));
  try {
    const [lower = 0, higher = 0] = [process.pid, process.ppid].sort((a, b) => a - b);
    const ages = { [lower]: '2026-01-02T00:00:00.000Z', [higher]: '2026-01-01T00:00:00.000Z' };
    for (const pid of [lower, higher]) {
      const dir = join(base, 'frontpanel', String(pid));
      await mkdir(dir, { recursive: true, mode: 0o700 });
      const endpoint = { url: `http://127.0.0.1:1/${ages[pid]}` };
      const record = { ...identify(pid), startedAt: ages[pid], version: '0', processGroups: [], endpoint };
      await writeFile(recordPath(dir), JSON.stringify(record));
    }
    const found = await runningServers({ XDG_RUNTIME_DIR: base });
    expect(found.map(({ url }) => url.slice(-24))).toEqual([ages[higher], ages[lower]]);
  } finally {
    await rm(base, { recursive: true });
  }
});
