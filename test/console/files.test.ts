import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
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

test('a file here that stands in the way is told before anything is typed into the guest', async () => {
  const taken = join(desk.sandbox.dir, 'taken.bin');
  writeFileSync(taken, 'mine');
  const { end } = (await desk.port()).buffer;
  expect((await desk.call('file_get', { from: taken, path: taken })).text).toMatch(/exists already/);
  expect((await desk.port()).buffer.end).toBe(end);
});

test.for(['-n', "it's a name.bin", 'größe €.bin', 'a$HOME`b"c\\.bin'])('a file named %j', async (name) => {
  const bytes = randomBytes(700);
  const here = join(desk.sandbox.dir, 'named.bin');
  writeFileSync(here, bytes);
  expect((await desk.call('file_put', { path: here, to: name })).text).toMatch(
    /700 bytes in .* by the console, sha256/,
  );
  expect(readFileSync(join(desk.sandbox.dir, name)).equals(bytes)).toBe(true);
  const back = join(desk.sandbox.dir, `back of ${name}`);
  expect((await desk.call('file_get', { from: name, path: back })).text).toMatch(/700 of 700 bytes .*sha256/);
  expect(readFileSync(back).equals(bytes)).toBe(true);
});

test('an empty file is a file; what has no end is none', async () => {
  const here = join(desk.sandbox.dir, 'nothing');
  writeFileSync(here, '');
  expect((await desk.call('file_put', { path: here, to: 'empty' })).text).toMatch(/0 bytes in empty .*sha256/);
  const back = join(desk.sandbox.dir, 'nothing-back');
  expect((await desk.call('file_get', { from: 'empty', path: back })).text).toMatch(/0 of 0 bytes/);
  expect(readFileSync(back)).toHaveLength(0);
  const path = join(desk.sandbox.dir, 'endless');
  expect((await desk.call('file_get', { from: '/dev/zero', path })).text).toMatch(
    /exit code 1.*neither a file nor a disk.*crw.*\/dev\/zero/s,
  );
});

test('a guest that takes too long gets its shell back', async () => {
  const here = join(desk.sandbox.dir, 'slow.bin');
  writeFileSync(here, 'x');
  await desk.send({ run: 'sha256sum() { sleep 600; }' });
  expect((await desk.call('file_put', { path: here, to: 'slow', timeout_ms: 1000 })).text).toMatch(
    /too long and was interrupted/,
  );
  await desk.send({ run: 'unset -f sha256sum' });
  expect((await desk.call('file_put', { path: here, to: 'slow' })).text).toMatch(/1 bytes in slow/);
});

test('a guest with few programs', async () => {
  await using poor = await Desk.open();
  await using dash = await ShellGuest.start(poor.sandbox, 'dash');
  await poor.start({ socket: dash.path });
  await poor.read({ expect: 'guest$' });
  const bytes = randomBytes(5003);
  const here = join(poor.sandbox.dir, 'here.bin');
  writeFileSync(here, bytes);
  const only = async (folder: string, programs: readonly string[]) => {
    mkdirSync(join(poor.sandbox.dir, folder));
    for (const name of ['cat', 'head', 'tail', 'wc', 'ls', ...programs]) {
      const found = execFileSync('sh', ['-c', `command -v ${name} || command -v busybox`], { encoding: 'utf8' }).trim();
      symlinkSync(found, join(poor.sandbox.dir, folder, name));
    }
    await poor.send({ run: `PATH=${join(poor.sandbox.dir, folder)}` });
  };
  const thereAndBack = async (checked: RegExp) => {
    const back = join(poor.sandbox.dir, `back.${checked.source.slice(0, 6)}`);
    expect(await poor.ask('file_put', { path: here, to: 'there.bin' })).toMatch(checked);
    expect(await poor.ask('file_get', { from: 'there.bin', path: back })).toMatch(checked);
    expect(readFileSync(back).equals(bytes)).toBe(true);
  };
  await only('few', ['od', 'cksum']);
  await thereAndBack(/cksum \d+/);
  await only('fewest', ['hexdump']);
  await thereAndBack(/length compared: the guest has neither sha256sum nor cksum/);
});
