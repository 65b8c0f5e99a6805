import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { guestAt, strangerAt } from './loopback-peer.ts';

let server: Server;
beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => void server.close());

const port = () => (server.address() as AddressInfo).port;

async function whoComes(): Promise<string | undefined> {
  const [socket]: Socket[] = await once(server, 'connection');
  if (socket === undefined) throw new Error('nobody came');
  socket.on('error', () => {});
  const { localPort = 0, remotePort = 0 } = socket;
  try {
    return await strangerAt({ localPort, remotePort });
  } finally {
    socket.destroy();
  }
}

test('a program of this user is no stranger', async () => {
  const verdict = whoComes();
  const client = connect(port(), '127.0.0.1');
  expect(await verdict).toBeUndefined();
  client.destroy();
});

// The kernel has forgotten whose it was by then, and says root's.
test('whoever sends something and goes at once is told from nobody, so they are one', async () => {
  const came = once(server, 'connection') as Promise<[Socket]>;
  const script = `const s = require('net').connect(${port()}, '127.0.0.1', () => s.end('$g#67', () => process.exit()))`;
  await once(spawn(process.execPath, ['-e', script], { stdio: 'ignore' }), 'exit');
  const [socket] = await came;
  const { localPort = 0, remotePort = 0 } = socket;
  expect(await strangerAt({ localPort, remotePort })).toBe('somebody who had gone before it could be told who');
  expect(await guestAt({ localPort, remotePort })).toBe('somebody who had gone before it could be told who');
  socket.destroy();
});

test.each(['127.0.0.1', '::1'])('a guest is told at %s, and who is elsewhere is none', async (address) => {
  const there = createServer().listen(0, address);
  await once(there, 'listening');
  const came = once(there, 'connection') as Promise<[Socket]>;
  const { port: localPort } = there.address() as AddressInfo;
  const argv = [
    '-M',
    'none',
    '-display',
    'none',
    '-nodefaults',
    '-chardev',
    `socket,id=wire,host=${address},port=${localPort}`,
  ];
  const qemu = spawn('qemu-system-x86_64', [...argv, '-mon', 'wire'], { stdio: 'ignore' });
  const [socket] = await came;
  const { remotePort = 0 } = socket;
  const connection = { localPort, remotePort, localAddress: address, remoteAddress: address };
  expect(await guestAt(connection)).toBe('a guest of an emulator');
  expect(await guestAt({ ...connection, remotePort: 1 })).toBe('somebody who had gone before it could be told who');
  expect(await guestAt({ ...connection, remoteAddress: '10.1.2.3' })).toBeUndefined();
  expect(await guestAt({ ...connection, remoteAddress: 'fe80::1:2' })).toBeUndefined();
  socket.on('error', () => {}).destroy();
  qemu.kill('SIGKILL');
  await once(qemu, 'exit');
  there.close();
});

// A connection of QEMU's user network is one of QEMU's own, as this is.
test('a QEMU of this user is one: whatever its guest says comes from it', async () => {
  const verdict = whoComes();
  const chardev = `socket,id=wire,host=127.0.0.1,port=${port()}`;
  const argv = ['-M', 'none', '-display', 'none', '-nodefaults', '-chardev', chardev, '-mon', 'wire'];
  const qemu = spawn('qemu-system-x86_64', argv, { stdio: 'ignore' });
  const gone = once(qemu, 'exit');
  expect(await verdict).toBe('a guest of an emulator');
  qemu.kill('SIGKILL');
  await gone;
});
