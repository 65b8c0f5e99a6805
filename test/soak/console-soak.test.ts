import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { ConsoleLine } from '../../src/console/console-line.ts';
import { tcpLink } from '../../src/links/serial/tcp-link.ts';
import type { ReportedEvent } from '../../src/machine/events.ts';
import type { ClientsReport, MachineOrder, MachineReport } from './messages.ts';
import { blockBytes } from './stream.ts';

/** 1,024 blocks of numbered lines and 64 of random bytes. */
const totalBytes = 1088 * blockBytes;
const typedBytes = 64 * blockBytes;
const drops = 10;
const dropEveryBytes = 90 * blockBytes + 777;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function startProcess(file: string, args: readonly (string | number)[]): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = fork(path, args.map(String), {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  cleanups.push(() => child.kill('SIGKILL'));
  return child;
}

/** The next message of that type; a process that dies instead is an error. */
function message<M extends { readonly type: string }, T extends M['type']>(child: ChildProcess, type: T) {
  return new Promise<Extract<M, { readonly type: T }>>((resolve, reject) => {
    const listener = (received: M) => {
      if (!isOfType(received, type)) return;
      child.off('message', listener);
      resolve(received);
    };
    child.on('message', listener);
    child.once('exit', (code) => reject(new Error(`process ended with ${code} before ${type}`)));
  });
}

function isOfType<M extends { readonly type: string }, T extends M['type']>(
  received: M,
  type: T,
): received is Extract<M, { readonly type: T }> {
  return received.type === type;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

test('a gigabyte to four clients and 64 MB back, over a link that drops ten times: all there or counted', async () => {
  const machine = startProcess('./machine-process.ts', [totalBytes, dropEveryBytes, drops]);
  const { port } = await message<MachineReport, 'listening'>(machine, 'listening');
  const runtimeDir = mkdtempSync(join(tmpdir(), 'fp-'));
  cleanups.push(() => rmSync(runtimeDir, { recursive: true, force: true }));

  const events: ReportedEvent[] = [];
  const none = () => Promise.reject(new Error('not part of this test'));
  let clientsReady = false;
  // After a drop the machine goes on with the first byte that the link did not deliver.
  const say = () => machine.send({ type: 'say', from: line.output.end } satisfies MachineOrder);
  const line = await ConsoleLine.open({
    name: 'soak',
    runtimeDir,
    link: tcpLink({ host: '127.0.0.1', port }),
    backoff: { firstMs: 20, maxMs: 100 },
    report: (event) => {
      events.push(event);
      if (event.type === 'link_up' && clientsReady) say();
    },
    parts: () => ({
      screen: { read: none, readStyled: none, resize: none },
      recording: { status: undefined, start: none, stop: none, mark: () => {}, exportAsciicast: none },
      openTerminal: none,
      restart: () => {},
      taps: [],
    }),
  });
  cleanups.push(() => line.close());

  const clients = startProcess('./clients-process.ts', [line.socketIn, line.socketOut, totalBytes, typedBytes]);
  const done = message<ClientsReport, 'done'>(clients, 'done');
  await vi.waitUntil(() => line.humans.watching === 4 && line.link.state === 'up', { timeout: 60_000 });
  clientsReady = true;
  say();

  const results = (await done).clients;
  expect(results.map(({ error }) => error)).toEqual([undefined, undefined, undefined, undefined]);
  expect(results.map(({ offset }) => offset)).toEqual([totalBytes, totalBytes, totalBytes, totalBytes]);
  for (const { verifiedBytes, gapBytes } of results) expect(verifiedBytes + gapBytes).toBe(totalBytes);
  expect(results[3]?.gaps).toBeGreaterThan(0);
  expect(line.output.end).toBe(totalBytes);
  expect(line.link).toMatchObject({ bytesIn: totalBytes, losses: drops });
  expect(events.filter(({ type }) => type === 'link_lost')).toHaveLength(drops);

  await vi.waitUntil(() => line.link.queuedBytes === 0, { timeout: 60_000 });
  const lost = events.filter(({ type }) => type === 'link_lost').map(({ data }) => Number(data?.unsentBytes));
  const heard = await vi.waitUntil(
    async () => {
      const answer = message<MachineReport, 'heard'>(machine, 'heard');
      machine.send({ type: 'report' } satisfies MachineOrder);
      const { heard } = await answer;
      return heard.at(-1)?.to === typedBytes && heard;
    },
    { timeout: 60_000, interval: 100 },
  );
  expect(heard.map(({ error }) => error)).toEqual(heard.map(() => undefined));
  // What is missing between two connections was lost with the first; after farewells no more than was reported.
  let reached = 0;
  let missing = 0;
  let mostLost: number | undefined = 0;
  for (const [i, { from, to, gracefulEnd }] of heard.entries()) {
    // A connection may end before anything has come through it.
    if (from !== undefined) {
      const hole = from - reached;
      expect(hole, `bytes before those of connection ${i}`).toBeGreaterThanOrEqual(0);
      if (mostLost !== undefined) expect(hole).toBeLessThanOrEqual(mostLost);
      missing += hole;
      reached = to;
      mostLost = 0;
    }
    mostLost = gracefulEnd && mostLost !== undefined ? mostLost + (lost[i] ?? 0) : undefined;
  }
  expect(reached).toBe(typedBytes);
  expect(sum(heard.map(({ from = 0, to }) => to - from)) + missing).toBe(typedBytes);
  expect(line.link.bytesOut).toBe(typedBytes - sum(lost));
}, 180_000);
