import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linuxGuest, shell, untilBooted, withBootMs } from './linux-guest.ts';
import { Lab } from './vm.ts';

/** With Debian's normal kernel: the cloud kernel has no driver for a shared folder, and on ARM none for the power button. */
let lab: Lab;
let booted: string;
let shared: string;
beforeAll(async () => {
  lab = new Lab();
  const snapshotDir = join(lab.folder, 'kept');
  shared = join(lab.folder, 'shared,folder');
  mkdirSync(shared);
  const guest = linuxGuest(join(lab.folder, 'initrd.cpio'), { flavour: '' });
  const vm = await lab.start({ ...guest, share: shared, share_writable: true, snapshot_dir: snapshotDir });
  await untilBooted(vm);
  await vm.machine.snapshots.save('booted');
  await lab.rack.stop(vm.handle, 'saved');
  booted = join(snapshotDir, 'booted');
}, withBootMs);
afterAll(() => lab?.[Symbol.asyncDispose]());

test('a shared folder is read and written from both sides', { timeout: 180_000 }, async () => {
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  const vm = await lab.start({ from_snapshot: booted });
  const own = randomBytes(1_000_003);
  writeFileSync(join(shared, 'in.bin'), own);
  const mount = vm.machine
    .introduction()
    .find((line) => line.startsWith('Share '))
    ?.replace(/^.*: mount/, 'mount');
  expect(await shell(vm, mount ?? '')).toEqual({ output: '', code: 0 });
  expect((await shell(vm, 'sha256sum < /mnt/in.bin')).output).toBe(`${sha256(own)}  -`);
  writeFileSync(join(shared, 'later.txt'), 'seen');
  expect((await shell(vm, 'cat /mnt/later.txt')).output).toBe('seen');

  await shell(vm, 'head -c 700001 /dev/urandom > /tmp/out; cp /tmp/out /mnt/out.bin; chmod 4755 /mnt/out.bin');
  const hash = (await shell(vm, 'sha256sum < /tmp/out')).output;
  expect(`${sha256(readFileSync(join(shared, 'out.bin')))}  -`).toBe(hash);
  await shell(vm, 'ln -s /etc/passwd /mnt/link; mknod /mnt/node c 1 3');
  expect((await shell(vm, 'ls -l /mnt/link /mnt/node /mnt/out.bin')).output).toMatch(/^lrwx.*\ncrw.*\n-rwsr-xr-x/);
  for (const name of ['link', 'node', 'out.bin']) {
    const { mode } = lstatSync(join(shared, name));
    expect((mode & 0o177111).toString(8), `${name} is a plain file here`).toBe('100000');
  }

  const failure = vm.machine.snapshots.save('mounted');
  await expect(failure).rejects.toMatchObject({ fix: expect.stringContaining('unmount it') });
  expect(await shell(vm, 'umount /mnt')).toEqual({ output: '', code: 0 });
  await vm.machine.snapshots.save('unmounted');
  await lab.rack.stop(vm.handle, 'done');

  const other = join(lab.folder, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'in.bin'), 'another');
  const careful = await lab.start({ from_snapshot: booted, share: other });
  expect((await shell(careful, `${mount} && cat /mnt/in.bin`)).output).toBe('another');
  expect((await shell(careful, 'echo x > /mnt/in.bin')).output).toContain('Read-only file system');
  expect(readFileSync(join(other, 'in.bin'), 'latin1')).toBe('another');
  await lab.rack.stop(careful.handle, 'done');
});

