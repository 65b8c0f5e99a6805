import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HttpProgram } from '../support/http-program.ts';
import { httpClient } from '../support/mcp-client.ts';
import { modernMeta } from '../support/raw-stdio.ts';
import { Sandbox } from '../support/sandbox.ts';

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const clientInfo = { name: 'raw', version: '1' };
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
});

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox[Symbol.asyncDispose]());

describe('the server answers', () => {
  let server: HttpProgram;
  beforeAll(async () => {
    server = await HttpProgram.start(sandbox, '--max-body-bytes', '20000');
  });
  afterAll(() => server[Symbol.asyncDispose]());

  type Headers = Record<string, string | undefined>;
  const table: readonly [number, string, { method?: string; headers?: Headers; body?: string }][] = [
    [200, 'a client without Origin', { body: initialize }],
    [200, 'a page of this computer', { headers: { origin: 'http://localhost:5173' }, body: initialize }],
    [403, 'a page from elsewhere', { headers: { origin: 'https://evil.example' }, body: initialize }],
    [
      403,
      'a page that begins like localhost',
      { headers: { origin: 'http://localhost.evil.example' }, body: initialize },
    ],
    [403, 'a page without an origin of its own', { headers: { origin: 'null' }, body: initialize }],
    [401, 'no token', { headers: { authorization: undefined }, body: initialize }],
    [401, 'a wrong token', { headers: { authorization: 'Bearer wrong' }, body: initialize }],
    [401, 'an empty token', { headers: { authorization: 'Bearer ' }, body: initialize }],
    [401, 'another scheme', { headers: { authorization: 'Basic dXNlcjpwYXNz' }, body: initialize }],
    [
      415,
      'text/plain, which a form of any page can send',
      { headers: { 'content-type': 'text/plain' }, body: initialize },
    ],
    [400, 'bad JSON', { body: '{"jsonrpc":' }],
    [413, 'an oversized body', { body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(30_000) }) }],
    [406, 'a client that cannot take a stream', { headers: { accept: 'application/json' }, body: initialize }],
    [404, 'an unknown session', { headers: { 'mcp-session-id': 'nobody' }, body: ping }],
    [404, 'a stream of an unknown session', { method: 'GET', headers: { 'mcp-session-id': 'nobody' } }],
    [400, 'a request without a session', { body: ping }],
    [400, 'a stream without a session', { method: 'GET' }],
    [400, 'the end of no session', { method: 'DELETE' }],
    [400, 'the new protocol without its headers', { body: modernBody('tools/list') }],
    [
      400,
      'a header that contradicts the body',
      {
        headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' },
        body: modernBody('tools/list'),
      },
    ],
  ];

  test.each(table)('%d to %s', async (status, _what, init) => {
    const response = await server.fetch(init);
    expect(response.status).toBe(status);
    if (status === 401) expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    if (status >= 400)
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
    else await response.text();
  });

  test.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example'])('403 to the Host %j', async (host) => {
    expect(await statusWithHost(server, host)).toBe(403);
  });

  test('200 to its own name and address', async () => {
    const { port } = new URL(server.url);
    expect(await statusWithHost(server, `localhost:${port}`)).toBe(200);
    expect(await statusWithHost(server, `127.0.0.1:${port}`)).toBe(200);
  });

  test('404 beside /mcp', async () => {
    const headers = { authorization: `Bearer ${server.token}` };
    expect((await fetch(new URL('/elsewhere', server.url), { headers })).status).toBe(404);
  });

  test('on loopback only', () => {
    expect(new URL(server.url).hostname).toBe('127.0.0.1');
    expect(server.token).toMatch(/^[\w-]{32}$/);
  });
});

test('--allowed-clients keeps out who is not named', async () => {
  await using server = await HttpProgram.start(sandbox, '--allowed-clients', '10.1.0.0/16,::1');
  const refused = await server.fetch({ body: initialize });
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain('Client 127.0.0.1 is not allowed (--allowed-clients)');
});

test('--max-rate answers 429 to the one too many', async () => {
  await using server = await HttpProgram.start(sandbox, '--max-rate', '5');
  const answers = await Promise.all(Array.from({ length: 50 }, () => server.modern('tools/list')));
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(5);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]?.headers.get('retry-after')).toBe('1');
  expect(await refused[0]?.text()).toContain('--max-rate');
  await Promise.all(answers.map((answer) => (answer.bodyUsed ? undefined : answer.text())));
  await expect.poll(async () => (await server.modern('tools/list')).status, { timeout: 60_000 }).toBe(200);
});

test('--no-token serves without one, --token takes the one given', async () => {
  await using open = await HttpProgram.start(sandbox, '--no-token');
  expect(open.token).toBeUndefined();
  await using client = await httpClient(open, 'modern');
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  expect((await open.fetch({ headers: { origin: 'https://evil.example' }, body: initialize })).status).toBe(403);
  await using given = await HttpProgram.start(sandbox, '--token', 'opensesame');
  expect((await given.fetch({ headers: { authorization: 'bearer opensesame' }, body: initialize })).status).toBe(200);
  expect((await given.fetch({ headers: { authorization: 'Bearer opensesam' }, body: initialize })).status).toBe(401);
});

test('a port in use is said plainly, with exit code 1', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const ended = await sandbox.run(['serve', '--port', String(port)]);
  await new Promise((resolve) => other.close(resolve));
  expect(ended.code).toBe(1);
  expect(ended.stdout).toBe('');
  expect(ended.stderr).toBe(
    `frontpanel: cannot listen on 127.0.0.1: port ${port} is in use. Choose another with --port, or 0 for any.\n`,
  );
});

function modernBody(method: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta: modernMeta } });
}

/** `fetch` writes the Host header itself. */
function statusWithHost(server: HttpProgram, host: string): Promise<number | undefined> {
  const headers = {
    host,
    authorization: `Bearer ${server.token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  return new Promise((resolve, reject) => {
    const sent = request(server.url, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end(initialize);
  });
}
