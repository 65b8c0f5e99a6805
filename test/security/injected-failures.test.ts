import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { Guest } from '../support/guest.ts';
import { HttpProgram } from '../support/http-program.ts';
import { modernMeta, RawStdio } from '../support/raw-stdio.ts';
import { endOf, program, Sandbox } from '../support/sandbox.ts';

const inject = fileURLToPath(new URL('./inject.mjs', import.meta.url));
const patience = { timeout: 60_000, interval: 50 };

/** The program as people run it, with a way to make what is inside it fail. */
class Patient implements AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly server: HttpProgram;

  static async start(...args: readonly string[]): Promise<Patient> {
    const sandbox = await Sandbox.open();
    const argv = ['--import', inject, program, 'serve', '--port', '0', '--log-level', 'error', ...args];
    const child = sandbox.spawnNode(argv, { stdio: ['pipe', 'pipe', 'pipe', 'ipc'] });
    return new Patient(sandbox, await HttpProgram.of(child));
  }

  private constructor(sandbox: Sandbox, server: HttpProgram) {
    this.sandbox = sandbox;
    this.server = server;
  }

  async fail(kind: string): Promise<number> {
    const { child } = this.server;
    const answer = once(child, 'message');
    child.send(kind);
    return Number((await answer)[0]);
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<string> {
    const response = await this.server.fetch({
      headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name, arguments: args, _meta: modernMeta },
      }),
    });
    const { result } = (await response.json()) as { result: { content: { text: string }[] } };
    return result.content[0]?.text ?? '';
  }

  async expectAlive(): Promise<void> {
    await expect
      .poll(async () => (await this.server.modern('tools/list').catch(() => undefined))?.status, patience)
      .toBe(200);
    expect([this.server.child.exitCode, this.server.child.signalCode]).toEqual([null, null]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    await this.sandbox[Symbol.asyncDispose]();
  }
}

/** Everything that has sockets and streams, alive at once. */
async function busy(patient: Patient, guest: Guest): Promise<{ readonly sockets: readonly Socket[]; page: WebSocket }> {
  const { server } = patient;
  const started = await patient.call('machine_start', { kind: 'console', name: 'line', options: { port: guest.port } });
  const [socketIn = '', socketOut = ''] = [...started.matchAll(/\S+\.(?:in|out)\b/g)].map(([path]) => path).sort();
  await patient.call('machine_start', { kind: 'console', name: 'child', options: { command: ['cat'] } });
  await expect
    .poll(() => patient.call('machine_list'), patience)
    .toMatch(/line LINK UP.*child LINK UP|child LINK UP.*line LINK UP/s);
  const sockets = [connect(socketIn), connect(socketOut)];
  for (const socket of sockets) socket.on('error', () => {});
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const page = new WebSocket(new URL('/view', server.url).href.replace('http', 'ws'), 'frontpanel', {
    headers: { authorization: `Bearer ${server.token}` },
  });
  page.on('error', () => {});
  await once(page, 'open');
  page.send(JSON.stringify({ type: 'watch', machine: 'line', console: 'line' }));
  page.send(JSON.stringify({ type: 'type', text: 'hello' }));
  await expect.poll(() => guest.received, patience).toContain('hello');
  const stream = await server.modern('subscriptions/listen', { notifications: { resourcesListChanged: true } });
  stream.text().catch(() => {});
  return { sockets, page };
}

describe('the server answers on, and nothing falls through to the net, after the failure of', () => {
  test.each(['sockets', 'socket errors', 'servers', 'children', 'stderr', 'stdin'])('%s', async (kind) => {
    await using guest = await Guest.listen();
    await using patient = await Patient.start('--allow-commands');
    const { sockets, page } = await busy(patient, guest);
    expect(await patient.fail(kind)).toBeGreaterThan(0);
    await patient.expectAlive();
    expect(patient.server.log).not.toContain('BUG:');
    // What is not broken for good works again.
    await expect.poll(() => patient.call('machine_list'), patience).toContain('line LINK UP');
    await guest.print('after it\r\n');
    await expect
      .poll(() => patient.call('console_read', { machine: 'line', from: 'start', quiet_ms: 0 }), patience)
      .toContain('after it');
    for (const socket of sockets) socket.destroy();
    page.terminate();
  });
});

describe('the net catches, says so, and the server answers on, after', () => {
  test.each(['exception', 'rejection'])('an %s that nobody caught', async (kind) => {
    await using patient = await Patient.start();
    await patient.fail(kind);
    await expect.poll(() => patient.server.log, patience).toMatch(/error BUG: unhandled error \(\w+\)/);
    expect(patient.server.log).toContain('injected failure');
    expect(patient.server.log).toContain('restart it');
    await patient.expectAlive();
  });

  test('callbacks of timers that throw, each at least once', async () => {
    await using guest = await Guest.listen();
    await using patient = await Patient.start('--allow-commands');
    const { sockets, page } = await busy(patient, guest);
    await patient.fail('timers');
    await expect.poll(() => patient.fail('timers that failed'), patience).toBeGreaterThan(2);
    await patient.expectAlive();
    expect(patient.server.log).toContain('BUG:');
    for (const socket of sockets) socket.destroy();
    page.terminate();
  });
});

test('a storm of errors is no state to go on in: the server takes everything down and says that it failed', async () => {
  await using patient = await Patient.start('--allow-commands');
  await patient.call('machine_start', { kind: 'console', options: { command: ['sleep', '600'] } });
  const { child } = patient.server;
  const ended = endOf(child);
  await patient.fail('storm');
  expect(await ended).toMatchObject({ code: 1, signal: null });
  expect(patient.server.log).toMatch(/BUG: \d+ such errors within 10 s; the server ends/);
  expect(patient.sandbox.servers).toEqual([]);
});

describe('over stdio', () => {
  test.each(['stdin', 'stdout'])('a failure of %s is the end of the client: everything is taken down', async (kind) => {
    await using sandbox = await Sandbox.open();
    const child = sandbox.spawnNode(['--import', inject, program, '--allow-commands'], {
      stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    });
    const raw = new RawStdio(child);
    await raw.initialize();
    await raw.call('machine_start', { kind: 'console', options: { command: ['sleep', '600'] } });
    expect(sandbox.servers).toHaveLength(1);
    child.send(kind);
    expect(await raw.ended).toMatchObject({ code: 0, signal: null });
    expect(sandbox.servers).toEqual([]);
  });

  test('a failure of stderr, and of every other socket, is none of the client', async () => {
    await using sandbox = await Sandbox.open();
    await using guest = await Guest.listen();
    const child = sandbox.spawnNode(['--import', inject, program], { stdio: ['pipe', 'pipe', 'pipe', 'ipc'] });
    const raw = new RawStdio(child);
    await raw.initialize();
    await raw.call('machine_start', { kind: 'console', options: { port: guest.port } });
    await guest.connected();
    for (const kind of ['stderr', 'sockets']) child.send(kind);
    await expect.poll(() => raw.call('machine_list'), patience).toContain('LINK UP');
    child.stdin.end();
    expect(await raw.ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining('BUG:') });
  });
});
