import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { ByteConnection, ByteLink, ConnectionEvents } from '../byte-link.ts';
import { rfc2217Link } from './rfc2217.ts';
import { telnetLink } from './telnet.ts';

const [IAC, DO, WILL, SB, SE, comPort, ask] = [255, 253, 251, 250, 240, 44, 106];
const repeated = (bytes: readonly number[]) => Buffer.alloc(60_000, Buffer.from(bytes));
const signal = new AbortController().signal;

/** A far end that sends whatever the test says, and a near end that was told to wait or not. */
function wire() {
  let events: ConnectionEvents | undefined;
  let isPaused = false;
  const connection: ByteConnection = {
    start: (given) => {
      events = given;
    },
    write: (bytes) => {
      // Agrees to everything that it is offered or told.
      const answer = Uint8Array.from(bytes);
      if (answer[1] === WILL) answer[1] = DO;
      else if (answer[1] === SB) answer[3] = (answer[3] ?? 0) + 100;
      else return;
      queueMicrotask(() => events?.data(answer));
    },
    pendingBytes: 0,
    pause: () => {
      isPaused = true;
    },
    resume: () => {
      isPaused = false;
    },
    sendBreak: async () => {},
    end: async () => {},
    destroy: () => {},
  };
  const link: ByteLink = { target: 'a test', open: async () => connection };
  return { link, send: (bytes: Uint8Array) => events?.data(bytes), isPaused: () => isPaused };
}

const ignored: ConnectionEvents = { data: () => {}, drain: () => {}, notice: () => {}, close: () => {} };

test.each([
  ['proposals', telnetLink, repeated([IAC, WILL, 7, IAC, DO, 9])],
  ['bytes that are escaped', telnetLink, repeated([IAC, IAC])],
  ['carriage returns', telnetLink, repeated([13, 0])],
  ['what a line reports', rfc2217Link, repeated([IAC, SB, comPort, ask, 1, IAC, SE])],
])('a far end that sends nothing but %s is read no further in this turn', async (_, linkOver, flood) => {
  const { link, send, isPaused } = wire();
  const connection = await linkOver(link).open(signal);
  connection.start(ignored);
  await nextTurn();
  expect(isPaused()).toBe(false);
  send(flood);
  expect(isPaused()).toBe(true);
  await vi.waitFor(() => expect(isPaused()).toBe(false));
  // Who wants nothing more now gets nothing in the next turn, either.
  send(flood);
  connection.pause();
  await nextTurn();
  await nextTurn();
  expect(isPaused()).toBe(true);
  connection.resume();
  await vi.waitFor(() => expect(isPaused()).toBe(false));
});

test('plain text is not held up', async () => {
  const { link, send, isPaused } = wire();
  const connection = await telnetLink(link).open(signal);
  connection.start(ignored);
  for (let round = 0; round < 20; round++) send(Buffer.alloc(60_000, 'text\r\n'));
  expect(isPaused()).toBe(false);
});