test('links of this side lead the guest nowhere, not even where they take the place of a folder', {
  timeout: 300_000,
}, async () => {
  const [linked, outside] = ['linked', 'outside'].map((name) => join(lab.folder, name)) as [string, string];
  for (const folder of [linked, outside, join(linked, 'sub')]) mkdirSync(folder);
  writeFileSync(join(outside, 'f'), 'SECRET');
  writeFileSync(join(linked, 'sub', 'f'), 'inside');
  symlinkSync(outside, join(linked, 'folder'));
  symlinkSync(join(outside, 'f'), join(linked, 'file'));
  symlinkSync(join(outside, 'new'), join(linked, 'nothing'));
  const vm = await lab.start({ from_snapshot: booted, share: linked, share_writable: true });
  await shell(vm, 'mount -t 9p -o trans=virtio,version=9p2000.L share /mnt');
  // To the guest they are links of its own, to what has that name there.
  for (const command of ['cat /mnt/file', 'cat /mnt/folder/f', 'ls /mnt/folder/', 'echo x > /mnt/folder/new']) {
    expect((await shell(vm, command)).code, command).not.toBe(0);
  }
  await shell(vm, 'echo x > /mnt/file; echo x > /mnt/nothing; rm -f /mnt/folder/f');
  const swap = 'mv sub real; mv folder sub; mv sub folder; mv real sub';
  const swapper = spawn('sh', ['-c', `while :; do ${swap}; done`], { cwd: linked, stdio: 'ignore' });
  const loop =
    'i=0; while [ $i -lt 150 ]; do cat /mnt/sub/f; echo x > /mnt/sub/g; rm -f /mnt/sub/f.gone; i=$((i+1)); done';
  const { output } = await shell(vm, `(${loop}) 2>/dev/null | sort | uniq -c`);
  swapper.kill('SIGKILL');
  await once(swapper, 'exit');
  expect(output).toContain('inside');
  expect(output).not.toContain('SECRET');
  expect(readdirSync(outside)).toEqual(['f']);
  expect(readFileSync(join(outside, 'f'), 'latin1')).toBe('SECRET');
  await lab.rack.stop(vm.handle, 'done');
});

test('files go through the shared folder where the guest has mounted it', { timeout: 180_000 }, async () => {
  const vm = await lab.start({ from_snapshot: booted });
  const machine = vm.handle;
  const bytes = randomBytes(2_000_003);
  const here = lab.file('here.bin', bytes);
  const before = readdirSync(shared);
  await shell(vm, 'mkdir "/tmp/a b"; mount -t 9p -o trans=virtio,version=9p2000.L share "/tmp/a b"');
  expect(await lab.call('file_put', { machine, path: here, to: '/tmp/x' })).toMatch(
    /2000003 bytes in \S+ by the shared folder, sha256/,
  );
  const path = join(lab.folder, 'back.bin');
  expect(await lab.call('file_get', { machine, from: '/tmp/x', path })).toMatch(
    /2000003 of 2000003 bytes in \S+ by the shared folder, sha256/,
  );
  expect(readFileSync(path).equals(bytes)).toBe(true);
  expect(await lab.call('file_put', { machine, path: here, to: '/tmp/a b/x' })).toContain('by the shared folder');
  expect(readFileSync(join(shared, 'x')).equals(bytes)).toBe(true);
  expect(readdirSync(shared).filter((name) => !before.includes(name))).toEqual(['x']);
  await lab.rack.stop(vm.handle, 'done');

  const other = join(lab.folder, 'read only');
  mkdirSync(other);
  writeFileSync(join(other, 'in it.bin'), bytes);
  const careful = await lab.start({ from_snapshot: booted, share: other });
  await shell(careful, 'mount -t 9p -o trans=virtio,version=9p2000.L share /mnt');
  const put = (file: string) => lab.call('file_put', { machine: careful.handle, path: file, to: '/tmp/x' });
  expect(await put(join(other, 'in it.bin'))).toMatch(/2000003 bytes in \S+ by the shared folder, sha256/);
  expect(await put(lab.file('small.bin', 'small')), 'nobody writes there').toMatch(/5 bytes in \S+ by the console/);
  expect(readdirSync(other)).toEqual(['in it.bin']);
  await lab.rack.stop(careful.handle, 'done');
});

test('asked to, it powers down by its own will', { timeout: 180_000 }, async () => {
  const vm = await lab.start({ from_snapshot: booted });
  await vm.machine.monitor?.execute('qmp', 'system_powerdown', {});
  await vm.until('the end', () => vm.events('machine_off').length > 0);
  expect(vm.machine.status()).toMatchObject({ state: 'OFF', notes: ['the guest has powered off'] });
  expect(vm.output()).toContain('GOING DOWN');
  expect(vm.events('powerdown')).toHaveLength(1);
  await lab.rack.stop(vm.handle, 'done');
});
