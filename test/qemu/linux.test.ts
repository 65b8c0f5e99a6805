import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linuxGuest, shell } from './linux-guest.ts';
import { Lab } from './vm.ts';

/** Booted once; every test goes on from there in a process of its own. */
let lab: Lab;
let booted: string;
beforeAll(async () => {
  lab = new Lab();
  const disk = lab.file('disk.img', Buffer.alloc(4 * 1024 * 1024));
  const guest = linuxGuest(join(lab.folder, 'initrd.cpio'));
  const snapshotDir = join(lab.folder, 'kept');
  const options = {
    ...guest,
    network: 'user',
    drives: [`${disk},virtio`],
    channels: ['data'],
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

test('files go through the channel on their own, and by the console', {
  timeout: 120_000,
}, async () => {
  const vm = await lab.start({ from_snapshot: booted });
  const machine = vm.handle;
  const bytes = randomBytes(400_007);
  const here = lab.file('here.bin', bytes);
  const small = lab.file('small.bin', bytes.subarray(0, 3001));
  const back = (name: string) => readFileSync(join(lab.folder, name));
  // Nothing that was left in the channel is taken for a file.
  await lab.call('console_send', {
    machine,
    port: `${machine}.data`,
    text: 'left behind',
    mode: 'buffered',
    quiet_ms: 0,
  });
  expect(await lab.call('file_put', { machine, path: here, to: '/tmp/x' })).toMatch(
    /400007 bytes in \S+ by channel \S+\.data, sha256/,
  );
  const got = await lab.call('file_get', { machine, from: '/tmp/x', path: join(lab.folder, 'back.bin') });
  expect(got).toMatch(/400007 of 400007 bytes in \S+ by channel \S+\.data, sha256/);
  expect(back('back.bin').equals(bytes)).toBe(true);

  await shell(vm, 'mkdir /tmp/full; mount -t tmpfs -o size=64k none /tmp/full');
  const channel = `${machine}.data`;
  const full = await lab.call('file_put', { machine, path: here, to: '/tmp/full/x', channel });
  expect(full).toMatch(/exit code 1\).*No space left/);
  expect(await lab.call('file_put', { machine, path: small, to: '/tmp/y', channel })).toMatch(/3001 bytes in .*sha256/);

  const byConsole = { machine, channel: 'none' };
  expect(await lab.call('file_put', { ...byConsole, path: small, to: '/tmp/y' })).toMatch(
    /3001 bytes in \S+ by the console, sha256/,
  );
  await lab.call('file_get', { ...byConsole, from: '/tmp/y', path: join(lab.folder, 'back.small') });
  expect(back('back.small').equals(bytes.subarray(0, 3001))).toBe(true);
  await lab.rack.stop(vm.handle, 'done');
});
