import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { strangerAt } from './loopback-peer.ts';

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
