import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { serveHttp } from '../../src/server/http.ts';
import { Interest } from '../../src/server/interest.ts';
import { serveStandardStreams } from '../../src/server/stdio.ts';
import type { Surface } from '../../src/server/surface.ts';
import { tokenDigest } from '../../src/server/token-list.ts';

const patience = { timeout: 60_000, interval: 50 };
const clientInfo = { name: 'raw', version: '1' };
const initialize = {
  ...{ jsonrpc: '2.0', id: 'first', method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
};
const slow = (id: string | number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'slow' } });
const cancelled = (requestId: string | number) => ({
  ...{ jsonrpc: '2.0', method: 'notifications/cancelled' },
  params: { requestId },
});

/** One tool, which does not hear that nobody waits for it any more. */
function deafSurface() {
  const ends: (() => void)[] = [];
  const surface: Surface = {
    ...{ instructions: '', resources: [], prompts: [], interest: new Interest(), audit: () => {} },
    ...{ onUpdate: () => () => {}, onLog: () => () => {}, onListChange: () => () => {} },
    tools: [
      {
        definition: { name: 'slow', inputSchema: { type: 'object' } },
        role: 'observe',
        call: async () => {
          await new Promise<void>((resolve) => ends.push(resolve));
          return { content: [] };
        },
      },
    ],
  };
  return { surface, ends };
}

async function overHttp(surface: Surface) {
  const served = await serveHttp(surface, {
    ...{ host: '127.0.0.1', port: 0, version: 'test', audit: () => {}, log: () => {}, sessionIdleMs: 60_000 },
    ...{ maxConnections: 100, maxRate: 100_000, maxStreams: 10, maxSessions: 10, maxBodyBytes: 1_000_000 },
    ...{ allowedClients: ['127.0.0.1'], allowedHosts: [], allowedOrigins: [] },
    tokens: [{ name: undefined, role: 'own', sha256: tokenDigest('token') }],
  });
  const always = {
    ...{ authorization: 'Bearer token', 'content-type': 'application/json' },
    accept: 'application/json, text/event-stream',
  };
  const post = (body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) =>
    fetch(served.url, {
      ...{ method: 'POST', headers: { ...always, ...headers }, body: JSON.stringify(body) },
      ...(signal && { signal }),
    });
  return {
    async session() {
      const opened = await post(initialize);
      await opened.text();
      const headers = {
        'mcp-session-id': opened.headers.get('mcp-session-id') ?? '',
        'mcp-protocol-version': '2025-11-25',
      };
      return (body: unknown, signal?: AbortSignal) => post(body, headers, signal);
    },
    close: () => served.close(),
    [Symbol.asyncDispose]: () => served.close(),
  };
}

test('over stdio no more is carried out at a time by whoever takes everything back at once', async () => {
  const { surface, ends } = deafSurface();
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  let said = '';
  stdout.on('data', (text: Buffer) => {
    said += text.toString();
  });
  const served = serveStandardStreams(surface, { stdin, stdout, version: 'test', log: () => {} });
  const send = (message: unknown) => stdin.write(`${JSON.stringify(message)}\n`);
  send(initialize);
  await expect.poll(() => said, patience).toContain('"first"');
  for (let id = 0; id < 1000; id++) {
    send(slow(id));
    send(cancelled(id));
  }
  send({ jsonrpc: '2.0', id: 'ping', method: 'ping' });
  await expect.poll(() => said, patience).toContain('"ping"');
  // Those of one turn that were taken back before they began are carried out beside the others.
  expect(ends.length).toBeLessThanOrEqual(128 + 16);
  expect(said).toContain('128 requests are in progress on this connection');
  for (const end of ends.splice(0)) end();
  const once = () => {
    send(slow('later'));
    return ends.length;
  };
  await expect.poll(once, patience).toBeGreaterThan(0);
  ends[0]?.();
  await expect.poll(() => said, patience).toContain('"id":"later"');
  await served.close();
});

test('over HTTP no more is carried out at a time by whoever goes away, or takes everything back', async () => {
  const { surface, ends } = deafSurface();
  await using served = await overHttp(surface);
  const post = await served.session();
  const gone = new AbortController();
  const many = (from: number, count: number) => Array.from({ length: count }, (_, index) => slow(from + index));
  for (let from = 0; from < 500; from += 100) {
    const answer = await post(many(from, 100), gone.signal);
    expect(answer.status).toBe(200);
  }
  await expect.poll(() => ends.length, patience).toBe(500);
  expect((await post(many(500, 13))).status).toBe(503);
  expect((await post(many(500, 12), gone.signal)).status).toBe(200);
  await expect.poll(() => ends.length, patience).toBe(512);
  gone.abort();
  for (let from = 0; from < 500; from += 100) {
    const takenBack = many(from, 100).map(({ id }) => cancelled(id));
    expect((await post(takenBack)).status).toBe(202);
  }
  const refused = await post(slow('one more'));
  expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('"id":"one more"')]);
  expect(await (await post({ jsonrpc: '2.0', id: 'ping', method: 'ping' })).text()).toContain('"ping"');
  for (const end of ends.splice(0)) end();
  const later = await post(slow('later'));
  expect(later.status).toBe(200);
  await expect.poll(() => ends.length, patience).toBe(1);
  ends[0]?.();
  expect(await later.text()).toContain('"later"');
});

test('the answer of a call that was taken back ends, and leaves its connection to others', async () => {
  const { surface, ends } = deafSurface();
  await using served = await overHttp(surface);
  const post = await served.session();
  const call = await post(slow('wanted'));
  await expect.poll(() => ends.length, patience).toBe(1);
  expect((await post(cancelled('wanted'))).status).toBe(202);
  expect(await call.text()).toContain('The request was cancelled.');
  // Twice, and what nobody asked for.
  expect((await post(cancelled('wanted'))).status).toBe(202);
  expect((await post(cancelled('nothing'))).status).toBe(202);
  ends[0]?.();
  expect(await (await post({ jsonrpc: '2.0', id: 'ping', method: 'ping' })).text()).toContain('"ping"');
});

test('a call of a 2025 session that is being worked on when the server ends is answered', async () => {
  const { surface, ends } = deafSurface();
  const served = await overHttp(surface);
  const post = await served.session();
  const answer = post(slow('last')).then((response) => response.text());
  await expect.poll(() => ends.length, patience).toBe(1);
  await served.close();
  expect(await answer).toContain('"id":"last","error":{"code":-32000,"message":"The server is shutting down.');
  ends[0]?.();
});
