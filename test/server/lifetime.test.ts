import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { isAlive } from '../../src/host/process-identity.ts';
import { Guest } from '../support/guest.ts';
import { HttpProgram } from '../support/http-program.ts';
import { stdioClient } from '../support/mcp-client.ts';
import { RawStdio } from '../support/raw-stdio.ts';
import { hasVice } from '../support/real-vice.ts';
import { endOf, program, Sandbox } from '../support/sandbox.ts';

const patience = { timeout: 60_000, interval: 20 };

describe('nothing is left behind after', () => {
  const ends: readonly [string, (raw: RawStdio) => void][] = [
    ['end of stdin', (raw) => void raw.child.stdin.end()],
    ['SIGTERM', (raw) => void raw.child.kill('SIGTERM')],
    ['SIGINT', (raw) => void raw.child.kill('SIGINT')],
    ['SIGHUP', (raw) => void raw.child.kill('SIGHUP')],
  ];

  test.each(ends)('%s', async (_name, end) => {
    await using sandbox = await Sandbox.open();
    await using guest = await Guest.listen();
    const raw = new RawStdio(sandbox, ['--allow-commands']);
    await raw.initialize();
    const started = await raw.call('machine_start', { kind: 'console', options: { port: guest.port } });
    const sockets = [...started.matchAll(/\S+\.(?:in|out)\b/g)].map(([path]) => path);
    expect(sockets).toHaveLength(2);
    for (const path of sockets) expect(existsSync(path), path).toBe(true);
    await raw.call('machine_start', { kind: 'console', options: { command: ['sleep', '600'] } });
    const [command] = await processGroups(sandbox);
    const waiting = raw.request('tools/call', {
      name: 'console_read',
      arguments: { machine: 'console-1', expect: 'x' },
    });
    waiting.catch(() => {});
    end(raw);
    expect(await raw.ended).toMatchObject({ code: 0, signal: null });
    expect(sandbox.servers).toEqual([]);
    for (const path of sockets) expect(existsSync(path), path).toBe(false);
    await vi.waitFor(() => expect(isAlive(command ?? 0)).toBe(false), patience);
  });

  test('SIGTERM of an HTTP server with clients and streams', async () => {
    await using sandbox = await Sandbox.open();
    await using server = await HttpProgram.start(sandbox);
    expect(sandbox.servers).toEqual([String(server.child.pid)]);
    const opened = await server.modern('subscriptions/listen', { notifications: {} });
    expect(opened.status).toBe(200);
    const ended = endOf(server.child);
    server.child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, signal: null });
    await opened.text().catch(() => {});
    expect(sandbox.servers).toEqual([]);
  });

  test('SIGKILL of the process that started it', async () => {
    await using sandbox = await Sandbox.open();
    const parent = sandbox.spawnNode(['-e', parentScript, program]);
    parent.stdout.setEncoding('utf8');
    let said = '';
    parent.stdout.on('data', (text) => {
      said += text;
    });
    await vi.waitFor(() => expect(said).toContain('"machine_start"'), patience);
    const pid = Number(/^server (\d+)$/m.exec(said)?.[1]);
    const [command] = await processGroups(sandbox);
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await vi.waitFor(() => expect([isAlive(pid), isAlive(command ?? 0)]).toEqual([false, false]), patience);
    expect(sandbox.servers).toEqual([]);
  });
});

test('a crash leaves no process, and doctor --fix removes the rest', async () => {
  await using sandbox = await Sandbox.open();
  const client = await stdioClient(sandbox, 'legacy', ['--allow-commands']);
  await client.call('machine_start', { kind: 'console', options: { command: ['sh', '-c', 'sleep 600 & wait'] } });
  const [command = 0] = await processGroups(sandbox);
  expect(isAlive(command)).toBe(true);
  process.kill(client.pid, 'SIGKILL');
  await vi.waitFor(() => expect(isAlive(command)).toBe(false), patience);
  await client.close();
  expect(sandbox.servers).toEqual([String(client.pid)]);

  const env = { FRONTPANEL_PORT: '0' };
  const leftovers = ({ stdout }: { stdout: string }) =>
    (JSON.parse(stdout) as { findings: { check: string }[] }).findings.find(({ check }) => check === 'leftovers');
  const found = await sandbox.run(['doctor', '--quick', '--json'], { env });
  expect(leftovers(found)).toMatchObject({ status: 'warn', fix: 'Run frontpanel doctor --fix.' });
  const fixed = await sandbox.run(['doctor', '--quick', '--json', '--fix'], { env });
  expect(leftovers(fixed)).toMatchObject({ status: 'ok', detail: `removed what process ${client.pid} left` });
  expect(fixed.code).toBe(0);
  expect(sandbox.servers).toEqual([]);
});

test.skipIf(!hasVice)(
  'a VICE goes with the server that is killed: no process, no port, and its folder with the rest',
  async () => {
    await using sandbox = await Sandbox.open();
    const client = await stdioClient(sandbox, 'legacy');
    await client.call('machine_start', { kind: 'vice', options: { roms: 'own', boot: false } });
    await client.call('run', { machine: 'vice-1', detach: 'real' });
    const [vice = 0] = await processGroups(sandbox);
    const ports = [...readFileSync(`/proc/${vice}/cmdline`, 'latin1').matchAll(/127\.0\.0\.1:(\d+)/g)].map(
      ([, port]) => port,
    );
    expect(ports).toHaveLength(2);
    const listening = () => ports.filter((port) => isListening(Number(port)));
    expect(listening()).toEqual(ports);
    const runtime = join(sandbox.dir, 'run', 'frontpanel', String(client.pid));
    const folders = () => (existsSync(runtime) ? readdirSync(runtime) : []).filter((name) => name.startsWith('v-'));
    expect(folders()).toHaveLength(1);
    process.kill(client.pid, 'SIGKILL');
    await vi.waitFor(() => expect([isAlive(vice), listening()]).toEqual([false, []]), patience);
    await client.close();
    // Nobody is left who could remove it; the next one that looks does.
    await sandbox.run(['doctor', '--quick', '--fix'], { env: { FRONTPANEL_PORT: '0' } });
    expect(folders()).toEqual([]);
  },
);

function isListening(port: number): boolean {
  const place = `:${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A`;
  return readFileSync('/proc/net/tcp', 'latin1').includes(place);
}

/** Starts the server as a client does, has it start a command, and then stays. */
const parentScript = `
const { spawn } = require('node:child_process');
const child = spawn(process.execPath, [process.argv[1], '--allow-commands'], { stdio: ['pipe', 'inherit', 'inherit'] });
console.log('server ' + child.pid);
const send = (message) => child.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const clientInfo = { name: 'parent', version: '1' };
send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
send({ method: 'notifications/initialized' });
const options = { command: ['sleep', '600'] };
send({ id: 'machine_start', method: 'tools/call', params: { name: 'machine_start', arguments: { kind: 'console', options } } });
`;

/** The commands that the only server of the sandbox has noted. */
async function processGroups(sandbox: Sandbox): Promise<number[]> {
  for (;;) {
    const [server] = sandbox.servers;
    const record = JSON.parse(
      readFileSync(join(sandbox.dir, 'run', 'frontpanel', server ?? '', 'server.json'), 'utf8'),
    );
    const pids = (record.processGroups as { pid: number }[]).map(({ pid }) => pid);
    if (pids.length > 0) return pids;
    await delay(10);
  }
}
