import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linuxGuest, shell, untilBooted, withBootMs } from './linux-guest.ts';
import { Lab } from './vm.ts';

/** Booted once; every test goes on from there in a process of its own. */
let lab: Lab;
let booted: string;
beforeAll(async () => {
  lab = new Lab();
  const disk = lab.file('disk.img', Buffer.alloc(4 * 1024 * 1024));
  const { append, ...guest } = linuxGuest(join(lab.folder, 'initrd.cpio'));
  const snapshotDir = join(lab.folder, 'kept');
  const options = {
    ...guest,
    // At another address at each boot, as kernels are elsewhere.
    append: append.replace(' nokaslr', ''),
    network: 'user',
    drives: [`${disk},virtio`],
    channels: ['data'],
    snapshot_dir: snapshotDir,
  };
  const vm = await lab.start(options);
  await untilBooted(vm);
  expect(vm.output()).not.toContain('insmod');
  await vm.machine.snapshots.save('booted');
  await lab.rack.stop(vm.handle, 'saved');
  booted = join(snapshotDir, 'booted');
}, withBootMs);
afterAll(() => lab?.[Symbol.asyncDispose]());

test('Linux answers in a fresh process, and each has its own disk and memory', { timeout: 180_000 }, async () => {
  const [one, two] = await Promise.all([lab.start({ from_snapshot: booted }), lab.start({ from_snapshot: booted })]);
  expect(await shell(one, 'uname -s')).toEqual({ output: 'Linux', code: 0 });
  await shell(one, 'echo first > /dev/vda; sync; echo first > /tmp/who');
  expect((await shell(two, 'cat /tmp/who; head -c 5 /dev/vda | tr -d "\\\\0"')).output).not.toContain('first');
  expect((await shell(one, 'head -c 5 /dev/vda')).output).toBe('first');
  expect(one.machine.media.slots.find(({ name }) => name === 'drive0')?.changed).toBe(true);
  await lab.rack.stop(one.handle, 'done');
  await lab.rack.stop(two.handle, 'done');
});

