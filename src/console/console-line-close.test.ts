import { existsSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { Client, cleanUp, lineTo, openLine, Peer, until } from './console-line-testing.ts';

afterEach(cleanUp);

test('close lets everything written leave, gives clients the rest, and removes the sockets', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer);
  const { socketIn, socketOut } = line.humans;
  const watcher = await Client.connect(socketOut);
  const stuck = await Client.connect(socketOut, { reading: false });
  await until(() => line.humans.watching === 2);
  await peer.send('the end');
  await until(() => line.output.end === 7);
  expect((await line.write(Buffer.alloc(900_000, 'z'), { mode: 'buffered' })).refused).toBe(0);
  await line.close();
  await until(() => Buffer.concat(peer.received).length === 900_000);
  await until(() => watcher.socket.destroyed);
  expect(watcher.all.toString()).toBe('the end');
  stuck.read();
  await until(() => stuck.socket.destroyed);
  expect([existsSync(socketIn), existsSync(socketOut)]).toEqual([false, false]);
  expect(line.link.state).toBe('ended');
  expect(Buffer.from(line.output.read(0, 10).bytes).toString()).toBe('the end');
  await line.close();
});

test('close does not wait for a machine that does not read, a client that does not read, or an attempt to connect', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer);
  peer.stopReading();
  const stuck = await Client.connect(line.humans.socketOut, { reading: false });
  await peer.send(Buffer.alloc(4_000_000));
  const waiting = line.write(Buffer.alloc(32_000_000), { mode: 'retry', timeoutMs: 60_000 });
  await line.close();
  const { written, refused } = await waiting;
  expect(written + refused).toBe(32_000_000);
  expect(refused).toBeGreaterThan(0);
  stuck.read();
  await until(() => stuck.socket.destroyed);

  const never = new AbortController();
  const { line: connecting } = await openLine({
    link: {
      target: 'nowhere',
      open: (signal) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            never.abort();
            reject(signal.reason);
          }),
        ),
    },
  });
  expect(connecting.link.state).toBe('connecting');
  await connecting.close();
  expect([connecting.link.state, never.signal.aborted]).toEqual(['ended', true]);
});

test('a client that is gone is noticed, one that only closed its writing half is served', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer);
  const half = await Client.connect(line.humans.socketOut);
  half.socket.end();
  const gone = await Client.connect(line.humans.socketOut);
  await until(() => line.humans.watching === 2);
  gone.socket.destroy();
  await until(() => line.humans.watching === 1);
  await peer.send('still here');
  await until(() => half.all.toString() === 'still here');
});
