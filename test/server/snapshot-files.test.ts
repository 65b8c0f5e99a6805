import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stdioClient } from '../support/mcp-client.ts';
import { Sandbox } from '../support/sandbox.ts';

/** Of the built program, whose threads are files of their own. */
test.each([
  { kind: 'c64', options: { roms: 'own', video: 'pal' }, other: { video: 'ntsc' } },
  { kind: 'dos', options: { cpu: '80386' }, other: { cpu: '8086' } },
])('a $kind goes on from a snapshot file in another server', { timeout: 180_000 }, async ({ kind, options, other }) => {
  await using sandbox = await Sandbox.open();
  const path = join(sandbox.dir, 'then.snap');
  const args = ['--allow-path', sandbox.dir];
  {
    await using client = await stdioClient(sandbox, 'modern', args);
    await client.call('machine_start', { kind, options });
    await client.call('input_send', { text: kind === 'dos' ? 'echo hello\n' : 'PRINT "HELLO"\n' });
    expect((await client.call('snapshot_save', { name: 'then', path })).text).toContain(`bytes in ${path}`);
  }
  await using client = await stdioClient(sandbox, 'modern', args);
  const refused = await client.call('machine_start', { kind, options: other, snapshot: path });
  expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/is of a machine with/) });
  const started = await client.call('machine_start', { kind, name: 'again', snapshot: path });
  expect(started.text).toContain('again PAUSED');
  expect((await client.call('screen_read', { machine: 'again' })).text).toMatch(/hello/i);
});
