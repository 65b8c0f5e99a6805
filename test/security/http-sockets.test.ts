import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HttpProgram } from '../support/http-program.ts';
import { descriptorsOf, RawHttp, upgradeRequest } from '../support/raw-http.ts';
import { modernMeta } from '../support/raw-stdio.ts';
import { endOf, Sandbox } from '../support/sandbox.ts';

const patience = { timeout: 60_000, interval: 50 };

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox[Symbol.asyncDispose]());

/** It is the same process, it answers, and nothing had to be caught that nobody expected. */
async function expectAlive(server: HttpProgram): Promise<void> {
  expect((await server.modern('tools/list')).status).toBe(200);
  expect(server.log).not.toContain('BUG:');
  expect([server.child.exitCode, server.child.signalCode]).toEqual([null, null]);
}

describe('a server that strangers send sockets to', () => {
  let server: HttpProgram;
  beforeAll(async () => {
    server = await HttpProgram.start(sandbox);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const targets = ['//', '///', '*', '/%', '/?token=%', '//[', 'http://', 'http://[/', 'view', '/view?token=', '\\'];
  test.each(targets)('refuses an upgrade to %j', async (target) => {
    const raw = await RawHttp.open(server);
    raw.send(upgradeRequest(server, target));
    await raw.over();
    expect(raw.status, raw.received).toBeGreaterThanOrEqual(400);
    expect(raw.status).toBeLessThan(500);
    await expectAlive(server);
  });

  test.each(targets)('answers a request for %j', async (target) => {
    const raw = await RawHttp.open(server);
    raw.send(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    await raw.over();
    expect(raw.status, raw.received).toBeGreaterThanOrEqual(200);
    expect(raw.status).toBeLessThan(500);
    await expectAlive(server);
  });

  test('outlives upgrades that are reset at once', async () => {
    for (let round = 0; round < 200; round++) {
      const raw = await RawHttp.open(server);
      raw.send(upgradeRequest(server, '/view'));
      raw.socket.resetAndDestroy();
    }
    await expectAlive(server);
  });

  test('outlives requests that are reset at every stage', async () => {
    const whole =
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${server.token}\r\n` +
      'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 40\r\n\r\n' +
      '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    for (let end = 0; end <= whole.length; end += 7) {
      const raw = await RawHttp.open(server);
      raw.send(whole.slice(0, end));
      raw.socket.resetAndDestroy();
    }
    await expectAlive(server);
  });

  test('closes refused upgrades that the other side holds half open', async () => {
    const before = descriptorsOf(server.child.pid);
    const held = await Promise.all(Array.from({ length: 60 }, () => RawHttp.open(server)));
    for (const raw of held) raw.send(upgradeRequest(server, '/view'));
    await Promise.all(held.map((raw) => raw.over()));
    for (const raw of held) expect(raw.status).toBe(401);
    await expect.poll(() => descriptorsOf(server.child.pid), patience).toBeLessThanOrEqual(before + 2);
    for (const raw of held) raw.socket.destroy();
    await expectAlive(server);
  });

  test('closes connections that bring their head byte by byte, or nothing at all', async () => {
    const slow = await RawHttp.open(server);
    const mute = await RawHttp.open(server);
    slow.send('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ');
    const drip = setInterval(() => slow.send('x'), 500);
    await Promise.all([slow.over(), mute.over()]);
    clearInterval(drip);
    expect(slow.status).toBe(408);
    for (const raw of [slow, mute]) raw.socket.destroy();
    await expectAlive(server);
  });

  test('refuses heads without end', async () => {
    const raw = await RawHttp.open(server);
    raw.send(`GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`);
    await raw.over();
    expect(raw.status).toBe(431);
    await expectAlive(server);
  });

  const fillers = Array.from({ length: 101 }, (_, index) => `X-${index}: a`);
  test.each([
    ['an origin after more headers than are read', [...fillers, 'Origin: https://evil.example'], 431],
    ['a length after more headers than are read', [...fillers, 'Content-Length: 0'], 431],
    ['two hosts', ['Host: evil.example'], 400],
    ['two origins', ['Origin: http://localhost', 'origin: https://evil.example'], 400],
    ['two tokens', ['Authorization: Bearer another', 'AUTHORIZATION: Bearer a-third'], 400],
  ])('refuses a head with %s', async (_what, headers, status) => {
    const offers = [[], ['Connection: Upgrade', 'Upgrade: h2c']];
    const requests = offers.map((offer) =>
      ['GET / HTTP/1.1', 'Host: 127.0.0.1', ...offer, ...headers, '\r\n'].join('\r\n'),
    );
    for (const request of [...requests, upgradeRequest(server, '/view', headers)]) {
      const raw = await RawHttp.open(server);
      raw.send(request);
      await expect.poll(() => raw.status, patience).toBe(status);
      raw.socket.destroy();
    }
    await expectAlive(server);
  });

  test('refuses a body that comes in crumbs, each of which takes a hundred times its memory', async () => {
    const raw = await RawHttp.open(server);
    raw.send(
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${server.token}\r\n` +
        'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    raw.send('1\r\n \r\n'.repeat(5000));
    await expect.poll(() => raw.status, patience).toBe(400);
    expect(raw.received).toContain('too many small pieces');
    raw.socket.destroy();
    await expectAlive(server);
  });

  test('takes nothing of a tunnel, of HTTP/2, of another protocol altogether', async () => {
    const words = [
      'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03',
      'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n',
      'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n',
      'TRACE /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n',
    ];
    for (const word of words) {
      const raw = await RawHttp.open(server);
      raw.send(Buffer.from(word, 'latin1'));
      await raw.over();
      if (raw.received !== '') expect(raw.status, word).toBeGreaterThanOrEqual(400);
      raw.socket.destroy();
    }
    await expectAlive(server);
  });

  test('answers a client that offers HTTP/2 as if it had not, on the same connection as often as it does', async () => {
    const raw = await RawHttp.open(server);
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const offer = 'Connection: keep-alive, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__';
    const head =
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${server.token}\r\n${offer}\r\n` +
      'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n';
    for (let round = 1; round <= 15; round++) {
      raw.send(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`);
      raw.send(body.slice(10));
      await expect.poll(() => raw.received.split('Mcp-Session-Id is required').length - 1, patience).toBe(round);
    }
    expect(raw.status).toBe(400);
    raw.socket.resetAndDestroy();
    await expectAlive(server);
  });

  test('cuts off who sends requests without end and waits for no answer', async () => {
    const raw = await RawHttp.open(server);
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const head = `Host: 127.0.0.1\r\nAuthorization: Bearer ${server.token}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream`;
    raw.send(`POST /mcp HTTP/1.1\r\n${head}\r\nContent-Length: ${ping.length}\r\n\r\n${ping}`.repeat(200));
    await raw.over();
    await expectAlive(server);
  });

  test('answers an upgrade that comes after a request on the same connection', async () => {
    const raw = await RawHttp.open(server);
    raw.send(`GET /elsewhere HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${upgradeRequest(server, '//')}`);
    await raw.over();
    expect(raw.status).toBe(404);
    expect(raw.received).toContain('HTTP/1.1 400');
    await expectAlive(server);
  });
});

/** Somebody with a token has begun a request on it, and the server waits for the rest. */
async function heldConnection(server: HttpProgram): Promise<RawHttp> {
  const raw = await RawHttp.open(server);
  const head = [
    'Host: 127.0.0.1',
    `Authorization: Bearer ${server.token}`,
    'Content-Length: 40',
    'Expect: 100-continue',
  ];
  raw.send(`POST /mcp HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
  await expect.poll(() => raw.received, patience).toContain('100 Continue');
  return raw;
}

test('--max-connections turns away the one too many, and takes others when there is room', async () => {
  await using server = await HttpProgram.start(sandbox, '--max-connections', '4');
  const held: RawHttp[] = [];
  for (let count = 0; count < 4; count++) held.push(await heldConnection(server));
  const one = await RawHttp.open(server);
  one.send('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  expect(await one.over()).toBe('');
  for (const raw of held) raw.socket.destroy();
  await expect.poll(async () => (await server.modern('tools/list').catch(() => undefined))?.status, patience).toBe(200);
});

test('a server without descriptors left takes connections again when there are some', async () => {
  await using server = await HttpProgram.start(sandbox, '--max-connections', '1000');
  await expectAlive(server);
  const { pid = 0 } = server.child;
  const limit = descriptorsOf(pid) + 10;
  const set = spawnSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:`], { encoding: 'utf8' });
  expect(set.stderr).toBe('');
  const { port } = new URL(server.url);
  const sockets = Array.from({ length: 60 }, () => connect(Number(port), '127.0.0.1').on('error', () => {}));
  await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => {})));
  await expect.poll(() => descriptorsOf(pid), patience).toBeGreaterThanOrEqual(limit - 1);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await server.modern('tools/list').catch(() => undefined))?.status, patience).toBe(200);
  await expectAlive(server);
});

