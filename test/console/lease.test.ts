import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { Guest } from '../support/guest.ts';
import { subscribe } from '../support/mcp-servers.ts';
import { program } from '../support/sandbox.ts';
import { Desk } from './desk.ts';

const patience = { timeout: 60_000, interval: 100 };

// A process that is kept from printing for four seconds is one that does not print.
test('a console that is recorded, subscribed to or printing stays; one that nobody uses goes', {
  retry: 3,
}, async () => {
  await using desk = await Desk.open(['--idle-timeout', '4']);
  await using guest = await Guest.listen();
  await desk.start({ port: guest.port, record: join(desk.sandbox.dir, 'all.rec') }, 'recorded');
  await desk.start({ port: guest.port }, 'subscribed');
  await subscribe(desk.client, 'console://subscribed/subscribed/output');
  const chatty = await Guest.listen();
  await desk.start({ port: chatty.port }, 'printing');
  await chatty.connected();
  const chatter = setInterval(() => void chatty.print('tick\r\n'), 100);
  try {
    // Whoever is not used is gone twice over before the others have been looked at for the last time.
    for (const name of ['unused-1', 'unused-2']) {
      await desk.start({ port: guest.port }, name);
      await vi.waitFor(async () => expect(await desk.ask('machine_list')).not.toContain(name), patience);
    }
    const list = await desk.ask('machine_list');
    for (const name of ['recorded', 'subscribed', 'printing']) expect(list).toContain(`${name} LINK UP`);
  } finally {
    clearInterval(chatter);
  }
  await vi.waitFor(async () => expect(await desk.ask('machine_list')).not.toContain('printing'), patience);
  await chatty[Symbol.asyncDispose]();
});

test('a clock that jumps two hours ahead stops no console', async () => {
  await using guest = await Guest.listen();
  const clock = `
    const { now } = Date;
    let ahead = 0;
    Date.now = () => now() + ahead;
    process.on('SIGUSR2', () => { ahead = 2 * 3600 * 1000; });
  `;
  const jump = `data:text/javascript,${encodeURIComponent(clock)}`;
  await using desk = await Desk.openIn(process.execPath, ['--import', jump, program, '--idle-timeout', '60']);
  await desk.start({ port: guest.port });
  await desk.listed('console-1 LINK UP');
  process.kill(desk.client.pid, 'SIGUSR2');
  // What happens after the jump shows that there was one.
  await vi.waitFor(async () => {
    await desk.ask('machine_stop', { machine: await desk.start({ port: guest.port }, 'later') });
    const { events } = (await desk.json('events_read')) as { events: { at: number }[] };
    expect((events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0)).toBeGreaterThan(7_000_000);
  }, patience);
  const { machines } = (await desk.json('machine_list')) as { machines: { machine: string; idle_s: number }[] };
  expect(machines).toMatchObject([{ machine: 'console-1' }]);
  expect(machines[0]?.idle_s).toBeLessThan(60);
});
