import { afterEach, expect, test } from 'vitest';
import { tcpLink } from '../links/serial/tcp-link.ts';
import type { ConsoleLine } from './console-line.ts';
import { Client, cleanUp, lineTo, numbered, openLine, Peer, until } from './console-line-testing.ts';

afterEach(cleanUp);

test('the three ways to write differ when the machine stops reading, and every byte is accounted for', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer);
  peer.stopReading();
  const sent: Buffer[] = [];
  let from = 0;
  const write = async (length: number, options: Parameters<ConsoleLine['write']>[1]) => {
    const bytes = numbered(from, length);
    const copy = Buffer.from(bytes);
    const result = await line.write(copy, options);
    copy.fill(0);
    expect(result.written + result.queued + result.refused).toBe(length);
    const taken = result.written + result.queued;
    sent.push(bytes.subarray(0, taken));
    from += taken;
    return result;
  };
  const first = await write(32 * 1024 * 1024, { mode: 'nonblocking' });
  expect(first).toMatchObject({ queued: 0 });
  expect(first.refused).toBeGreaterThan(0);
  expect(await write(10, { mode: 'nonblocking' })).toEqual({ written: 0, queued: 0, refused: 10 });

  const buffered = await write(2 * 1024 * 1024, { mode: 'buffered' });
  expect(buffered.queued).toBe(1024 * 1024);
  expect(buffered.written).toBeLessThanOrEqual(64 * 1024);
  expect(await write(5, { mode: 'buffered' })).toEqual({ written: 0, queued: 0, refused: 5 });
  expect(line.link.queuedBytes).toBeLessThanOrEqual(1024 * 1024 + 64 * 1024);

  expect(await write(1000, { mode: 'retry', timeoutMs: 30 })).toEqual({ written: 0, queued: 0, refused: 1000 });
  const cancelled = AbortSignal.timeout(10);
  expect(await write(10, { mode: 'retry', signal: cancelled })).toEqual({ written: 0, queued: 0, refused: 10 });

  const patient = write(200_000, { mode: 'retry', timeoutMs: 15_000 });
  peer.goOnReading();
  expect(await patient).toEqual({ written: 200_000, queued: 0, refused: 0 });
  expect(await write(7, { mode: 'nonblocking' }).then(({ queued }) => queued)).toBe(0);
  await until(() => line.link.queuedBytes === 0);
  await until(() => Buffer.concat(peer.received).length >= from);
  expect(Buffer.concat(peer.received).equals(Buffer.concat(sent))).toBe(true);
  expect(line.link.bytesOut).toBe(from);
}, 60_000);

test('a retry that runs out of time says how much was taken', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer);
  peer.stopReading();
  const bytes = numbered(0, 32 * 1024 * 1024);
  const result = await line.write(bytes, { mode: 'retry', timeoutMs: 100 });
  expect(result.written).toBeGreaterThan(0);
  expect(result.refused).toBeGreaterThan(0);
  expect(result.written + result.refused).toBe(bytes.length);
  peer.goOnReading();
  await until(() => Buffer.concat(peer.received).length >= result.written);
  expect(Buffer.concat(peer.received).equals(bytes.subarray(0, result.written))).toBe(true);
});

test('a lost link says how many bytes may be lost with it; what was queued is not among them', async () => {
  const peer = await Peer.listen();
  const { line, events } = await lineTo(peer, { backoff: { firstMs: 60_000 } });
  peer.stopReading();
  await line.write(Buffer.alloc(32 * 1024 * 1024), { mode: 'nonblocking' });
  await line.write(Buffer.alloc(500_000), { mode: 'buffered' });
  const { queuedBytes, bytesOut } = line.link;
  for (const socket of peer.sockets) socket.resetAndDestroy();
  await until(() => line.link.state === 'down');
  const lost = events.find(({ type }) => type === 'link_lost');
  const unsentBytes = Number(lost?.data?.unsentBytes);
  expect(unsentBytes).toBeGreaterThan(0);
  expect(unsentBytes).toBeLessThanOrEqual(64 * 1024);
  expect(line.link.queuedBytes).toBe(queuedBytes - unsentBytes);
  expect(line.link.bytesOut).toBe(bytesOut);
  expect(line.link.retryInMs).toBeGreaterThan(0);
});

test('people may type more than the queue holds: they wait, in order, until the machine takes it', async () => {
  const peer = await Peer.listen();
  const { port } = peer;
  await peer.close();
  const { line } = await openLine({ link: tcpLink({ host: '127.0.0.1', port }) });
  const [a, b] = await Promise.all([Client.connect(line.humans.socketIn), Client.connect(line.humans.socketIn)]);
  const fromA = Buffer.alloc(5_000_000, 'a');
  const fromB = Buffer.alloc(3_000_000, 'b');
  for (let i = 0; i < fromA.length; i += 2) fromA[i] = 0x30 + ((i / 2) % 10);
  a.socket.end(fromA);
  b.socket.end(fromB);
  await until(() => line.link.queuedBytes === 1024 * 1024);
  const again = await Peer.listen(port);
  await until(() => Buffer.concat(again.received).length >= 8_000_000);
  const arrived = Buffer.concat(again.received);
  expect(arrived.length).toBe(8_000_000);
  expect(Buffer.from(arrived.filter((byte) => byte !== 0x62)).equals(fromA)).toBe(true);
}, 60_000);
