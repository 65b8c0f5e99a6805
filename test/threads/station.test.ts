import { expect, test, vi } from 'vitest';
import { Fleet } from '../support/fleet.ts';
import { httpClient } from '../support/mcp-client.ts';

test('a gateway lists the machines of a station that has them in threads as it lists all others', async () => {
  await using fleet = await Fleet.open();
  await Promise.all([fleet.station('plain', '--threads', '0'), fleet.station('threaded', '--threads', '1')]);
  await using client = await httpClient(await fleet.gateway(), 'modern');
  const lists = async (host: string) => {
    const name = `on-${host}`;
    const same = (text: string) => text.replaceAll(name, 'NAME').replaceAll(host, 'HOST');
    await client.call('machine_start', { kind: 'c64', name, options: { on: host, boot: false } });
    const [text, data] = [await client.call('machine_list'), await client.call('machine_list', { format: 'json' })];
    await client.call('machine_stop', { machine: name });
    const { machines } = JSON.parse(data.text) as { machines: readonly Record<string, unknown>[] };
    return [same(text.text.split('\nHosts:')[0] ?? ''), same(JSON.stringify({ ...machines[0], idle_s: 0 }))];
  };
  const plain = await lists('plain');
  expect(plain[0]).toContain('can: control');
  expect(await lists('threaded')).toEqual(plain);

  await client.call('machine_start', { kind: 'c64', name: 'm', options: { on: 'threaded' } });
  const stop = new AbortController();
  const running = client.call('run', { machine: 'm', timeout_ms: 50_000 }, { signal: stop.signal }).catch(() => {});
  await vi.waitFor(
    async () => expect((await client.call('machine_list')).text).toMatch(/^m RUNNING [\s\S]*busy with run/m),
    {
      timeout: 40_000,
    },
  );
  stop.abort();
  await running;
}, 180_000);
