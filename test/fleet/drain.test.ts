import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { Fleet } from '../support/fleet.ts';
import { httpClient } from '../support/mcp-client.ts';

const patience = { timeout: 60_000, interval: 50 };

test('a station that is drained ends at its deadline although a machine is left, and says so', async () => {
  await using fleet = await Fleet.open();
  const [station] = await Promise.all([fleet.station('a', '--drain-timeout', '3'), fleet.station('b')]);
  const client = await httpClient(await fleet.gateway(), 'modern');
  const start = (on: string) =>
    client.call('machine_start', { kind: 'c64', name: 'stays', options: { on, boot: false } });
  expect(await start('a')).toMatchObject({ isError: false });
  const ended = once(station, 'exit');
  station.kill('SIGTERM');
  await vi.waitFor(async () => expect((await client.call('machine_list')).text).toContain('takes no more'), patience);
  // Until then it serves what it has.
  expect(await client.call('step', { machine: 'stays' })).toMatchObject({ isError: false });
  expect(await ended).toEqual([0, null]);
  await vi.waitFor(
    async () => expect((await client.call('events_read')).text).toContain('stays machine_stopped: its server ended'),
    patience,
  );
  expect(await start('b')).toMatchObject({ isError: false });
  await client.close();
}, 180_000);

test('who wants a machine on a host that is drained hears that, and the station ends when its machines have', async () => {
  await using fleet = await Fleet.open();
  const [station] = await Promise.all([fleet.station('a', '--drain-timeout', '600'), fleet.station('b')]);
  const client = await httpClient(await fleet.gateway(), 'modern');
  const start = (name: string) =>
    client.call('machine_start', { kind: 'c64', name, options: { on: 'a', boot: false } });
  expect(await start('stays')).toMatchObject({ isError: false });
  const ended = once(station, 'exit');
  station.kill('SIGTERM');
  await vi.waitFor(async () => expect((await client.call('machine_list')).text).toContain('takes no more'), patience);
  const { text } = await start('late');
  expect(text).toMatch(/Host a is being shut down by its operator and takes no new machines\.\n.*Use another host: b,/);
  expect(await client.call('machine_stop', { machine: 'stays' })).toMatchObject({ isError: false });
  expect(await ended).toEqual([0, null]);
  await client.close();
}, 180_000);
