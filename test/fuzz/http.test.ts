import { once } from 'node:events';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { HttpProgram } from '../support/http-program.ts';
import { descriptorsOf, RawHttp } from '../support/raw-http.ts';
import { RawStdio } from '../support/raw-stdio.ts';
import { Sandbox } from '../support/sandbox.ts';
import { connectionCases, type Farewell, rpcLines, rpcTexts, socketCases } from './http-cases.ts';

const token = 'a-token-for-fuzzing-0123456789';
const seed = Number(process.env.FUZZ_SEED ?? 20_260_728);
/** The short form; `FUZZ_RUNS` makes it longer. */
const numRuns = Number(process.env.FUZZ_RUNS ?? 250);
const limitMs = Math.max(60_000, numRuns * 200);
const patience = { timeout: 60_000, interval: 50 };

let sandbox: Sandbox;
let server: HttpProgram;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  await restart();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

async function restart(): Promise<void> {
  server = await HttpProgram.start(
    sandbox,
    '--token',
    token,
    '--demo',
    '--max-rate',
    '100000',
    '--max-sessions',
    '1000',
  );
}

/** Dead or out of order, it is started anew, so that the case can be made smaller. */
async function expectSound(): Promise<void> {
  const status = await server.modern('tools/list').then(
    (response) => response.text().then(() => response.status),
    (error: Error) => error.message,
  );
  const { log } = server;
  if (status === 200 && !log.includes('BUG')) return;
  await server[Symbol.asyncDispose]();
  await restart();
  expect.fail(`answered ${status}; it said:\n${log}`);
}

async function leave(raw: RawHttp, farewell: Farewell): Promise<void> {
  if (farewell === 'reset') raw.socket.resetAndDestroy();
  else if (farewell === 'end') raw.socket.end();
  // Most are answered at once; those that are not whole time out on the server, which this does not wait for.
  else if (raw.received === '')
    await Promise.race([new Promise((resolve) => raw.socket.once('data', resolve)), pause(30)]);
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test(
  'bytes on a connection: answered or refused, and the server lives on',
  async () => {
    const before = descriptorsOf(server.child.pid);
    await fc.assert(
      fc.asyncProperty(connectionCases(token), async ({ pieces, farewell }) => {
        const raw = await RawHttp.open(server);
        for (const piece of pieces) {
          raw.send(piece);
          if (pieces.length > 1) await pause(0);
        }
        await leave(raw, farewell);
        if (raw.received !== '') expect(raw.received).toMatch(/^HTTP\/1\.1 \d{3} /);
        raw.socket.destroy();
        await expectSound();
      }),
      { seed, numRuns, interruptAfterTimeLimit: limitMs },
    );
    await expect.poll(() => descriptorsOf(server.child.pid), patience).toBeLessThanOrEqual(before + 5);
  },
  limitMs * 2,
);

test(
  'frames on the page’s socket: obeyed or refused, and the server lives on',
  async () => {
    await fc.assert(
      fc.asyncProperty(socketCases, async ({ steps, farewell }) => {
        const page = new WebSocket(new URL('/view', server.url).href.replace('http', 'ws'), 'frontpanel', {
          headers: { authorization: `Bearer ${token}` },
        });
        page.on('error', () => {});
        await once(page, 'open');
        page.send(JSON.stringify({ type: 'watch', machine: 'c64-1' }));
        const socket: unknown = Reflect.get(page, '_socket');
        for (const step of steps) {
          if ('text' in step) page.send(step.text);
          else if (socket instanceof Object && 'write' in socket && socket.write instanceof Function)
            socket.write(step.bytes);
        }
        if (farewell === 'end') page.close();
        else page.terminate();
        await expectSound();
      }),
      { seed, numRuns: numRuns / 2, interruptAfterTimeLimit: limitMs },
    );
    await expect.poll(() => server.modern('tools/list').then(({ status }) => status), patience).toBe(200);
  },
  limitMs * 2,
);

test(
  'messages over HTTP: every one is answered, errors are errors of the protocol',
  async () => {
    const clientInfo = { name: 'fuzz', version: '1' };
    const opened = await server.fetch({
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
      }),
    });
    await opened.text();
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const heads = fc.constantFrom<Record<string, string>>(
      {},
      session,
      { ...session, 'mcp-protocol-version': '2025-11-25' },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'machine_list' },
    );
    await fc.assert(
      fc.asyncProperty(rpcTexts, heads, async (body, headers) => {
        const response = await server.fetch({ headers, body });
        const text = await response.text();
        expect(response.status, text).not.toBe(500);
        if (response.status >= 400)
          expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
        await expectSound();
      }),
      { seed, numRuns, interruptAfterTimeLimit: limitMs },
    );
  },
  limitMs * 2,
);

test(
  'lines on standard input: each that waits for an answer gets one, and the server lives on',
  async () => {
    await using stdio = await Sandbox.open();
    const raw = new RawStdio(stdio);
    await raw.initialize();
    const waiting = new Set<unknown>();
    for (const [index, line] of fc.sample(rpcLines, { seed, numRuns: numRuns * 2 }).entries()) {
      const { text, id } = withId(line.replaceAll('\n', ' '), `line ${index}`);
      if (id !== undefined) waiting.add(id);
      raw.sendLine(text);
      if (index % 50 === 0) await pinged(raw, `ping ${index}`);
    }
    await pinged(raw, 'the last ping');
    const answered = () => {
      const ids = new Set(raw.messages.map((message) => message.id));
      return [...waiting].filter((id) => !ids.has(id));
    };
    await expect.poll(answered, patience).toEqual([]);
    expect(waiting.size).toBeGreaterThan(numRuns / 5);
    raw.child.stdin.end();
    const { code, stderr } = await raw.ended;
    expect(stderr).not.toContain('BUG');
    expect(code).toBe(0);
  },
  limitMs * 2,
);

async function pinged(raw: RawStdio, id: string): Promise<void> {
  raw.sendLine(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }));
  expect(await raw.message((message) => message.id === id)).toMatchObject({ result: {} });
}

/** Gives a line that asks something an id of its own, so that its answer can be told from all others. */
function withId(line: string, id: string): { readonly text: string; readonly id?: string } {
  try {
    const message: unknown = JSON.parse(line);
    if (typeof message !== 'object' || message === null || Array.isArray(message)) return { text: line };
    const asks =
      'method' in message && 'id' in message && (typeof message.id === 'string' || typeof message.id === 'number');
    return asks ? { text: JSON.stringify({ ...message, id }), id } : { text: line };
  } catch {
    return { text: line };
  }
}
