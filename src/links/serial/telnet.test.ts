import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ByteConnection } from '../byte-link.ts';
import { eventually, Listener, never, randomPieces } from './link-testing.ts';
import { tcpLink } from './tcp-link.ts';
import { telnetLink } from './telnet.ts';
import { TelnetCodec } from './telnet-codec.ts';

const IAC = 255;
const DONT = 254;
const DO = 253;
const WONT = 252;
const WILL = 251;
const SB = 250;
const SE = 240;
const binaryBothWays = Uint8Array.of(IAC, WILL, 0, IAC, DO, 0);

/** A codec, what it answered, and what it let through. */
function side(): { codec: TelnetCodec; replies: number[]; decode: (...bytes: number[]) => number[] } {
  const replies: number[] = [];
  const codec = new TelnetCodec((bytes) => replies.push(...bytes));
  return { codec, replies, decode: (...bytes) => [...codec.decode(Uint8Array.from(bytes))] };
}

/** Bytes among which those that mean something are frequent. */
const interestingBytes = fc.array(
  fc.oneof(fc.constantFrom(IAC, 13, 10, 0, SB, SE, WILL, DO), fc.integer({ min: 0, max: 255 })),
  { maxLength: 200 },
);

function cut(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const length of lengths) {
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  pieces.push(bytes.subarray(at));
  return pieces;
}

const cuts = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 });

describe('any bytes, cut anywhere, survive', () => {
  test.each([false, true])('with BINARY: %s', (binary) => {
    fc.assert(
      fc.property(interestingBytes, cuts, cuts, (values, writes, reads) => {
        const [here, there] = [side(), side()];
        if (binary) {
          here.codec.decode(binaryBothWays);
          there.codec.decode(binaryBothWays);
        }
        const wire = cut(Uint8Array.from(values), writes).flatMap((piece) => [...here.codec.encode(piece)]);
        const arrived = cut(Uint8Array.from(wire), reads).flatMap((piece) => [...there.codec.decode(piece)]);
        expect(arrived).toEqual(values);
      }),
    );
  });

  test('with commands in between, which leave no trace', () => {
    const command = fc.oneof(
      fc.constantFrom([IAC, 241], [IAC, 242], [IAC, 249], [IAC, SE]),
      fc.tuple(fc.constantFrom(WILL, WONT, DO, DONT), fc.integer({ min: 1, max: 255 })).map((pair) => [IAC, ...pair]),
      fc
        .array(fc.integer({ min: 0, max: 254 }), { maxLength: 20 })
        .map((content) => [IAC, SB, 24, ...content, IAC, IAC, 1, IAC, SE]),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(interestingBytes, command), { maxLength: 10 }), cuts, (parts, reads) => {
        const [here, there] = [side(), side()];
        const wire = parts.flatMap(([values, between]) => [...here.codec.encode(Uint8Array.from(values)), ...between]);
        const arrived = cut(Uint8Array.from(wire), reads).flatMap((piece) => [...there.codec.decode(piece)]);
        expect(arrived).toEqual(parts.flatMap(([values]) => values));
      }),
    );
  });

  test('and garbage neither throws nor grows', () => {
    fc.assert(
      fc.property(interestingBytes, cuts, (values, reads) => {
        const { codec } = side();
        for (const piece of cut(Uint8Array.from(values), reads)) {
          expect(codec.decode(piece).length).toBeLessThanOrEqual(piece.length);
        }
      }),
    );
  });
});

describe('options', () => {
  test('BINARY, ECHO and SGA are welcome from the other side, BINARY and SGA from here', () => {
    const { decode, replies } = side();
    expect(decode(IAC, WILL, 0, IAC, WILL, 1, IAC, WILL, 3, IAC, DO, 0, IAC, DO, 3)).toEqual([]);
    expect(replies).toEqual([IAC, DO, 0, IAC, DO, 1, IAC, DO, 3, IAC, WILL, 0, IAC, WILL, 3]);
  });

  test('all others are refused, once', () => {
    const { decode, replies } = side();
    decode(IAC, DO, 24, IAC, DO, 31, IAC, WILL, 38, IAC, DO, 1);
    expect(replies).toEqual([IAC, WONT, 24, IAC, WONT, 31, IAC, DONT, 38, IAC, WONT, 1]);
    decode(IAC, DO, 24, IAC, WILL, 38, IAC, DONT, 24, IAC, WONT, 38);
    expect(replies).toHaveLength(12);
  });

  test('what is agreed is not answered again, and can be taken back', () => {
    const { decode, replies } = side();
    decode(IAC, WILL, 0, IAC, WILL, 0, IAC, WONT, 0, IAC, WONT, 0, IAC, DONT, 0);
    expect(replies).toEqual([IAC, DO, 0, IAC, DONT, 0]);
  });

  test('two of us never answer each other for ever', () => {
    const toHere: number[] = [];
    const toThere: number[] = [];
    const here = new TelnetCodec((bytes) => toThere.push(...bytes));
    const there = new TelnetCodec((bytes) => toHere.push(...bytes));
    for (let option = 0; option < 256; option++) toHere.push(IAC, WILL, option, IAC, DO, option);
    let rounds = 0;
    while (toHere.length + toThere.length > 0) {
      here.decode(Uint8Array.from(toHere.splice(0)));
      there.decode(Uint8Array.from(toThere.splice(0)));
      expect(++rounds).toBeLessThan(5);
    }
  });

  test('a peer that haggles without end gets a bounded number of answers', () => {
    const { decode, replies } = side();
    for (let round = 0; round < 5000; round++) decode(IAC, WILL, 0, IAC, WONT, 0);
    expect(replies).toHaveLength(3 * 1024);
  });
});

