import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linuxGuest, shell, untilBooted, withBootMs } from './linux-guest.ts';
import { Lab, restrictedSettings, type Vm } from './vm.ts';

const signal = new AbortController().signal;

/** A guest as clouds have them: two network cards, a seed for cloud-init, a guest agent, a folder by virtiofs where that can be. */
let lab: Lab;
let vm: Vm;
let shared: string;
const hasVirtiofs =
  ['/usr/libexec/virtiofsd', '/usr/lib/qemu/virtiofsd'].some((path) => existsSync(path)) &&
  spawnSync('unshare', ['--user', '--map-root-user', '--mount', '--net', '--ipc', 'true']).status === 0;
beforeAll(async () => {
  lab = new Lab();
  shared = join(lab.folder, 'shared, folder');
  mkdirSync(shared);
  writeFileSync(join(shared, 'in.txt'), 'from outside');
  const guest = linuxGuest(join(lab.folder, 'initrd.cpio'), {
    program: { package: 'qemu-guest-agent', path: 'usr/sbin/qemu-ga' },
    virtiofs: hasVirtiofs,
  });
  vm = await lab.start({
    ...guest,
    network: 'user',
    mac: '52:54:00:00:00:01',
    further_networks: [{ network: 'isolated', mac: '52:54:00:00:00:02' }],
    cloud_init: { hostname: 'web-1', user: 'ann', password: 'se"cret: #1', ssh_keys: ['ssh-ed25519 AAAA ann'] },
    guest_agent: true,
    ...(hasVirtiofs && { share: shared, share_by: 'virtiofs' }),
  });
  await untilBooted(vm);
}, withBootMs);
afterAll(() => lab?.[Symbol.asyncDispose]());

test('cloud-init finds its seed by name, with long file names', { timeout: 180_000 }, async () => {
  const found = await shell(vm, 'mount -t iso9660 -o ro /dev/vda /mnt && ls /mnt');
  expect((await shell(vm, 'dd if=/dev/vda bs=1 skip=32808 count=6 2> /dev/null')).output).toBe('cidata');
  expect(found.output.split(/\s+/)).toEqual(expect.arrayContaining(['meta-data', 'user-data']));
  const { output } = await shell(vm, 'cat /mnt/user-data');
  const [first, ...rest] = output.split('\n');
  expect(first).toBe('#cloud-config');
  expect(JSON.parse(rest.join('\n'))).toMatchObject({
    hostname: 'web-1',
    ssh_pwauth: true,
    users: [
      'default',
      { name: 'ann', plain_text_passwd: 'se"cret: #1', ssh_authorized_keys: ['ssh-ed25519 AAAA ann'] },
    ],
  });
  expect(JSON.parse((await shell(vm, 'cat /mnt/meta-data')).output)).toEqual({
    'instance-id': `frontpanel-${vm.handle}`,
    'local-hostname': 'web-1',
  });
  expect((await shell(vm, 'echo x > /dev/vda')).code).not.toBe(0);
  await shell(vm, 'umount /mnt');
});

test('each network card is captured by its name', { timeout: 180_000 }, async () => {
  const { network } = vm.machine;
  if (!network) throw new Error('no network');
  expect(network.interfaces).toEqual(['net0', 'net1']);
  const { output } = await shell(vm, 'cat /sys/class/net/eth*/address');
  expect(output.split('\n').sort()).toEqual(['52:54:00:00:00:01', '52:54:00:00:00:02']);
  const second = (await shell(vm, 'grep -l 00:02 /sys/class/net/eth*/address')).output.split('/')[4];
  const captures = [
    await network.startCapture({ interface: 'net0' }),
    await network.startCapture({ interface: 'net1' }),
  ];
  expect(captures.map((each) => each.interface)).toEqual(['net0', 'net1']);
  await shell(vm, `ip link set ${second} up; ip addr add 10.0.2.15/24 dev ${second}`);
  expect((await shell(vm, 'ping -c 1 10.0.2.2')).output).toContain('1 packets received');
  const [first, other] = await Promise.all(captures.map(({ id }) => network.packets(id, 0, 50)));
  expect(other?.lines.join('\n')).toContain('10.0.2.15 > 10.0.2.2 ICMP echo request');
  expect(first?.lines.join('\n')).not.toContain('ICMP');
  await shell(vm, `ip addr flush dev ${second}`);
});

