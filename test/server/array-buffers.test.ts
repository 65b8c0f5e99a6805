/* Once any array buffer of a thread has been detached, V8 checks every access to typed arrays there, and built-in machines run a fifth slower. */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { HttpProgram } from '../support/http-program.ts';
import { eras, httpClient } from '../support/mcp-client.ts';
import { program, Sandbox } from '../support/sandbox.ts';

const traced = '--trace-protector-invalidation';
const detached = 'ArrayBufferDetaching';

test.for(['0', '1'])('the server detaches no array buffer (%s threads)', { timeout: 120_000 }, async (threads) => {
  await using sandbox = await Sandbox.open();
  const child = sandbox.spawnNode([traced, program, 'serve', '--port', '0', '--threads', threads]);
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  await using server = await HttpProgram.of(child);
  const page = new WebSocket(new URL('/view', server.url).href.replace('http', 'ws'), 'frontpanel', {
    headers: { authorization: `Bearer ${server.token}` },
  });
  await once(page, 'open');
  for (const era of eras) {
    await using client = await httpClient(server, era);
    for (const kind of ['c64', 'dos']) {
      const machine = `${kind}-${era}`;
      const calls: [string, Record<string, unknown>][] = [
        ['machine_start', { kind, name: machine }],
        ['screen_read', { machine, mode: 'image' }],
        ['memory_read', { machine, address: '0x400', length: 256 }],
        ['snapshot_save', { machine, name: 'here' }],
        ['run', { machine, frames: 5 }],
        ['snapshot_restore', { machine, name: 'here' }],
        ['run', { machine, detach: 'warp' }],
      ];
      for (const [tool, args] of calls) expect(await client.call(tool, args)).toMatchObject({ isError: false });
      page.send(JSON.stringify({ type: 'watch', machine }));
      await once(page, 'message');
    }
  }
  const wrong: [number, Parameters<HttpProgram['fetch']>[0]][] = [
    [400, { body: '{' }],
    [400, { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }],
    [401, { headers: { authorization: 'Bearer nobody' }, body: '{}' }],
    [405, { method: 'PUT', body: '{}' }],
    [415, { headers: { 'content-type': 'text/plain' }, body: '{}' }],
  ];
  for (const [status, request] of wrong) expect((await server.fetch(request)).status).toBe(status);
  page.close();
  expect(said).not.toContain(detached);
});

test('where one is detached, that would be said', async () => {
  await using sandbox = await Sandbox.open();
  const script = 'const buffer = new ArrayBuffer(8); structuredClone(buffer, { transfer: [buffer] });';
  const child = sandbox.spawnNode([traced, '-e', script]);
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  await once(child, 'close');
  expect(said).toContain(detached);
});
