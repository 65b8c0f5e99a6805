import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listen } from './listening-server.ts';
import { Strangers } from './strangers.ts';

const log: string[] = [];
let server: Server;

beforeEach(async () => {
  log.length = 0;
  server = await listen(
    {
      request(req, res) {
        if (req.url === '/fault') throw new Error('a fault of a handler');
        res.end('well');
      },
      upgrade() {
        throw new Error('a fault of a handler');
      },
    },
    { host: '127.0.0.1', port: 0, maxConnections: 10, log: (level, text) => log.push(`${level} ${text}`) },
    new Strangers(10),
  );
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Everything that comes back before the connection is closed. */
async function exchange(request: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  socket
    .setEncoding('latin1')
    .on('data', (text) => {
      received += text;
    })
    .on('error', () => {});
  socket.write(request);
  await once(socket, 'close');
  return received;
}

const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';

test.each([
  ['a request', 'GET /fault HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an upgrade', `GET / HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n`],
])('a handler that fails on %s ends that connection, and the next is answered', async (_what, request) => {
  expect(await exchange(request)).toBe('');
  expect(log[0]).toMatch(/^error BUG http: Error: a fault of a handler\n {4}at /);
  expect(await exchange('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toContain('well');
});

test('clients are told to give a quiet connection up well before it is ended', async () => {
  const two = await exchange('GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  const [, first = '', second = ''] = two.split('HTTP/1.1 200 OK');
  const said = Number(/^Keep-Alive: timeout=(\d+)\r$/m.exec(first)?.[1]);
  expect(said).toBeGreaterThan(0);
  expect(1000 * said).toBeLessThanOrEqual(server.keepAliveTimeout / 2);
  expect(second).toMatch(/^Connection: close\r$/m);
  expect(second).not.toContain('Keep-Alive');
});
