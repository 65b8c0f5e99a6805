import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Fleet } from '../support/fleet.ts';
import { httpClient, type McpClient } from '../support/mcp-client.ts';

const patience = { timeout: 60_000, interval: 200 };
let fleet: Fleet;
let client: McpClient;
let a: ChildProcess;
let board: Server;
/** What arrived at the board, in its order, whoever sent it. */
let heard = '';
const sockets = new Set<Socket>();

beforeAll(async () => {
  board = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      heard += String(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(board, 'listening');
  fleet = await Fleet.open();
  [a] = await Promise.all([fleet.station('a'), fleet.station('b')]);
  client = await httpClient(await fleet.gateway(), 'modern');
}, 180_000);

afterAll(async () => {
  a?.kill('SIGCONT');
  for (const socket of sockets) socket.destroy();
  board?.close();
  await client?.close();
  await fleet?.[Symbol.asyncDispose]();
});

async function start(name: string, on: string): Promise<void> {
  const { port } = board.address() as AddressInfo;
  const { isError, text } = await client.call('machine_start', {
    kind: 'console',
    name,
    options: { on, port, board: 'rig' },
  });
  expect(isError, text).toBe(false);
}

async function list(): Promise<string> {
  return (await client.call('machine_list')).text;
}

async function isUp(name: string): Promise<void> {
  await vi.waitFor(async () => expect(await list()).toMatch(new RegExp(`port ${name}: \\S+ \\S+ up`)), patience);
}

test('a board has one holder: who was stopped and lost it sends not a byte more', async () => {
  await start('left', 'a');
  await isUp('left');
  await start('right', 'b');
  await vi.waitFor(async () => expect(await list()).toContain('host a of the fleet has the board rig'), patience);
  await client.call('console_send', { machine: 'left', text: 'LEFT' });
  await vi.waitFor(() => expect(heard).toContain('LEFT'), patience);
  expect(sockets.size).toBe(1);

  a.kill('SIGSTOP');
  // It waits there until its host goes on, and must not go out then.
  const late = client.call('console_send', { machine: 'left', text: 'LATE' });
  await isUp('right');
  await client.call('console_send', { machine: 'right', text: 'RIGHT' });
  await vi.waitFor(() => expect(heard).toContain('RIGHT'), patience);
  a.kill('SIGCONT');
  await late;
  await vi.waitFor(async () => expect(await list()).toContain('host b of the fleet has the board rig'), patience);
  expect(heard).not.toContain('LATE');

  heard = '';
  await client.call('machine_stop', { machine: 'right' });
  await isUp('left');
  await client.call('console_send', { machine: 'left', text: 'AGAIN' });
  await vi.waitFor(() => expect(heard).toContain('AGAIN'), patience);
}, 240_000);
