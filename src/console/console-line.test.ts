import { spawn } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { cleanUp, lineTo, numbered, Peer, until, whenOver } from './console-line-testing.ts';

afterEach(cleanUp);

test('activity is told once for many chunks, and readers each have a cursor', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer, { ringBytes: 4096 });
  let calls = 0;
  const off = line.onActivity(() => calls++);
  await peer.send(numbered(0, 1_000_000));
  await until(() => line.output.end === 1_000_000 && calls > 0);
  expect(calls).toBeLessThan(1000);
  expect(line.cursor('agent')).toBe(1_000_000 - 4096);
  line.setCursor('agent', 999_999);
  line.setCursor('other', 2_000_000);
  expect([line.cursor('agent'), line.cursor('other'), line.cursor('third')]).toEqual([999_999, 1_000_000, 995_904]);
  await new Promise(setImmediate);
  off();
  calls = 0;
  await peer.send('x');
  await until(() => line.output.end === 1_000_001);
  await new Promise(setImmediate);
  expect(calls).toBe(0);
});

test('parts know the ring and the sockets: taps see every chunk with its offset, windows are known while they last', async () => {
  const peer = await Peer.listen();
  const seen: Buffer[] = [];
  let next = 0;
  const none = () => Promise.reject(new Error('not part of this test'));
  const { line } = await lineTo(peer, {
    parts: ({ output, socketOut }) => ({
      screen: { read: none, readStyled: none, resize: none },
      recording: { status: undefined, start: none, stop: none, mark: () => {}, exportAsciicast: none },
      openTerminal: async (name) => {
        const window = spawn('sleep', ['60'], { stdio: 'ignore' });
        whenOver(() => window.kill());
        return { terminal: name, command: ['attach', socketOut], pid: window.pid ?? 0, close: () => window.kill() };
      },
      restart: () => {},
      taps: [
        (offset, bytes) => {
          expect([offset, output.end]).toEqual([next, next + bytes.length]);
          next += bytes.length;
          seen.push(Buffer.from(bytes));
        },
      ],
    }),
  });
  const all = numbered(0, 3_000_000);
  await peer.send(all);
  await until(() => next === all.length);
  expect(Buffer.concat(seen).equals(all)).toBe(true);
  expect(line.humans.window).toBeUndefined();
  const window = await line.humans.openTerminal('xterm');
  expect(window).toMatchObject({ terminal: 'xterm', command: ['attach', line.humans.socketOut] });
  expect(line.humans.window).toEqual(window);
  process.kill(window.pid ?? 0);
  await until(() => line.humans.window === undefined);
});
