import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linuxGuest, shell } from './linux-guest.ts';
import { Lab } from './vm.ts';

/** Booted once; every test goes on from there in a process of its own. */
let lab: Lab;
let booted: string;
let shared: string;
beforeAll(async () => {
  lab = new Lab();
  const disk = lab.file('disk.img', Buffer.alloc(4 * 1024 * 1024));
  const guest = linuxGuest(join(lab.folder, 'initrd.cpio'));
  const snapshotDir = join(lab.folder, 'kept');
  shared = join(lab.folder, 'shared,folder');
  mkdirSync(shared);
  const options = {
    ...guest,
    network: 'user',
    drives: [`${disk},virtio`],
    channels: ['data'],
    share: shared,
    share_writable: true,
    snapshot_dir: snapshotDir,
  };
  const vm = await lab.start(options);
  await vm.printed(/GUEST-READY[\s\S]*guest# /, { timeoutMs: 100_000 });
  expect(vm.output()).not.toContain('insmod');
  await vm.machine.snapshots.save('booted');
  await lab.rack.stop(vm.handle, 'saved');
  booted = join(snapshotDir, 'booted');
}, 240_000);
afterAll(() => lab?.[Symbol.asyncDispose]());

test('Linux answers in a fresh process, and each has its own disk and memory', { timeout: 60_000 }, async () => {
  const [one, two] = await Promise.all([lab.start({ from_snapshot: booted }), lab.start({ from_snapshot: booted })]);
  expect(await shell(one, 'uname -s')).toEqual({ output: 'Linux', code: 0 });
  await shell(one, 'echo first > /dev/vda; sync; echo first > /tmp/who');
  expect((await shell(two, 'cat /tmp/who; head -c 5 /dev/vda | tr -d "\\\\0"')).output).not.toContain('first');
  expect((await shell(one, 'head -c 5 /dev/vda')).output).toBe('first');
  expect(one.machine.media.slots.find(({ name }) => name === 'drive0')?.changed).toBe(true);
  await lab.rack.stop(one.handle, 'done');
  await lab.rack.stop(two.handle, 'done');
});

test('a ping is captured; a drive comes and goes; power off is seen', { timeout: 90_000 }, async () => {
  const vm = await lab.start({ from_snapshot: booted });
  const { network, media } = vm.machine;
  await shell(vm, 'ip link set eth0 up; ip addr add 10.0.2.15/24 dev eth0; ip route add default via 10.0.2.2');
  const capture = await network?.startCapture({});
  expect((await shell(vm, 'ping -c 2 10.0.2.2')).output).toContain('2 packets received');
  const page = await network?.packets(capture?.id ?? '', 0, 50);
  expect(page?.lines.filter((line) => line.includes('10.0.2.15 > 10.0.2.2 ICMP echo request'))).toHaveLength(2);
  expect(page?.lines.filter((line) => line.includes('10.0.2.2 > 10.0.2.15 ICMP echo reply'))).toHaveLength(2);

  const content = Buffer.alloc(65_536, 'hot ');
  expect(await media.attach('new', { name: 'hot.img', bytes: content, readOnly: false })).toContain('added as drive1');
  await vm.until('the new disk', async () => (await shell(vm, 'head -c 8 /dev/vdb')).output === 'hot hot');
  await media.detach('drive1');
  await vm.until('its end', async () => (await shell(vm, 'ls /dev/vdb')).code !== 0);
  expect(media.slots.map(({ name }) => name)).not.toContain('drive1');

  await vm.send('poweroff -f\r');
  await vm.until('the end', () => vm.events('machine_off').length > 0);
  expect(vm.machine.status()).toMatchObject({ state: 'OFF', notes: ['the guest has powered off'] });
  await lab.rack.stop(vm.handle, 'done');
});

test('a channel carries megabytes both ways, unchanged', { timeout: 90_000 }, async () => {
  const vm = await lab.start({ from_snapshot: booted });
  const channel = vm.machine.console.ports.find(({ name }) => name.endsWith('.data'));
  if (!channel) throw new Error('no channel');
  const bytes = randomBytes(3 * 1024 * 1024);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const device = '$(ls /dev/vport*)';
  await vm.send(`head -c ${bytes.length} ${device} > /tmp/in; sha256sum /tmp/in\r`);
  for (let at = 0; at < bytes.length; at += 65_536) {
    await channel.write(bytes.subarray(at, at + 65_536), { mode: 'retry', timeoutMs: 20_000 });
  }
  await vm.printed(new RegExp(hash));
  await vm.send(`cat /tmp/in > ${device}\r`);
  await vm.until('all of it', () => channel.output.end >= bytes.length);
  const back = Buffer.from(channel.output.read(0, bytes.length).bytes);
  expect(createHash('sha256').update(back).digest('hex')).toBe(hash);
  await lab.rack.stop(vm.handle, 'done');
});

test('files are put and fetched by the channel, by the console, and through the shared folder', {
  timeout: 120_000,
}, async () => {
  const vm = await lab.start({ from_snapshot: booted });
  const machine = vm.handle;
  const channel = `${machine}.data`;
  const bytes = randomBytes(400_007);
  const here = lab.file('here.bin', bytes);
  const small = lab.file('small.bin', bytes.subarray(0, 3001));
  const back = (name: string) => readFileSync(join(lab.folder, name));
  expect(await lab.call('file_put', { machine, path: here, to: '/tmp/x', channel })).toMatch(
    /400007 bytes in .*sha256/,
  );
  const got = await lab.call('file_get', { machine, from: '/tmp/x', path: join(lab.folder, 'back.bin'), channel });
  expect(got).toMatch(/400007 of 400007 bytes .*sha256/);
  expect(back('back.bin').equals(bytes)).toBe(true);

  expect(await lab.call('file_put', { machine, path: small, to: '/tmp/y' })).toMatch(/3001 bytes in .*sha256/);
  await lab.call('file_get', { machine, from: '/tmp/y', path: join(lab.folder, 'back.small') });
  expect(back('back.small').equals(bytes.subarray(0, 3001))).toBe(true);

  const mount = 'mount -t 9p -o trans=virtio,version=9p2000.L share /mnt';
  expect(await lab.call('console_send', { machine, run: `${mount} && cp /tmp/x /mnt/x` })).toContain('exit code 0');
  expect(readFileSync(join(shared, 'x')).equals(bytes)).toBe(true);
  expect(await lab.call('file_put', { machine, path: small, to: '/mnt/y' })).toMatch(/3001 bytes in .*sha256/);
  expect(readFileSync(join(shared, 'y')).equals(bytes.subarray(0, 3001))).toBe(true);
  await lab.rack.stop(vm.handle, 'done');
});

test('a shared folder is read and written from both sides', { timeout: 90_000 }, async () => {
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

test('asked to, it powers down by its own will', { timeout: 90_000 }, async () => {
  const vm = await lab.start({ from_snapshot: booted });
  await vm.machine.monitor?.execute('qmp', 'system_powerdown', {});
  await vm.until('the end', () => vm.events('machine_off').length > 0);
  expect(vm.machine.status()).toMatchObject({ state: 'OFF', notes: ['the guest has powered off'] });
  expect(vm.output()).toContain('GOING DOWN');
  expect(vm.events('powerdown')).toHaveLength(1);
  await lab.rack.stop(vm.handle, 'done');
});