describe('text and binary', () => {
  test('a lone CR travels as CR NUL until BINARY is agreed', () => {
    const { codec, decode } = side();
    expect([...codec.encode(Buffer.from('a\r'))]).toEqual([97, 13, 0]);
    expect([...codec.encode(Buffer.from('a\r\nb\rc'))]).toEqual([97, 13, 10, 98, 13, 0, 99]);
    expect(decode(13)).toEqual([13]);
    expect(decode(0, 0)).toEqual([0]);
    expect(decode(13, IAC, 241, 0, 65)).toEqual([13, 65]);
    decode(...binaryBothWays);
    expect([...codec.encode(Buffer.from('a\r'))]).toEqual([97, 13]);
    expect(decode(13, 0)).toEqual([13, 0]);
  });

  test('bytes without anything special are passed on as they are', () => {
    const { codec } = side();
    const bytes = Buffer.from('plain\r\n');
    expect(codec.encode(bytes)).toBe(bytes);
    expect(codec.decode(bytes)).toBe(bytes);
  });
});

test('a subnegotiation without end swallows 64 KiB and no more', () => {
  const { codec } = side();
  codec.decode(Uint8Array.of(IAC, SB));
  let through = 0;
  for (let round = 0; round < 200; round++) through += codec.decode(new Uint8Array(1024).fill(65)).length;
  expect(through).toBe(200 * 1024 - 64 * 1024);
});

test('a command inside a subnegotiation ends it', () => {
  const { decode, replies } = side();
  expect(decode(IAC, SB, 24, 1, 2, IAC, DO, 24, 65)).toEqual([65]);
  expect(replies).toEqual([IAC, WONT, 24]);
});

describe('over a socket', () => {
  let server: Server;
  let accepted: Promise<Socket>;
  let connection: ByteConnection | undefined;

  beforeEach(async () => {
    server = createServer();
    accepted = new Promise((resolve) => server.once('connection', resolve));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(async () => {
    connection?.destroy();
    (await accepted).destroy();
    server.close();
    await once(server, 'close');
  });

  async function connect(): Promise<{ listener: Listener; peer: Socket; connection: ByteConnection }> {
    const link = telnetLink(tcpLink({ host: '127.0.0.1', port: (server.address() as AddressInfo).port }));
    expect(link.target).toMatch(/^telnet over tcp 127\.0\.0\.1:\d+$/);
    const opened = await link.open(never());
    connection = opened;
    return { connection: opened, listener: new Listener(opened), peer: await accepted };
  }

  test('random bytes both ways at once, with a peer that speaks telnet too', async () => {
    const { connection, listener, peer } = await connect();
    const far = new TelnetCodec((bytes) => peer.write(bytes));
    const atPeer: Buffer[] = [];
    let atPeerBytes = 0;
    peer.on('data', (chunk) => {
      const data = far.decode(chunk);
      atPeer.push(Buffer.from(data));
      atPeerBytes += data.length;
    });
    peer.write(Uint8Array.of(IAC, WILL, 1, IAC, WILL, 3));
    const out = randomPieces(1024 * 1024);
    const back = randomPieces(1024 * 1024);
    for (const piece of back.pieces) peer.write(Buffer.from(far.encode(piece)));
    for (const piece of out.pieces) connection.write(piece);
    await listener.until(() => listener.receivedBytes >= back.all.length);
    await eventually(() => atPeerBytes >= out.all.length);
    expect(listener.received.equals(back.all)).toBe(true);
    expect(Buffer.concat(atPeer).equals(out.all)).toBe(true);
  });

  test('BREAK is IAC BRK, in its place among the bytes', async () => {
    const { connection, peer } = await connect();
    connection.write(Buffer.from('a'));
    await connection.sendBreak(250);
    connection.write(Buffer.from('b'));
    const received: Buffer[] = [];
    peer.on('data', (chunk) => received.push(chunk));
    await connection.end(1000);
    await eventually(() => peer.readableEnded);
    expect([...Buffer.concat(received)]).toEqual([97, IAC, 243, 98]);
  });

  test('closes with the reason of what is below', async () => {
    const { listener, peer } = await connect();
    peer.end();
    expect((await listener.closed()).text).toBe('the other side closed the connection');
  });
});