test('streams that wait behind others on a connection that is cut are forgotten, and keep no server from ending', async () => {
  await using server = await HttpProgram.start(sandbox);
  const notifications = { resourcesListChanged: true };
  const body = JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' },
    params: { _meta: modernMeta, notifications },
  });
  const listen =
    `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${server.token}\r\n` +
    'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n' +
    `MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  // More altogether than may be open at a time.
  for (let round = 0; round < 8; round++) {
    const raw = await RawHttp.open(server);
    raw.send(listen.repeat(4));
    await expect.poll(() => raw.status, patience).toBe(200);
    raw.socket.resetAndDestroy();
  }
  await expectAlive(server);
  const ended = endOf(server.child);
  server.child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0, signal: null });
});

async function statusOnNewConnection(server: HttpProgram): Promise<number> {
  const raw = await RawHttp.open(server);
  const head = ['Host: 127.0.0.1', `Authorization: Bearer ${server.token}`, 'Connection: close'];
  raw.send(`GET /session HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
  await raw.over();
  return raw.status;
}

test('connections that never say who they are leave room for those who do', async () => {
  await using server = await HttpProgram.start(sandbox, '--max-connections', '20');
  const strangers: RawHttp[] = [];
  for (let count = 0; count < 60; count++) {
    const raw = await RawHttp.open(server);
    // Half of them have said all but who they are, and wait with the rest.
    raw.send(count % 2 === 0 ? 'POST /mcp HTTP/1.1\r\nHost: ' : 'GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    strangers.push(raw);
    if (count % 6 === 5) expect(await statusOnNewConnection(server)).toBe(200);
  }
  await expect.poll(() => strangers.filter(({ isOver }) => !isOver).length, patience).toBeLessThanOrEqual(10);
  for (const { socket } of strangers) socket.destroy();
  await expectAlive(server);
});
