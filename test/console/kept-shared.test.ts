import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { checkConsoles } from '../../src/cli/doctor/consoles-check.ts';
import { Guest } from '../support/guest.ts';
import { stdioClient } from '../support/mcp-client.ts';
import { Sandbox } from '../support/sandbox.ts';
import './desk.ts';

const patience = { timeout: 90_000, interval: 100 };

async function configured(consoles: object): Promise<Sandbox> {
  const sandbox = await Sandbox.open();
  await sandbox.configure({ consoles });
  return sandbox;
}

const listOf = async (client: Awaited<ReturnType<typeof stdioClient>>) => (await client.call('machine_list', {})).text;

test('one server has a kept console; another says so and takes over when the first was killed', async () => {
  await using guest = await Guest.listen();
  await using sandbox = await configured({ router: { port: guest.port } });
  const first = await stdioClient(sandbox, 'legacy', []);
  await vi.waitFor(async () => expect(await listOf(first)).toContain('router LINK UP'), patience);
  const late = await sandbox.run([]);
  expect(late.stderr).toMatch(
    /console router cannot be attached: Another server of this user keeps that console.*frontpanel attach router/,
  );
  expect(late.code).toBe(0);
  const second = await stdioClient(sandbox, 'legacy', []);
  expect(await listOf(second)).not.toContain('router');
  const refused = await second.call('machine_start', { kind: 'console', options: { port: guest.port } });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('the console router') });
  expect(guest.connections).toBe(1);
  process.kill(first.pid, 'SIGKILL');
  await vi.waitFor(async () => expect(await listOf(second)).toContain('router LINK UP'), patience);
  expect(guest.connections).toBe(2);
  await second.close();
  await first.close().catch(() => {});
  // Who ends in order leaves no lock.
  await using third = await stdioClient(sandbox, 'legacy', []);
  await vi.waitFor(async () => expect(await listOf(third)).toContain('router LINK UP'), patience);
});

test('a kept console is recorded from each start of the server on, to a name that is free', async () => {
  await using guest = await Guest.listen();
  await using sandbox = await configured({ router: { port: guest.port, record: 'router.raw' } });
  for (const [round, file] of ['router.raw', 'router.2.raw', 'router.3.raw'].entries()) {
    await using server = await stdioClient(sandbox, 'legacy', []);
    await vi.waitFor(async () => expect(await listOf(server)).toContain('router LINK UP'), patience);
    await guest.print(`start ${round}\r\n`);
    const recorded = () => readFile(join(sandbox.dir, file), 'utf8');
    await vi.waitFor(async () => expect(await recorded()).toBe(`start ${round}\r\n`), patience);
  }
  expect((await readdir(sandbox.dir)).filter((name) => name.endsWith('.index.jsonl'))).toHaveLength(3);
});

test('a kept console that cannot be recorded is attached all the same, and tells', async () => {
  await using guest = await Guest.listen();
  await using sandbox = await configured({ router: { port: guest.port, record: 'nowhere/router.raw' } });
  await using server = await stdioClient(sandbox, 'legacy', ['--toolset', 'all']);
  await vi.waitFor(async () => expect(await listOf(server)).toContain('router LINK UP'), patience);
  const { text } = await server.call('events_read', { machine: 'router' });
  expect(text).toMatch(/recording_failed: No recording: .*nowhere/);
});

test('doctor looks where logs and recordings would go', async () => {
  await using sandbox = await configured({});
  const { dir, env } = sandbox;
  await writeFile(join(dir, 'file'), '');
  const examined = (row: object) =>
    checkConsoles({
      env: { ...env, PWD: dir },
      fix: false,
      config: join(dir, 'frontpanel.config.json'),
      readConfigFile: () => JSON.stringify({ 'allow-path': [dir], consoles: { a: { port: 1, ...row } } }),
      selfCommand: [],
    });
  const place = (path: string) => join(dir, path);
  expect(await examined({ log: place('a.log'), record: place('a.raw') })).toMatchObject([
    { status: 'ok', detail: expect.stringMatching(/logged to .*a\.log, recorded to .*a\.raw/) },
  ]);
  for (const [row, reason] of [
    [{ log: place('none/a.log') }, /its log .* cannot be written: .*none does not exist/],
    [{ log: dir }, /is not a file/],
    [{ record: place('none/a.raw') }, /its recording .* cannot be written: .*none does not exist/],
    [{ record: place('file/a.raw') }, /its recording/],
    [{ record: '/var/log/a.raw' }, /its recording \/var\/log\/a\.raw cannot be written: /],
  ] as const) {
    const [finding] = await examined(row);
    expect(finding, JSON.stringify(row)).toMatchObject({ status: 'fail', detail: expect.stringMatching(reason) });
  }
});
