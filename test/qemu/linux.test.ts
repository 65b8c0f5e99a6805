import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linuxGuest } from './linux-guest.ts';
import { Lab, type Vm } from './vm.ts';

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

/** The output of a command, and its exit code. */
async function shell(vm: Vm, command: string, timeoutMs = 25_000): Promise<{ output: string; code: number }> {
  const answer = await vm.ask(`${command}; echo "<""$?"">"`, /<\d+>/, timeoutMs);
  const [, output = '', code] = /\n([\s\S]*?)<(\d+)>/.exec(answer) ?? [];
  return { output: output.replaceAll('\r\n', '\n').trim(), code: Number(code) };
}

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