test('a ping is captured; a drive comes and goes; power off is seen', { timeout: 180_000 }, async () => {
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

test('a channel carries megabytes both ways, unchanged', { timeout: 180_000 }, async () => {
  const vm = await lab.start({ from_snapshot: booted });
  const channel = vm.machine.console.ports.find(({ name }) => name.endsWith('.data'));
  if (!channel) throw new Error('no channel');
  const bytes = randomBytes(3 * 1024 * 1024);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const device = '$(ls /dev/vport*)';
  await vm.send(`head -c ${bytes.length} ${device} > /tmp/in; sha256sum /tmp/in\r`);
  for (let at = 0; at < bytes.length; at += 65_536) {
    await channel.write(bytes.subarray(at, at + 65_536), { mode: 'retry', timeoutMs: 60_000 });
  }
  await vm.printed(new RegExp(hash));
  await vm.send(`cat /tmp/in > ${device}\r`);
  await vm.until('all of it', () => channel.output.end >= bytes.length);
  const back = Buffer.from(channel.output.read(0, bytes.length).bytes);
  expect(createHash('sha256').update(back).digest('hex')).toBe(hash);
  await lab.rack.stop(vm.handle, 'done');
});

test('files go through the channel on their own, and by the console', {
  timeout: 180_000,
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

const moved = 0x1000_0000n;

/** A file as a kernel with debug information would be: code and `_stext` where they were linked to. */
function linesAt(address: bigint, text: bigint): string {
  const head = '__asm__(".section .head,\\"ax\\"\\n.globl _stext\\n_stext: nop\\n.text");';
  const source = lab.file('trigger.c', `${head}\nvoid trigger(void) {\n  __asm__(".fill 4096, 1, 0x90");\n}\n`);
  const path = join(lab.folder, 'trigger.elf');
  const hex = (value: bigint) => `0x${value.toString(16)}`;
  const places = [`-Wl,-Ttext=${hex(address)}`, `-Wl,--section-start=.head=${hex(text - moved)}`];
  const compile = ['-g', '-O1', '-fno-asynchronous-unwind-tables', '-mcmodel=large', '-fcf-protection=none'];
  const link = ['-nostdlib', '-static', '-no-pie', '-Wl,--build-id=none', '-Wl,-e,trigger', ...places];
  execFileSync('x86_64-linux-gnu-gcc', [...compile, ...link, '-o', path, source]);
  return path;
}

test('log, processes, modules, mounts and a panic are read from its memory alone', { timeout: 180_000 }, async () => {
  const vm = await lab.start({ from_snapshot: booted });
  const machine = vm.handle;
  const read = (what: string, more = {}) => lab.call('linux_read', { machine, what, limit: 2000, ...more });
  expect(await read('overview')).toMatch(/Linux version \d[\s\S]*\d{5,} symbols, types from BTF/);
  // It may be stopped while its shell runs, or is about to wait and still has the processor.
  const waiting = /sh \(pid 1\), state S[\s\S]*schedule\+0x[\s\S]*poll/;
  await vm.until('a shell that waits', async () => {
    await vm.machine.control.pause();
    if (waiting.test(await read('tasks', { pid: 1 }))) return true;
    await lab.call('run', { machine, timeout_ms: 10 });
    return false;
  });
  const [log, tasks, modules, mounts] = [
    await read('log'),
    await read('tasks'),
    await read('modules'),
    await read('mounts'),
  ];
  expect(await read('oops')).toContain('no oops');
  expect(await lab.call('crash_explain', { machine })).toMatch(/Linux reports no oops or panic|No exception/);
  expect(await read('tasks', { pid: 1 })).toMatch(waiting);
  expect(await read('tasks', { pid: 999_999 })).toContain('No process has the number 999999');
  await lab.call('run', { machine, timeout_ms: 10 });

  // Against what the guest itself says.
  const said = async (command: string) => (await shell(vm, command)).output.split('\n');
  const stamped = /^\[ *([\d.]+)\] (.*)/;
  const last = log.split('\n').findLast((line) => stamped.test(line)) ?? '';
  const until = Number(stamped.exec(last)?.[1]);
  const told = (await said('dmesg | tail -n 20')).map((line) => stamped.exec(line));
  // A kernel on a busy computer has more to say after its log was read.
  const before = told.filter((line) => Number(line?.[1]) <= until);
  expect(before.length).toBeGreaterThan(0);
  for (const line of before) expect(log).toContain(line?.[2]);
  for (const name of await said('cat /proc/[1-9]/comm /proc/[1-9][0-9]/comm | grep -v kworker'))
    expect(tasks).toContain(name.slice(0, 15));
  for (const line of await said("sed 's/ .*0x/  0x/' /proc/modules")) expect(modules).toContain(line);
  for (const line of await said("cut -d' ' -f2 /proc/mounts")) expect(mounts).toContain(` on ${line} type `);

  expect(await lab.call('symbols_load', { machine, from_guest: true })).toMatch(
    /\d{5} symbols of the kernel and \d+ of its/,
  );
  const [address] = await said("sed -n 's/ T write_sysrq_trigger$//p; s/ t write_sysrq_trigger$//p' /proc/kallsyms");
  expect(vm.machine.addresses.symbols.address('write_sysrq_trigger')).toBe(BigInt(`0x${address}`));

  const elf = linesAt(BigInt(`0x${address}`) - moved, vm.machine.addresses.symbols.address('_stext') ?? 0n);
  expect(await lab.call('symbols_load', { machine, path: elf })).toContain('lines of 1 source file');

  await vm.send('echo 0 > /proc/sys/kernel/panic; echo c > /proc/sysrq-trigger\r');
  await vm.until('the panic', async () => (await read('log', { find: 'end Kernel panic' })).includes('---[ end'));
  expect(await read('oops')).toMatch(
    /1 report\n\[.*Kernel panic - not syncing: sysrq triggered crash, in sh \(pid 1\)\n[\s\S]* panic\+0x[\s\S]* write_sysrq_trigger\+0x\w+ \((?:\S*\/)?trigger\.c:3\)/,
  );

  // Its last exception was that of a program, and handled long ago.
  await lab.call('pause', { machine });
  const explained = await lab.call('crash_explain', { machine });
  expect(explained).toMatch(
    /^\S+ PAUSED .*\nLinux: Kernel panic - not syncing: sysrq triggered crash, in sh \(pid 1\)\n/,
  );
  expect(explained).toMatch(/ write_sysrq_trigger\+0x\w+ \((?:\S*\/)?trigger\.c:3\)/);

  // The same from a core file, after the machine is gone.
  const questions = ['overview', 'log', 'tasks', 'modules', 'mounts', 'oops'];
  const answers = async (handle: string) => {
    await lab.call('symbols_load', { machine: handle, path: elf });
    const all: string[] = [];
    for (const what of questions) {
      const answer = await lab.call('linux_read', { machine: handle, what, limit: 2000 });
      all.push(
        answer
          .split('\n')
          .slice(1)
          .join('\n')
          .replaceAll(/output \w+/g, 'output'),
      );
    }
    return all;
  };
  const live = await answers(machine);
  const core = join(lab.folder, 'linux.core');
  expect(await lab.call('crash_dump', { machine, path: core })).toContain('ELF core file');
  await lab.rack.stop(vm.handle, 'done');
  const { handle: opened } = await lab.rack.start('qemu', { core });
  expect(await answers(opened)).toEqual(live);
  await lab.rack.stop(opened, 'done');
});