test('the guest agent: nobody there, then addresses, programs and files', { timeout: 180_000 }, async () => {
  const agent = vm.machine.guestAgent;
  if (!agent) throw new Error('no agent');
  await expect(agent.about()).rejects.toMatchObject({
    type: 'UNAVAILABLE',
    message: expect.stringContaining('No guest agent'),
  });
  await shell(
    vm,
    'p=$(grep -l org.qemu.guest_agent.0 /sys/class/virtio-ports/*/name | cut -d/ -f5); /usr/sbin/qemu-ga -d -t /tmp -f /tmp/ga.pid -p /dev/$p',
  );
  await vm.until('the agent', () =>
    agent.about().then(
      () => true,
      () => false,
    ),
  );
  expect(await agent.about()).toMatchObject({ version: expect.stringMatching(/^\d+\./), hostname: 'guest' });
  await shell(vm, 'ip addr add 10.9.8.7/24 dev eth0');
  const interfaces = await agent.interfaces();
  expect(interfaces.find(({ name }) => name === 'eth0')?.addresses).toContain('10.9.8.7/24');

  expect(
    await lab.call('guest_ask', { machine: vm.handle, action: 'exec', command: 'echo out; echo err >&2; exit 3' }),
  ).toMatch(/exit code 3\nout\n\nstandard error:\nerr/);
  expect(
    await lab.call('guest_ask', { machine: vm.handle, action: 'exec', program: '/bin/cat', stdin: 'a line' }),
  ).toContain('exit code 0\na line');
  expect(
    await lab.call('guest_ask', { machine: vm.handle, action: 'exec', command: 'sleep 99', timeout_ms: 200 }),
  ).toMatch(/still runs in the guest/);
  expect(await lab.call('guest_ask', { machine: vm.handle, action: 'exec', program: '/no/such' })).toMatch(
    /refuses guest-exec/,
  );

  const bytes = Buffer.alloc(2_500_000, 'many bytes ');
  const source = lab.file('big.bin', bytes);
  const write = (file: string) =>
    lab.call('guest_ask', { machine: vm.handle, action: 'write_file', file, path: source });
  expect(await write('/tmp/big')).toContain('2,500,000 bytes written to /tmp/big');
  await shell(vm, 'mkdir /small; mount -t tmpfs -o size=300k none /small');
  expect(await write('/small/big')).toMatch(/[Nn]o space left.* It had taken [1-9]\d* of 2500000 bytes/);
  expect((await shell(vm, 'wc -c < /tmp/big')).output).toBe('2500000');
  expect(Buffer.compare((await agent.readFile('/tmp/big', 0, 4_000_000, signal)).bytes, bytes)).toBe(0);
  expect(await agent.readFile('/tmp/big', 11, 4, signal)).toMatchObject({ isEnd: false, bytes: Buffer.from('many') });
  expect(await lab.call('guest_ask', { machine: vm.handle, action: 'read_file', file: '/etc/profile' })).toContain(
    'guest# ',
  );
  expect(await lab.call('guest_ask', { machine: vm.handle, action: 'read_file', file: '/bin/busybox' })).toContain(
    'is not text',
  );
  expect(await lab.call('guest_ask', { machine: vm.handle, action: 'exec' })).toContain('"command":"uname -a"');

  // A full disk in the guest: what is larger than the agent's buffer fails on the way, what is smaller at the end.
  await shell(vm, 'mkdir /tmp/full; mount -t tmpfs -o size=64k none /tmp/full');
  for (const text of ['x'.repeat(300_000), 'small']) {
    const write = { machine: vm.handle, action: 'write_file', file: `/tmp/full/${text.length}`, text };
    expect(await lab.call('guest_ask', write)).toMatch(/^ERROR .*No space left on device/);
  }
  await shell(vm, 'umount /tmp/full');
});

