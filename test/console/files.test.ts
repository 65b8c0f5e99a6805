import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ShellGuest } from '../support/shell-guest.ts';
import { Desk } from './desk.ts';

let desk: Desk;
let shell: ShellGuest;
beforeAll(async () => {
  desk = await Desk.open();
  shell = await ShellGuest.start(desk.sandbox);
  await desk.start({ socket: shell.path });
  await desk.read({ expect: 'guest$' });
});
afterAll(async () => {
  await desk[Symbol.asyncDispose]();
  await shell[Symbol.asyncDispose]();
});

test('a file goes into the guest over its console and comes back the same', async () => {
  const bytes = randomBytes(20_001);
  const here = join(desk.sandbox.dir, 'here.bin');
  const there = join(desk.sandbox.dir, "in the guest's.bin");
  writeFileSync(here, bytes);
  expect((await desk.call('file_put', { path: here, to: there })).text).toMatch(
    /20001 bytes in .*, sha256 [0-9a-f]{64}/,
  );
  expect(readFileSync(there).equals(bytes)).toBe(true);
  const back = join(desk.sandbox.dir, 'back.bin');
  expect((await desk.call('file_get', { from: there, path: back })).text).toMatch(/20001 of 20001 bytes .*sha256/);
  expect(readFileSync(back).equals(bytes)).toBe(true);
});

test('a transfer that stopped goes on where it was, and not anywhere else', async () => {
  const bytes = randomBytes(6000);
  const here = join(desk.sandbox.dir, 'long.bin');
  const there = join(desk.sandbox.dir, 'long-there.bin');
  writeFileSync(here, bytes);
  writeFileSync(there, bytes.subarray(0, 2500));
  expect((await desk.call('file_put', { path: here, to: there, offset: 100 })).text).toMatch(
    /has 2500 bytes.*"offset":2500/s,
  );
  expect((await desk.call('file_put', { path: here, to: there, offset: 2500 })).text).toMatch(/6000 bytes in/);
  expect(readFileSync(there).equals(bytes)).toBe(true);
  const part = join(desk.sandbox.dir, 'part.bin');
  expect((await desk.call('file_get', { from: there, path: part, offset: 5000 })).text).toMatch(
    /1000 of 6000 bytes .*part/,
  );
  expect(readFileSync(part).equals(bytes.subarray(5000))).toBe(true);
});

test('what the guest refuses is said in its own words', async () => {
  const here = join(desk.sandbox.dir, 'small.bin');
  writeFileSync(here, 'x');
  expect((await desk.call('file_put', { path: here, to: '/no/such/folder/x' })).text).toMatch(
    /exit code \d+.*no\/such/s,
  );
  expect((await desk.call('file_get', { from: '/no/such', path: join(desk.sandbox.dir, 'n') })).text).toMatch(
    /no\/such/,
  );
  expect((await desk.call('file_get', { from: here, path: '/etc/frontpanel-test' })).text).toMatch(/allow/i);
});
