import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { Client, cleanUp, lineTo, numbered, Peer, parts, sha, until } from './console-line-testing.ts';

afterEach(cleanUp);

test('32 MB reach four clients and 4 MB the machine, at once and byte for byte', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer);
  const clients = await Promise.all([1, 2, 3, 4].map(() => Client.connect(line.humans.socketOut)));
  await until(() => line.humans.watching === 4);
  const input = await Client.connect(line.humans.socketIn);
  const out = randomBytes(32 * 1024 * 1024);
  const back = randomBytes(4 * 1024 * 1024);
  input.socket.write(back);
  await peer.send(out);
  await until(() => clients.every((client) => client.bytes >= out.length));
  await until(() => Buffer.concat(peer.received).length >= back.length);
  for (const client of clients) expect(sha(client.all)).toBe(sha(out));
  expect(sha(Buffer.concat(peer.received))).toBe(sha(back));
  expect(line.output.end).toBe(out.length);
  expect(line.link).toMatchObject({ state: 'up', bytesIn: out.length, bytesOut: back.length, queuedBytes: 0 });
}, 60_000);

test('every byte value and cut characters pass unchanged, live', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer);
  const client = await Client.connect(line.humans.socketOut);
  await until(() => line.humans.watching === 1);
  peer.socket.setNoDelay(true);
  const everything = Buffer.concat([
    Buffer.from(Array.from({ length: 256 }, (_, i) => i)),
    Buffer.from('€ 世 🛜\x1b[6n'),
  ]);
  for (const byte of everything) {
    await peer.send(Uint8Array.of(byte));
    await new Promise(setImmediate);
  }
  await until(() => client.bytes >= everything.length);
  expect(client.all.equals(everything)).toBe(true);
});

test('a filtered line keeps hostile sequences from its clients, but not from the ring', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer, { filter: true });
  const client = await Client.connect(line.humans.socketOut);
  await until(() => line.humans.watching === 1);
  await peer.send('a\x1b]52;c;AA');
  await until(() => client.bytes > 0);
  await peer.send('AA\x07\x1b[6n\x1b[1mb');
  await until(() => client.bytes >= 6);
  expect(client.all.toString()).toBe('a\x1b[1mb');
  expect(Buffer.from(line.output.read(0, 100).bytes).toString()).toBe('a\x1b]52;c;AAAA\x07\x1b[6n\x1b[1mb');
});

test('a client that never reads costs the others nothing; its gap is counted to the byte', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer, { ringBytes: 1024 * 1024, stallMs: 50 });
  const stalled = await Client.connect(line.humans.socketOut, { reading: false });
  const fast = await Client.connect(line.humans.socketOut);
  await until(() => line.humans.watching === 2);
  const total = 24 * 1024 * 1024;
  const all = numbered(0, total);
  await peer.send(all);
  await until(() => fast.bytes >= total);
  expect(fast.all.equals(all)).toBe(true);

  stalled.read();
  const end = () => {
    const last = parts(stalled.all).at(-1);
    return (last?.offset ?? 0) + (last?.bytes.length ?? 0);
  };
  await until(() => end() >= total);
  expect(end()).toBe(total);
  const received = parts(stalled.all);
  expect(received.length).toBeGreaterThan(1);
  for (const { bytes, offset } of received)
    expect(bytes.equals(all.subarray(offset, offset + bytes.length))).toBe(true);

  await peer.send('back in step');
  await until(() => stalled.all.includes('back in step'));
}, 60_000);

test('with flow "hold" the line waits for a slow client and nothing is lost', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer, { ringBytes: 64 * 1024, stallMs: 10, flow: 'hold' });
  const slow = await Client.connect(line.humans.socketOut, { reading: false });
  await until(() => line.humans.watching === 1);
  const all = numbered(0, 16 * 1024 * 1024);
  peer.socket.write(all);
  await until(() => line.output.end > 64 * 1024);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(line.output.end).toBeLessThan(all.length);
  slow.read();
  await until(() => slow.bytes >= all.length);
  expect(slow.all.equals(all)).toBe(true);
}, 60_000);

test('a ring smaller than a chunk loses nothing for a client that keeps up', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer, { ringBytes: 4096, stallMs: 5000 });
  const client = await Client.connect(line.humans.socketOut);
  await until(() => line.humans.watching === 1);
  const all = numbered(0, 4 * 1024 * 1024);
  peer.socket.write(all);
  await until(() => client.bytes >= all.length);
  expect(client.all.equals(all)).toBe(true);
  expect(line.output.start).toBe(all.length - 4096);
});

test('who comes late gets 60 lines and then everything, without a hole and without a byte twice', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer);
  const all = numbered(0, 16 * 3000);
  await peer.send(all.subarray(0, 16 * 1000));
  await until(() => line.output.end === 16 * 1000);
  let sent = 16 * 1000;
  const clients: Client[] = [];
  while (sent < all.length) {
    await peer.send(all.subarray(sent, sent + 160));
    sent += 160;
    if (sent % 4000 === 0) clients.push(await Client.connect(line.humans.socketOut));
  }
  await until(() => clients.every((client) => client.all.subarray(-16).equals(all.subarray(-16))));
  expect(clients.length).toBe(8);
  for (const client of clients) {
    const first = Number.parseInt(client.all.subarray(0, 15).toString().replaceAll('.', ''), 10);
    expect(client.all.equals(all.subarray(first * 16))).toBe(true);
  }
});

test('history is exactly the last 60 lines and asks the terminal nothing; what follows is raw', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer);
  const lines = Array.from({ length: 100 }, (_, i) => `line ${i}\x1b[6n\r\n`);
  await peer.send(`${lines.join('')}# \x1b]0;ti`);
  const sent = Buffer.byteLength(lines.join('')) + 8;
  await until(() => line.output.end === sent);
  const client = await Client.connect(line.humans.socketOut);
  const history = `${lines.slice(41).join('').replaceAll('\x1b[6n', '')}# `;
  await until(() => client.bytes >= history.length);
  await peer.send('tle\x07now\x1b[6n');
  await until(() => client.all.includes('now\x1b[6n'));
  expect(client.all.toString()).toBe(`${history}now\x1b[6n`);
});
