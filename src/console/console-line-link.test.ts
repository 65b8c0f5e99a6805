import { afterEach, expect, test } from 'vitest';
import { commandLink } from '../links/serial/command-link.ts';
import { Client, cleanUp, lineTo, openLine, Peer, until } from './console-line-testing.ts';

afterEach(cleanUp);

test('the link drops and comes back: offsets go on, queued input arrives, events tell', async () => {
  const peer = await Peer.listen();
  const { line, events } = await lineTo(peer);
  const { port } = peer;
  const client = await Client.connect(line.humans.socketOut);
  await until(() => line.humans.watching === 1);
  await peer.send('before|');
  await until(() => client.bytes === 7);
  await peer.close();
  await until(() => line.link.state === 'down');
  await until(() => events.some(({ type }) => type === 'link_retry'));
  expect(line.link.lastError).toMatch(/refused/);
  expect(await line.write(Buffer.from('typed '), { mode: 'nonblocking' })).toEqual({
    written: 0,
    queued: 0,
    refused: 6,
  });
  expect(await line.write(Buffer.from('while '), { mode: 'buffered' })).toEqual({ written: 0, queued: 6, refused: 0 });
  expect(line.link.queuedBytes).toBe(6);
  const waiting = line.write(Buffer.from('down'), { mode: 'retry', timeoutMs: 15_000 });
  expect(Buffer.from(line.output.read(0, 100).bytes).toString()).toBe('before|');

  const again = await Peer.listen(port);
  expect(await waiting).toEqual({ written: 4, queued: 0, refused: 0 });
  await until(() => again.text === 'while down');
  expect(line.link).toMatchObject({ state: 'up', losses: 1, heardSinceUp: false, queuedBytes: 0 });
  await again.send('after');
  await until(() => client.bytes === 12);
  expect(client.all.toString()).toBe('before|after');
  expect(line.output.end).toBe(12);
  expect(line.link).toMatchObject({ heardSinceUp: true, bytesIn: 12, bytesOut: 10 });
  const types = events.map(({ type }) => type);
  expect(types.slice(0, 3)).toEqual(['link_up', 'link_lost', 'link_retry']);
  expect(types.at(-1)).toBe('link_up');
  // 20, 40, 80, 100 ms, however many attempts there were.
  expect(types.filter((type) => type === 'link_retry').length).toBeLessThanOrEqual(4);
});

test('when the other side ends for good, its last words stay and nothing is tried again', async () => {
  const link = commandLink({ command: ['sh', '-c', 'read line; printf "last $line"'] });
  const { line, events } = await openLine({ link });
  await until(() => line.link.state === 'up');
  const typist = await Client.connect(line.humans.socketIn);
  typist.socket.write('words\n');
  await until(() => line.link.state === 'ended');
  expect(events.map(({ type }) => type)).toEqual(['link_up', 'link_ended']);
  expect(Buffer.from(line.output.read(0, 100).bytes).toString()).toBe('last words');
  expect(await line.write(Buffer.from('?'), { mode: 'buffered' })).toEqual({ written: 0, queued: 0, refused: 1 });
  expect(await line.write(Buffer.from('?'), { mode: 'retry' })).toEqual({ written: 0, queued: 0, refused: 1 });
  await until(() => typist.socket.destroyed);
  const late = await Client.connect(line.humans.socketOut);
  await until(() => late.all.toString() === 'last words');
});

test('a break needs a link that is up and knows what a break is', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer);
  await expect(line.sendBreak(100)).rejects.toMatchObject({ type: 'UNAVAILABLE' });
  await peer.close();
  await until(() => line.link.state !== 'up');
  await expect(line.sendBreak(100)).rejects.toMatchObject({ type: 'LINK_DOWN' });
});

test.runIf(process.platform === 'linux')(
  'a port that comes back is taken at once, however long the wait was to be',
  async () => {
    const peer = await Peer.listen();
    const { line } = await lineTo(peer, { backoff: { firstMs: 600_000, maxMs: 600_000 } });
    const { port } = peer;
    await peer.close();
    await until(() => line.link.state === 'down');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(line.link.retryInMs).toBeGreaterThan(100_000);
    await Peer.listen(port);
    await until(() => line.link.state === 'up');
  },
);
