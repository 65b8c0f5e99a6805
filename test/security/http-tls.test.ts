import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type LoadedTls, loadTls, watchTls } from '../../src/cli/tls-files.ts';
import { makeRack } from '../make-rack.ts';
import { HttpProgram } from '../support/http-program.ts';
import { modernMeta } from '../support/raw-stdio.ts';
import { Sandbox } from '../support/sandbox.ts';
import { toyKind } from '../toy-kind.ts';
import { serveInProcess } from './serve-in-process.ts';

const patience = { timeout: 60_000, interval: 50 };
let sandbox: Sandbox;
let server: HttpProgram;
const at = (name: string) => join(sandbox.dir, name);

function certificate(name: string): void {
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const files = ['-keyout', at(`${name}.key`), '-out', at(`${name}.crt`)];
  const how = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30'];
  const made = spawnSync('openssl', ['req', ...how, ...subject, ...files], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr);
}

beforeAll(async () => {
  sandbox = await Sandbox.open();
  certificate('one');
  certificate('two');
  await writeFile(at('nonsense'), 'nothing of the kind');
  server = await HttpProgram.start(sandbox, '--tls-cert', at('one.crt'), '--tls-key', at('one.key'));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

function post(method: string, ca: Buffer, to = server): Promise<{ status: number; text: string }> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta: modernMeta } });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    authorization: `Bearer ${to.token}`,
  };
  return new Promise((resolve, reject) => {
    const sent = request(to.url, { method: 'POST', headers, ca }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, text });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

test('MCP is served over TLS, and every address that is printed says so', async () => {
  expect(server.log).toMatch(/serves MCP at https:\/\/127\.0\.0\.1:\d+\/mcp/);
  expect(server.log).toMatch(/Live page: https:\/\/127\.0\.0\.1:\d+\/#token=/);
  expect(await post('tools/list', readFileSync(at('one.crt')))).toMatchObject({
    status: 200,
    text: expect.stringContaining('machine_start'),
  });
});

test('the page has its socket over TLS too', async () => {
  const socket = new WebSocket(new URL('/view', server.url).href.replace('https', 'wss'), 'frontpanel', {
    ca: readFileSync(at('one.crt')),
    headers: { authorization: `Bearer ${server.token}` },
  });
  const [first] = await once(socket, 'message');
  expect(JSON.parse(String(first))).toEqual({ type: 'you', client: 'a person', role: 'own' });
  socket.terminate();
});

test('the command line knows the server by its certificate, whoever signed it', async () => {
  const called = await sandbox.run(['call', 'machine_list']);
  expect(called).toMatchObject({ code: 0, stdout: expect.stringContaining('No machine is running') });
});

test('what is no TLS, or ends in the middle of it, ends nothing', async () => {
  const { port } = new URL(server.url);
  for (const words of ['GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', '\x16\x03\x01\x02\x00\x01', '']) {
    const socket = connectPlain(Number(port), '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    socket.write(Buffer.from(words, 'latin1'));
    if (words.startsWith('GET')) await once(socket.resume(), 'close');
    else socket.resetAndDestroy();
  }
  const old = connect({
    port: Number(port),
    host: '127.0.0.1',
    maxVersion: 'TLSv1.1',
    minVersion: 'TLSv1',
    rejectUnauthorized: false,
  });
  expect((await once(old, 'error').catch((error) => [error]))[0]).toBeInstanceOf(Error);
  expect((await post('tools/list', readFileSync(at('one.crt')))).status).toBe(200);
  expect(server.log).not.toContain('BUG:');
});

describe('a start is refused with', () => {
  test.each([
    ['a certificate alone', ['--tls-cert', 'one.crt'], /--tls-cert needs --tls-key/],
    ['a key alone', ['--tls-key', 'one.key'], /--tls-key needs --tls-cert/],
    [
      'a certificate that is missing',
      ['--tls-cert', 'gone', '--tls-key', 'one.key'],
      /--tls-cert: gone cannot be read: ENOENT/,
    ],
    ['a key that is missing', ['--tls-cert', 'one.crt', '--tls-key', 'gone'], /--tls-key: gone cannot be read: ENOENT/],
    [
      'what is no certificate',
      ['--tls-cert', 'nonsense', '--tls-key', 'one.key'],
      /nonsense holds no certificate in PEM/,
    ],
    ['what is no key', ['--tls-cert', 'one.crt', '--tls-key', 'nonsense'], /nonsense holds no private key in PEM/],
    [
      "another certificate's key",
      ['--tls-cert', 'one.crt', '--tls-key', 'two.key'],
      /two\.key .* is not the key of .*one\.crt/,
    ],
  ])('%s', async (_what, args, problem) => {
    const { code, stderr } = await sandbox.run(['serve', '--port', '0', ...args]);
    expect(stderr).toMatch(problem);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(code).toBe(2);
  });
});

test('files that change are loaded again, and what is wrong with them leaves the certificate before', async () => {
  const paths = { cert: at('live.crt'), key: at('live.key') };
  const install = async (name: string) => {
    await copyFile(at(`${name}.key`), paths.key);
    await copyFile(at(`${name}.crt`), paths.cert);
  };
  await install('one');
  const before = loadTls(paths);
  const changes: LoadedTls[] = [];
  const failures: unknown[] = [];
  const stop = watchTls(paths, { changed: (tls) => changes.push(tls), failed: (error) => failures.push(error) }, 20);
  await writeFile(paths.cert, 'half a file');
  await expect.poll(() => failures.length, patience).toBeGreaterThan(0);
  expect(String(failures[0])).toContain('holds no certificate');
  await install('two');
  await expect.poll(() => changes.at(-1)?.fingerprint, patience).toBe(loadTls(paths).fingerprint);
  expect(changes.at(-1)?.fingerprint).not.toBe(before.fingerprint);
  stop();
});

test('connections from then on see the renewed certificate', async () => {
  const [one, two] = ['one', 'two'].map((name) => loadTls({ cert: at(`${name}.crt`), key: at(`${name}.key`) }));
  if (!one || !two) throw new Error('no certificates');
  await using served = await serveInProcess(makeRack([toyKind]), { tls: one });
  const seen = async () => {
    const { port } = new URL(served.url);
    const socket = connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  };
  expect(await seen()).toBe(one.fingerprint);
  served.endpoint.renewTls(two);
  expect(await seen()).toBe(two.fingerprint);
});

describe('a server that other computers can reach', () => {
  const anywhere = ['--host', '0.0.0.0', '--allowed-clients', '127.0.0.1'];

  test('says that everything travels in the clear, unless it does not', async () => {
    await using plain = await HttpProgram.start(sandbox, ...anywhere);
    expect(plain.log).toContain(
      '0.0.0.0 can be reached from other computers, and without --tls-cert everything travels in the clear',
    );
    await using secure = await HttpProgram.start(
      sandbox,
      ...anywhere,
      '--tls-cert',
      at('one.crt'),
      '--tls-key',
      at('one.key'),
    );
    expect(secure.log).not.toContain('in the clear');
    await using local = await HttpProgram.start(sandbox, '--host', '::1', '--allowed-clients', '::1');
    expect(local.log).not.toContain('in the clear');
    expect((await local.modern('tools/list')).status).toBe(200);
  });

  test('says that everybody owns it, if nobody needs a token', async () => {
    await using open = await HttpProgram.start(sandbox, ...anywhere, '--no-token');
    expect(open.log).toContain('everybody owns this server (--no-token)');
  });
});

test('connections that begin no TLS, or say nothing in it, leave room for those who do', async () => {
  const ca = readFileSync(at('one.crt'));
  const tls = ['--tls-cert', at('one.crt'), '--tls-key', at('one.key')];
  await using small = await HttpProgram.start(sandbox, ...tls, '--max-connections', '20');
  const { hostname: host, port } = new URL(small.url);
  const place = { host, port: Number(port) };
  const open = [];
  for (let count = 0; count < 60; count++) {
    const isEncrypted = count % 2 === 0;
    const socket = isEncrypted ? connect({ ...place, ca }) : connectPlain(place);
    socket.on('error', () => {});
    await once(socket, isEncrypted ? 'secureConnect' : 'connect');
    open.push(socket);
    if (count % 6 === 5) expect(await post('tools/list', ca, small)).toMatchObject({ status: 200 });
  }
  for (const socket of open) socket.destroy();
});
