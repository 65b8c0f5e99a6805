import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { answers, requests } from '../../src/gym/gym-connection.ts';
import { GymServer } from '../../src/gym/gym-server.ts';

let folder: string;
let server: GymServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fp-gym-'));
  server = await GymServer.listen(join(folder, 'gym'), []);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const patience = { timeout: 60_000, interval: 10 };
const head = (length: number, type: number) => Buffer.from(Uint32Array.of(length, type).buffer);
const request = (type: number, body: string | Uint8Array) => {
  const bytes = Buffer.from(body);
  return Buffer.concat([head(bytes.length, type), bytes]);
};

/** A client that hears everything, or nothing. */
class Peer implements Disposable {
  readonly socket: Socket = connect(join(folder, 'gym'));
  heard = Buffer.alloc(0);
  isClosed = false;

  constructor(hears = true) {
    this.socket
      .on('error', () => {})
      .on('close', () => {
        this.isClosed = true;
      });
    if (hears) {
      this.socket.on('data', (chunk: Buffer) => {
        this.heard = Buffer.concat([this.heard, chunk]);
      });
    }
  }

  /** Type and text of the answer with that number. */
  async answer(index: number): Promise<readonly [type: number, text: string]> {
    return vi.waitFor(() => {
      let at = 0;
      for (let n = 0; n < index; n++) at += 8 + this.heard.readUInt32LE(at);
      const length = this.heard.readUInt32LE(at);
      if (this.heard.length < at + 8 + length) throw new Error('not yet');
      return [this.heard.readUInt32LE(at + 4), this.heard.toString('utf8', at + 8, at + 8 + length)] as const;
    }, patience);
  }

  closed(): Promise<void> {
    return vi.waitFor(() => expect(this.isClosed).toBe(true), patience);
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}

const small = JSON.stringify({
  ...{ kind: 'c64', options: { roms: 'own', boot: false }, frames: 1 },
  observe: { memory: [{ address: 0, length: 65_536 }] },
});

test.for([
  ['the first', requests.open, 5_000_000],
  ['a step', requests.step, 100_000],
  ['one that there is not', 99, 100_000],
  ['a restore', requests.restore, 0xffffffff],
] as const)('a request that is too long is refused before it has come: %s', async ([, type, length]) => {
  using peer = new Peer();
  peer.socket.write(head(length, type));
  expect(await peer.answer(0)).toEqual([answers.error, expect.stringContaining('are the most')]);
  await peer.closed();
});

test('observations of too many environments are refused before there is memory for them', async () => {
  using peer = new Peer();
  const pixels = { width: 1024, height: 1024, grey: false };
  peer.socket.write(request(requests.open, JSON.stringify({ kind: 'c64', count: 4096, observe: { pixels } })));
  expect(await peer.answer(0)).toEqual([answers.error, expect.stringContaining('1 GB is the most')]);
});

test('options are one object, and do not say what may be read', async () => {
  using peer = new Peer();
  const bodies = ['5', 'null', '"read"', '[]', JSON.stringify({ kind: 'c64', read: ['/'] }), '{"colour":1}'];
  for (const body of bodies) peer.socket.write(request(requests.open, body));
  for (const index of [0, 1, 2, 3]) expect((await peer.answer(index))[1]).toMatch(/one JSON object of options/);
  expect((await peer.answer(4))[1]).toMatch(/read.{0,2} is for who starts the server to say/);
  expect((await peer.answer(5))[1]).toMatch(/There are: kind, options, .*autoreset\./);
});

test('requests in single bytes, and noise between them, are each answered', async () => {
  using peer = new Peer();
  for (const byte of request(requests.step, 'x')) {
    await new Promise((resolve) => peer.socket.write(Buffer.of(byte), resolve));
  }
  expect(await peer.answer(0)).toEqual([answers.error, expect.stringContaining('open environments first')]);
  peer.socket.write(Buffer.concat([request(requests.open, '{{'), request(77, ''), request(requests.open, small)]));
  expect((await peer.answer(1))[0]).toBe(answers.error);
  expect((await peer.answer(2))[0]).toBe(answers.error);
  expect((await peer.answer(3))[0]).toBe(answers.text);
  for (const body of ['', 'abcd', '\0\0\0\0', '\xff\xff\xff\x7f']) {
    peer.socket.write(request(requests.restore, Buffer.from(body, 'latin1')));
  }
  for (const index of [4, 5, 6, 7]) expect((await peer.answer(index))[0]).toBe(answers.error);
  peer.socket.write(request(requests.step, Uint8Array.of(0)));
  expect((await peer.answer(8))[0]).toBe(answers.step);
});

test('nothing more is read from a client that does not read, and others go on', async () => {
  using deaf = new Peer(false);
  deaf.socket.write(request(requests.open, small));
  const reset = request(requests.reset, '{}'.padEnd(60_000));
  for (let round = 0; round < 400; round++) deaf.socket.write(reset);
  using peer = new Peer();
  peer.socket.write(request(requests.open, small));
  for (let round = 1; round <= 100; round++) {
    peer.socket.write(reset);
    expect((await peer.answer(round))[0]).toBe(answers.step);
  }
  expect(deaf.socket.writableLength).toBeGreaterThan(10_000_000);
});

test('long requests of many clients that never end are refused where their room is used up, and given back', async () => {
  const mib = 1024 * 1024;
  const restore = head(256 * mib, requests.restore);
  const peers = Array.from({ length: 4 }, () => new Peer());
  for (const peer of peers) {
    // The rest of this piece has been read when its first request is answered.
    peer.socket.write(Buffer.concat([request(requests.step, ''), restore]));
    await peer.answer(0);
  }
  using late = new Peer();
  late.socket.write(restore);
  expect(await late.answer(0)).toEqual([answers.error, expect.stringContaining('beside those of other clients')]);
  await late.closed();
  for (const peer of peers) {
    expect(peer.isClosed).toBe(false);
    peer[Symbol.dispose]();
  }
  await vi.waitFor(async () => {
    using next = new Peer();
    next.socket.write(Buffer.concat([head(2 * mib, requests.restore), Buffer.alloc(2 * mib)]));
    expect(await next.answer(0)).toEqual([answers.error, expect.stringContaining('open environments first')]);
  }, patience);
});

test.for([0, 2])(
  'a client that goes while its environments are made has none of them made any more: %i threads',
  async (threads) => {
    vi.stubEnv('TMPDIR', folder);
    const made = () => readdirSync(folder).filter((name) => name.startsWith('frontpanel-gym-')).length;
    await vi.waitFor(() => expect(made()).toBe(0), patience);
    const peer = new Peer();
    peer.socket.write(request(requests.open, JSON.stringify({ ...JSON.parse(small), count: 4096, threads })));
    await vi.waitFor(() => expect(made()).toBeGreaterThan(0), patience);
    peer[Symbol.dispose]();
    await vi.waitFor(() => expect(made()).toBe(0), patience);
    using next = new Peer();
    next.socket.write(request(requests.open, small));
    expect((await next.answer(0))[0]).toBe(answers.text);
  },
);
