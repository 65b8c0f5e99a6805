import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Lifetime } from './lifetime.ts';
import { sendResponse } from './send-response.ts';

const patience = { timeout: 15_000, interval: 20 };
let server: Server;
let client: Socket;
let response: Response;
let log: string[];
let ended: number;

beforeEach(async () => {
  log = [];
  ended = 0;
  server = createServer((_req, res) => {
    res.on('error', () => {});
    void sendResponse(response, res, new Lifetime(res), (text) => log.push(text)).then(() => ended++);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** A connection that asks, and reads nothing until it is told to. */
async function ask(): Promise<void> {
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  await once(client, 'connect');
  client.pause();
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
}

/** A stream that has something to say whenever it is asked; `cancelled` when nobody wants it any more. */
function stream(pieceBytes: number): {
  readonly response: Response;
  readonly state: { cancelled: boolean; sent: number };
} {
  const state = { cancelled: false, sent: 0 };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (pieceBytes === 0) return new Promise(() => {});
      controller.enqueue(new Uint8Array(pieceBytes));
      state.sent += pieceBytes;
      return new Promise((resolve) => setImmediate(resolve));
    },
    cancel() {
      state.cancelled = true;
    },
  });
  return { response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }), state };
}

test('a client that does not read is cut off before much is kept for it', async () => {
  const flood = stream(256 * 1024);
  response = flood.response;
  await ask();
  await expect
    .poll(() => log, patience)
    .toEqual([expect.stringMatching(/a client was cut off that had left \d+ bytes unread/)]);
  await expect.poll(() => flood.state.cancelled, patience).toBe(true);
  expect(flood.state.sent).toBeLessThan(64 * 1024 * 1024);
  expect(ended).toBe(1);
});

test('a stream that says nothing is over as soon as its client is gone', async () => {
  const silent = stream(0);
  response = silent.response;
  await ask();
  client.resume();
  const [head] = await once(client, 'data');
  expect(String(head)).toMatch(/^HTTP\/1\.1 200 OK/);
  client.resetAndDestroy();
  await expect.poll(() => silent.state.cancelled, patience).toBe(true);
  expect(ended).toBe(1);
});

test('an answer that fails half way is cut off, not ended as if it were whole', async () => {
  let fail = () => {};
  response = new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('half'));
        fail = () => controller.error(new Error('no more'));
      },
    }),
  );
  await ask();
  let got = '';
  client.resume().on('data', (bytes) => {
    got += bytes;
    if (got.includes('half')) fail();
  });
  await once(client, 'close');
  expect(got).toContain('half');
  expect(got.endsWith('0\r\n\r\n')).toBe(false);
  expect(log).toEqual(['an answer was cut off: no more']);
});
