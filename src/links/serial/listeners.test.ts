import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from './link-testing.ts';
import { onceListening } from './listeners.ts';
import { tcpLink } from './tcp-link.ts';

async function listenOn(where: number | string): Promise<number> {
  const server = createServer();
  onTestFinished(() => void server.close());
  if (typeof where === 'number') server.listen(where, '127.0.0.1');
  else server.listen(where);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test.runIf(platform() === 'linux')('the return of a TCP port and of a unix socket is seen, once', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'listeners-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const path = join(directory, 'a socket');
  const port = await freePort();
  const seen: string[] = [];
  tcpLink({ host: '127.0.0.1', port }).onReturn?.(() => seen.push('tcp'));
  onceListening(`unix ${path}`, () => seen.push('unix'));
  const cancelled = onceListening(`tcp ${port}`, () => seen.push('cancelled'));
  await delay(900);
  expect(seen).toEqual([]);
  cancelled();
  await Promise.all([listenOn(port), listenOn(path)]);
  await eventually(() => seen.length >= 2);
  await delay(900);
  expect(seen.toSorted()).toEqual(['tcp', 'unix']);
});

test('a port that listened all the time has not returned', async () => {
  const port = await listenOn(0);
  let returned = false;
  const stop = onceListening(`tcp ${port}`, () => {
    returned = true;
  });
  await delay(1300);
  stop();
  expect(returned).toBe(false);
});

test('far hosts are not watched', () => {
  expect(tcpLink({ host: '192.0.2.1', port: 4555 }).onReturn).toBeUndefined();
  expect(tcpLink({ host: '::1', port: 4555 }).onReturn).toBeDefined();
});
