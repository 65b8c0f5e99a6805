import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { originalC64 } from './originals.ts';

const folder = mkdtempSync(join(tmpdir(), 'fp-tape-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What one KERNAL saves, the other loads and runs. */
test.each([
  ['ours', 'the original', 'own', 'auto'],
  ['the original', 'ours', 'auto', 'own'],
])('a tape of %s is read by %s', { timeout: 600_000 }, async (_, __, writer, reader) => {
  const path = join(folder, `${writer === 'own' ? 'ours' : 'original'}.tap`);
  const one = await originalC64({ roms: writer, drives: 'fast' });
  await one.call('run', { frames: 200 });
  await one.call('input_send', { text: '10 PRINT "FROM THE OTHER"\nSAVE "X"\n' });
  await one.call('input_send', { keys: ['tape_record'] });
  for (let tries = 0; tries < 20; tries++) {
    await one.call('run', { frames: 200, timeout_ms: 50_000 });
    if (/SAVING X\s+READY\./.test(await one.call('screen_read'))) break;
  }
  await one.call('media_detach', { slot: 'tape', save_to: path });
  await one.close();
  const other = await originalC64({ roms: reader, drives: 'fast' });
  await other.call('run', { frames: 200 });
  const shows = async (sign: RegExp) => sign.test(await other.call('screen_read'));
  const isLoading = /still loading/.test(await other.call('program_run', { path }));
  // On a slow computer the call ends before the tape does.
  while (isLoading && !(await shows(/LOADING\s+READY\./))) await other.call('run', { frames: 300, timeout_ms: 50_000 });
  if (isLoading) await other.call('input_send', { text: 'RUN\n' });
  for (let tries = 0; tries < 10 && !(await shows(/^FROM THE OTHER/m)); tries++)
    await other.call('run', { frames: 100 });
  expect(await other.call('screen_read')).toMatch(/^FROM THE OTHER/m);
  await other.close();
});
