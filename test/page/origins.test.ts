import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HttpProgram } from '../support/http-program.ts';
import { Sandbox } from '../support/sandbox.ts';
import { launchBrowser, patient } from './desk.ts';

let sandbox: Sandbox;
let program: HttpProgram;
let browser: Browser;
/** A page of somebody else's, at whatever name leads to this computer. */
let other: Server;
let port: number;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  other = createServer((_req, res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<p>a page</p>'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  port = (other.address() as AddressInfo).port;
  program = await HttpProgram.start(sandbox, '--allowed-origins', `http://panel.test:${port},https://panel.test`);
  browser = await launchBrowser('--host-resolver-rules=MAP *.test 127.0.0.1');
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await program?.[Symbol.asyncDispose]();
  await new Promise((resolve) => other?.close(resolve));
  await sandbox?.[Symbol.asyncDispose]();
});

/** What a script of a page gets that speaks both protocols to the server. */
async function callFrom(address: string): Promise<unknown> {
  const page = await patient(await browser.newPage());
  try {
    await page.goto(address);
    return await page.evaluate(
      `(async () => {
        const url = ${JSON.stringify(program.url)};
        const common = {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: 'Bearer ${program.token}',
        };
        const post = (headers, message) =>
          fetch(url, { method: 'POST', headers: { ...common, ...headers }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }) });
        const clientInfo = { name: 'page', version: '1' };
        try {
          const initialized = await post({}, { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
          const session = { 'mcp-session-id': initialized.headers.get('mcp-session-id'), 'mcp-protocol-version': '2025-11-25' };
          const called = await post(session, { method: 'tools/call', params: { name: 'machine_list', arguments: {} } });
          const _meta = {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': clientInfo,
            'io.modelcontextprotocol/clientCapabilities': {},
          };
          const modern = await post(
            { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
            { method: 'tools/list', params: { _meta } },
          );
          const ended = await fetch(url, { method: 'DELETE', headers: { ...common, ...session } });
          const wrong = await fetch(url, { method: 'POST', headers: { ...common, authorization: 'Bearer wrong' }, body: '{}' });
          return {
            statuses: [initialized.status, called.status, modern.status, ended.status],
            text: await called.text(),
            refused: [wrong.status, wrong.headers.get('www-authenticate'), (await wrong.json()).error.message],
          };
        } catch (error) {
          return String(error);
        }
      })()`,
    );
  } finally {
    await page.close();
  }
}

test('a page of an allowed origin calls tools in both protocols, and can read why it is refused', async () => {
  expect(await callFrom(`http://panel.test:${port}/`)).toEqual({
    statuses: [200, 200, 200, 200],
    text: expect.stringContaining('No machine is running'),
    refused: [401, 'Bearer', expect.stringContaining('A bearer token is needed')],
  });
});

test.each(['evil.test', 'panel.test.evil.test', 'sub.panel.test', 'localhost'])('a page of %s cannot', async (name) => {
  expect(await callFrom(`http://${name}:${port}/`)).toBe('TypeError: Failed to fetch');
});

describe('what is compared is scheme, name and port', () => {
  const preflight = (origin: string) =>
    fetch(program.url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,mcp-param-region,cookie,x-evil',
      },
    });

  test.each([
    ['https://panel.test', 204],
    ['https://panel.test:8443', 403],
    ['http://panel.test', 403],
    ['HTTPS://PANEL.TEST', 403],
    ['https://panel.test.', 403],
    ['https://panel.test/', 403],
    ['https://user@panel.test', 403],
    ['null', 403],
  ])('%s: %d', async (origin, status) => {
    const answer = await preflight(origin);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('access-control-allow-origin')).toBe(status === 204 ? origin : null);
    expect(answer.headers.get('vary')).toBe('Origin');
    if (status !== 204) return;
    expect(answer.headers.get('access-control-allow-headers')).toBe('authorization, content-type, mcp-param-region');
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, POST, DELETE');
    expect(answer.headers.get('access-control-allow-credentials')).toBe(null);
  });

  test('a page of this computer may send, but is told nothing that lets its scripts read', async () => {
    const answer = await program.fetch({ headers: { origin: 'http://localhost:5173' }, body: '{}' });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('access-control-allow-origin')).toBe(null);
  });
});
