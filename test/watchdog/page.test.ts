import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { tokenProtocol, viewProtocol } from '../../src/view/channel.ts';
import { WatchdogDesk } from './desk.ts';
import { longestBlockMs } from './watch-benches.ts';

vi.setConfig({ testTimeout: 180_000 });

const farAway = 2 ** 53 - 1;

const reads = (tool: string, args: Readonly<Record<string, unknown>>) => Array(100).fill({ tool, arguments: args });

/** Everything that a page can say, at its worst, in the order of `PageCommand`. */
const worst: readonly Readonly<Record<string, unknown>>[] = [
  { type: 'watch', machine: 'm' },
  { type: 'watch', machine: 'x'.repeat(60_000) },
  { type: 'watch', machine: 'm', console: 'm' },
  { type: 'look', isLooking: true },
  { type: 'listen', isListening: true },
  { type: 'paste', text: 'x'.repeat(10_000) },
  { type: 'paste', text: 'x'.repeat(60_000) },
  { type: 'stopTyping' },
  { type: 'keys', keys: Array(32).fill('k'.repeat(64)) },
  { type: 'keys', keys: Array(10_000).fill('a') },
  { type: 'repeat', key: 'a' },
  { type: 'type', text: 'x'.repeat(32_000) },
  { type: 'break' },
  { type: 'joystick', port: farAway, directions: ['up'] },
  { type: 'moveTo', x: farAway, y: -farAway },
  { type: 'moveBy', dx: farAway, dy: farAway },
  { type: 'moveBy', dx: 32_767, dy: -32_767 },
  { type: 'buttons', buttons: Array(32).fill('left') },
  { type: 'wheel', clicks: farAway },
  { type: 'control', action: 'run' },
  { type: 'control', action: 'reset' },
  { type: 'control', action: 'pause' },
  { type: 'nonsense', deep: JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`) },
];

/** What a person can ask for beside that: reads by the hundred, each of them as large as it may be. */
const requests: readonly Readonly<Record<string, unknown>>[] = [
  { type: 'inspect', id: 1, machine: 'm', reads: reads('memory_read', { address: '0', length: 4096 }) },
  { type: 'inspect', id: 2, machine: 'm', reads: reads('disassemble', { address: '0', count: 500 }) },
  { type: 'inspect', id: 3, machine: 'm', reads: reads('memory_search', { pattern: '00 '.repeat(100) }) },
  { type: 'inspect', id: 4, machine: 'm', reads: reads('memory_read', { address: ' '.repeat(300) }) },
  { type: 'inspect', id: 5, machine: 'm', reads: reads('run', { frames: farAway }) },
  { type: 'inspect', id: 6, machine: 'x'.repeat(64), reads: reads('state_read', {}) },
  { type: 'inspect', id: 7, machine: 'm', reads: [...reads('state_read', {}), ...reads('state_read', {})] },
  { type: 'call', id: 8, tool: 'memory_search', arguments: { pattern: '00 '.repeat(300) }, isConfirmed: true },
  { type: 'entry', id: 9, seq: 1 },
  { type: 'earlier', before: 1 },
  { type: 'kinds' },
  { type: 'glimpses', isWanted: true },
  { type: 'upload', id: 10, name: 'u', part: 'A'.repeat(40_000), isLast: false },
  { type: 'take', machine: 'm' },
  { type: 'handBack', machine: 'm', note: 'n'.repeat(1000) },
  { type: 'rename', machine: 'm', title: 't'.repeat(64) },
];

async function openPage(desk: WatchdogDesk, hear: (message: string) => void): Promise<WebSocket> {
  const address = new URL('/view', desk.server.url);
  const token = Buffer.from(desk.server.token ?? '').toString('base64url');
  const protocols = [viewProtocol, `${tokenProtocol}${token}`];
  const socket = new WebSocket(address.href.replace('http', 'ws'), protocols, { headers: { origin: address.origin } });
  // The first message may come with the answer to the upgrade.
  socket.on('message', (message) => hear(String(message)));
  await once(socket, 'open');
  return socket;
}

test.for(['c64', 'dos'])('whatever a page says to a %s, the server answers others', { retry: 2 }, async (kind) => {
  await using desk = await WatchdogDesk.open();
  const started = await desk.call('machine_start', { kind, name: 'm' });
  expect(started.isError).toBe(false);
  let heard = 0;
  const socket = await openPage(desk, () => heard++);
  socket.send(JSON.stringify(worst[0]));
  const { watched } = await desk.watched(async () => {
    for (const request of requests) socket.send(JSON.stringify(request));
    for (let round = 0; round < 100; round++) for (const command of worst) socket.send(JSON.stringify(command));
    // A flood of the smallest there are, and of what is no command.
    for (let count = 0; count < 20_000; count++) socket.send(count % 2 === 0 ? '{"type":"break"}' : '{');
    const before = heard;
    await vi.waitFor(() => expect(heard).toBeGreaterThan(before + 3), { timeout: 60_000, interval: 100 });
  });
  expect(watched.longestBlockMs).toBeLessThan(longestBlockMs);
  expect(watched.residentMb).toBeLessThan(800);
  expect(watched.pings).toBeGreaterThan(0);
  socket.terminate();
  // Nothing of it is left: the next one is served.
  const messages: string[] = [];
  const other = await openPage(desk, (message) => messages.push(message));
  await vi.waitFor(() => expect(messages[0]).toContain('"type":"you"'), { timeout: 60_000 });
  other.terminate();
  expect((await desk.call('machine_list', {})).text).toContain('m ');
});