test('an agent that is killed in the middle of a command is not waited for', { timeout: 180_000 }, async () => {
  const agent = vm.machine.guestAgent;
  if (!agent) throw new Error('no agent');
  await shell(vm, 'kill -STOP $(cat /tmp/ga.pid)');
  const asked = agent.interfaces();
  await expect(asked).rejects.toMatchObject({
    type: 'UNAVAILABLE',
    message: expect.stringContaining('did not answer'),
  });
  await shell(vm, 'kill -CONT $(cat /tmp/ga.pid)');
  // The late answer to the old question is not taken for one to the new.
  await expect.poll(() => agent.about().catch(String)).toMatchObject({ hostname: 'guest' });
});

/** Those that serve folders of machines of this test. */
function servers(): string[] {
  const all = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
  return all.filter((line) => /^\S*virtiofsd /.test(line) && line.includes(process.env.XDG_RUNTIME_DIR ?? '/'));
}

test.skipIf(!hasVirtiofs)(
  'a folder by virtiofs is seen and not changed, and its program ends with the machine',
  {
    timeout: 180_000,
  },
  async () => {
    expect(vm.machine.introduction()).toContain(`Share ${shared}: mount -t virtiofs share /mnt`);
    expect(await shell(vm, 'mount -t virtiofs share /mnt')).toEqual({ output: '', code: 0 });
    expect((await shell(vm, 'cat /mnt/in.txt')).output).toBe('from outside');
    writeFileSync(join(shared, 'later.txt'), 'seen at once');
    expect((await shell(vm, 'cat /mnt/later.txt')).output).toBe('seen at once');
    for (const command of ['echo x > /mnt/in.txt', 'rm /mnt/in.txt', 'mkdir /mnt/new', 'chmod 4755 /mnt/in.txt']) {
      expect((await shell(vm, command)).output, command).toContain('Read-only file system');
    }
    expect((await shell(vm, 'ls /mnt/..; ls /mnt')).output).not.toContain('initrd.cpio');
    expect(readFileSync(join(shared, 'in.txt'), 'utf8')).toBe('from outside');
    expect(readdirSync(shared).sort()).toEqual(['in.txt', 'later.txt']);

    const put = await lab.call('file_put', { machine: vm.handle, path: join(shared, 'in.txt'), to: '/tmp/in' });
    expect(put).toMatch(/12 bytes in \S+ by the shared folder, sha256/);
    await expect(vm.machine.snapshots.save('here')).rejects.toMatchObject({
      fix: expect.stringContaining('QEMU saves no machine with virtiofs'),
    });
    const before = servers();
    expect(before).not.toEqual([]);
    await lab.rack.stop(vm.handle, 'done');
    await expect.poll(() => servers().filter((line) => before.includes(line)), { timeout: 60_000 }).toEqual([]);
  },
);

test('what cannot be shared by virtiofs is refused', async () => {
  const wish = { share: shared, share_by: 'virtiofs', paused: true };
  expect(await lab.refusal({ share_by: 'virtiofs' })).toMatchObject({ message: '"share_by" goes with "share".' });
  expect(await lab.refusal({ ...wish, machine: 'isapc' })).toMatchObject({
    message: expect.stringContaining('boards with PCI'),
    fix: expect.stringContaining('9p'),
  });
  expect(await lab.refusal({ ...wish, share: '/nowhere/else' })).toMatchObject({ type: 'NOT_FOUND' });
  if (process.getuid?.() !== 0) return;
  await using careful = new Lab({ settings: restrictedSettings });
  expect(await careful.refusal({ ...wish, share_writable: true })).toMatchObject({
    type: 'DENIED',
    message: expect.stringContaining('run as root'),
  });
});
