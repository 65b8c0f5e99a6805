import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../guests/qemu.ts';
import { Tap } from './tap.ts';
import { Lab, uBoot } from './vm.ts';

test('captures of U-Boot: DHCP, ARP, ping; several at once; the times are real', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const vm = await lab.start({ ...uBoot.riscv64, network: 'user' });
  const { network, control } = vm.machine;
  if (!network) throw new Error('no network');
  expect(network.interfaces).toEqual(['net0']);
  await vm.uBootPrompt();
  await vm.ask('pci enum; virtio scan; echo scan""ned', /scanned/);
  // A pause moves the guest's clock and real time apart.
  await control.pause();
  await new Promise((resolve) => setTimeout(resolve, 1200));
  await control.run({ wallMs: 1 }, new AbortController().signal);
  const file = join(lab.folder, 'all.pcap');
  const all = await network.startCapture({ path: file });
  const began = Date.now();
  await vm.ask('dhcp 84000000 nothing', /TFTP error[\s\S]*=> /);
  const second = await network.startCapture({ interface: 'net0' });
  await vm.ask('ping 10.0.2.2', /is alive/);
  const ended = Date.now();

  const page = await network.packets(all.id, 0, 100);
  const lines = page.lines.join('\n');
  expect(lines).toMatch(/0\.0\.0\.0:68 > 255\.255\.255\.255:67 UDP DHCP discover for /);
  expect(lines).toMatch(/DHCP ack for \S+, address 10\.0\.2\.15, server 10\.0\.2\.2/);
  expect(lines).toMatch(/ARP who has 10\.0\.2\.2, tell 10\.0\.2\.15, 42 bytes/);
  expect(lines).toMatch(/10\.0\.2\.15 > 10\.0\.2\.2 ICMP echo request, id 0, seq 0/);
  expect(page).toMatchObject({ next: page.lines.length, total: page.lines.length });
  expect((await network.packets(all.id, 2, 3)).lines).toEqual(page.lines.slice(2, 5));
  const pings = await network.packets(second.id, 0, 100);
  expect(pings.lines.join('\n')).not.toContain('DHCP');
  expect(pings.lines.join('\n')).toContain('ICMP echo reply');

  const times = page.lines.map((line) =>
    Date.parse(`${new Date(began).toISOString().slice(0, 11)}${line.split(' ')[1]}Z`),
  );
  expect(Math.min(...times)).toBeGreaterThan(began - 100);
  expect(Math.max(...times)).toBeLessThan(ended + 100);

  expect(await network.stopCapture(all.id)).toMatchObject({ id: all.id, active: false, path: file });
  expect((await network.packets(all.id, 0, 100)).lines, 'the file has the right times now').toEqual(page.lines);
  expect(readFileSync(file).readUInt32LE(0)).toBe(0xa1b2c3d4);
  for (const { path } of [all, second]) expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  const tcpdump = spawnSync('tcpdump', ['-tt', '-nr', file], { encoding: 'utf8' });
  if (tcpdump.error === undefined) {
    const stamps = tcpdump.stdout
      .trim()
      .split('\n')
      .map((line) => Number(line.split(' ')[0]) * 1000);
    expect(stamps).toHaveLength(page.total);
    expect(Math.abs((stamps[0] ?? 0) - (times[0] ?? 0))).toBeLessThan(1.1);
  }
  await expect(network.startCapture({ path: file })).rejects.toMatchObject({ type: 'NAME_TAKEN' });
  await expect(network.startCapture({ interface: 'eth7' })).rejects.toMatchObject({ type: 'NOT_FOUND' });
  await expect(network.stopCapture('capture-9')).rejects.toMatchObject({ type: 'NOT_FOUND' });

  await vm.ask('poweroff', /poweroff/);
  await vm.until('the end', () => vm.events('machine_off').length > 0);
  expect(network.captures.map(({ active }) => active)).toEqual([false, false]);
  expect((await network.packets(second.id, 0, 100)).lines).toEqual(pings.lines);
  expect(existsSync(second.path)).toBe(true);
});

test('none, isolated, forwarded', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  expect((await lab.start({ ...uBoot.riscv64 })).machine.network).toBeUndefined();
  const vm = await lab.start({ ...uBoot.riscv64, network: 'isolated' });
  await vm.uBootPrompt();
  await vm.ask('pci enum; virtio scan; setenv ipaddr 10.0.2.15; setenv netretry no; echo re""ady', /ready/);
  expect(await vm.ask('ping 10.0.2.2', /is (?:not )?alive/)).toContain('10.0.2.2 is alive');

  const port = await freePort();
  const open = await lab.start({ ...uBoot.riscv64, network: 'user', forward: [`${port}:22`] });
  expect(open.machine.introduction()).toContain(`Port forward (host:guest): ${port}:22`);
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
  const taken = await lab.refusal({ ...uBoot.riscv64, network: 'user', forward: [`${port}:22`] });
  expect(taken.fix).toContain('choose another one in "forward"');
});

test('a tap: the host answers the guest, and tcpdump or QEMU captures it', { timeout: 180_000 }, async ({ skip }) => {
  await using lab = new Lab();
  const whyNot = Tap.whyNot();
  skip(whyNot !== undefined, `no tap: ${whyNot}`);
  using tap = new Tap();
  const began = Date.now();
  const vm = await lab.start({ ...uBoot.riscv64, network: 'tap', tap: tap.name, capture: 'tcpdump' });
  const { network } = vm.machine;
  if (!network) throw new Error('no network');
  await vm.uBootPrompt();
  const file = join(lab.folder, 'tap.pcap');
  const [own, named] = [await network.startCapture({}), await network.startCapture({ path: file })];
  const ping = `pci enum; virtio scan; setenv ipaddr ${tap.guest}; setenv netmask 255.255.255.252; ping ${tap.host}`;
  expect(await vm.ask(ping, /is (?:not )?alive/)).toContain(`host ${tap.host} is alive`);
  const reply = `${tap.host} > ${tap.guest} ICMP echo reply`;
  const lines = async (id: string) => (await network.packets(id, 0, 100)).lines.map((line) => line.split(' '));
  const texts = async (id: string) => (await lines(id)).map((words) => words.slice(2).join(' ')).join('\n');
  for (const { id } of [own, named]) await vm.until('the last packet', async () => (await texts(id)).includes(reply));
  const seen = await texts(named.id);
  expect(seen).toContain(`ARP who has ${tap.host}, tell ${tap.guest}, 42 bytes`);
  expect(seen).toContain(`ARP reply ${tap.host} is at ${tap.mac}, 42 bytes`);
  expect(seen).toContain(`${tap.guest} > ${tap.host} ICMP echo request`);
  const day = new Date(began).toISOString().slice(0, 11);
  for (const [, time] of await lines(named.id)) {
    expect(Date.parse(`${day}${time}Z`)).toBeGreaterThanOrEqual(began);
    expect(Date.parse(`${day}${time}Z`)).toBeLessThanOrEqual(Date.now());
  }
  expect(await network.stopCapture(own.id)).toMatchObject({ active: false });
  expect(await texts(own.id)).toContain(reply);
  for (const { path } of [own, named]) expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  const { stdout } = spawnSync('tcpdump', ['-nr', file], { encoding: 'utf8' });
  expect(stdout).toContain(`${tap.host} > ${tap.guest}: ICMP echo reply`);

  // Without the interface there is nothing left to listen to.
  tap[Symbol.dispose]();
  await vm.until('its end', () => vm.events('capture_ended').length > 0);
  expect(vm.events('capture_ended')[0]).toMatchObject({
    text: expect.stringContaining(`${named.id} ended on its own: tcpdump: `),
    data: { id: named.id, path: file },
  });
  expect(network.captures.map(({ active }) => active)).toEqual([false, false]);
  expect(await texts(named.id)).toContain(reply);
  await expect(network.startCapture({})).rejects.toMatchObject({
    type: 'UNAVAILABLE',
    message: expect.stringMatching(/^tcpdump does not capture: tcpdump: .*(?:No such device|doesn't exist)/),
  });
  await lab.rack.stop(vm.handle, 'done');
  const processes = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout.split('\n');
  expect(processes.filter((line) => line.includes(tap.name))).toEqual([]);

  // QEMU's own capture of the same; virtio would put a header of its own before each packet there.
  using other = new Tap();
  const second = await lab.start({ ...uBoot.riscv64, network: 'tap', tap: other.name });
  await second.uBootPrompt();
  const capture = await second.machine.network?.startCapture({});
  const again = `pci enum; virtio scan; setenv ipaddr ${other.guest}; setenv netmask 255.255.255.252; ping ${other.host}`;
  expect(await second.ask(again, /is (?:not )?alive/)).toContain(`host ${other.host} is alive`);
  const page = await second.machine.network?.packets(capture?.id ?? '', 0, 100);
  expect(page?.lines.join('\n')).toContain(`${other.host} > ${other.guest} ICMP echo reply`);
  expect(page?.lines.join('\n')).toContain(`ARP reply ${other.host} is at ${other.mac}`);
});
