import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildElf } from '../../src/formats/elf/elf-testing.ts';
import { AllowedFiles } from '../../src/host/files/allowed-files.ts';
import { acquireLock } from '../../src/machines/qemu/lock/acquire-lock.ts';
import { image as aarch64 } from './guests/aarch64.ts';
import { at, image as riscv64 } from './guests/riscv64.ts';
import { image as bootSector } from './guests/x86-real.ts';
import { rfbLogin } from './rfb.ts';
import { Lab, restrictedSettings as settings, uBoot } from './vm.ts';

const { signal } = new AbortController();

test('U-Boot on a PC: not one byte of the boot is lost; screen, keys, mouse and power', {
  timeout: 180_000,
}, async () => {
  await using lab = new Lab();
  const vm = await lab.start(uBoot.x86);
  await vm.uBootPrompt();
  expect(vm.output()).toMatch(/^\r\n\r\nU-Boot 20\d\d/);
  expect(vm.machine.status()).toMatchObject({ state: 'RUNNING' });

  const { screen, keyboard, mouse } = vm.machine;
  const png = await screen.png();
  expect([png.width, png.height]).toEqual([1024, 768]);
  expect(Buffer.from(png.png.subarray(1, 4)).toString()).toBe('PNG');
  const picture = await screen.picture();
  expect(picture).toMatchObject({ width: 1024, height: 768 });
  expect('rgb' in picture && picture.rgb.length).toBe(1024 * 768 * 3);
  expect(await screen.text(), 'a picture is not text').toBeUndefined();

  const line = `echo "${'abcdefghijklmnopqrstuvwxyz'.repeat(4)}" ABC ~!@#%^ <=> []{} -_+ done`;
  await keyboard.type(`${line}\n`, signal);
  expect(await vm.printed(/\[\]\{\} -_\+ done\r\n=> /)).toContain(
    `\r\n${'abcdefghijklmnopqrstuvwxyz'.repeat(4)} ABC ~!@#%^ <=> []{} -_+ done\r\n`,
  );
  await keyboard.press(['x'], 2, signal);
  await vm.printed(/=> x$/);
  await keyboard.press(['ctrl', 'c'], 2, signal);
  await vm.printed(/<INTERRUPT>/);
  await expect(keyboard.type('é', signal)).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
  await expect(keyboard.press(['hyper'], 1, signal)).rejects.toThrow('no key "hyper"');
  await expect(mouse.moveTo(10, 10)).rejects.toMatchObject({ type: 'WRONG_STATE' });
  await mouse.moveBy(5, 5);
  await mouse.button('left', true);
  await mouse.button('left', false);
  await mouse.wheel(-2);

  await vm.machine.control.pause();
  await expect(keyboard.type('a', signal)).rejects.toMatchObject({ type: 'WRONG_STATE' });
  await vm.machine.control.run({ wallMs: 10 }, signal);
  await vm.uBootCounting('soft');
  // The rest of the line that was being counted down may come first.
  expect(await vm.uBootCounting('hard')).toMatch(/^[^\r\n]*\r\n\r\nU-Boot/);
});

test('a guest that does not read its keyboard is named, with what it took', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const deaf = new Uint8Array(512);
  // CLI, HLT, and again should something wake it.
  deaf.set([0xfa, 0xf4, 0xeb, 0xfd]);
  deaf.set([0x55, 0xaa], 510);
  const vm = await lab.start({ drives: [`${lab.file('deaf.img', deaf)},floppy`], memory: 16 });
  await expect
    .poll(async () => (await vm.machine.cpu.registers()).find(({ name }) => name === 'rip')?.value, { timeout: 60_000 })
    .toBe(0x7c02n);
  await expect(vm.machine.keyboard.type('abcdefgh', signal)).rejects.toMatchObject({
    type: 'WRONG_STATE',
    message: 'The guest does not read its keyboard: it took 0 of 8 characters.',
  });
});

test('text mode is read as text, in any colour', async () => {
  await using lab = new Lab();
  const vm = await lab.start({ drives: [`${lab.file('sector.img', bootSector)},floppy`], memory: 16 });
  await vm.printed(/READY/);
  const text = await vm.machine.screen.text();
  expect(text).toMatchObject({ columns: 80, rows: 25 });
  expect(text?.lines[0]).toMatch(/^SeaBIOS/);
  expect(text?.lines).toContain('READY');
  expect(text?.cursor).toEqual({ column: 0, row: (text?.lines.indexOf('READY') ?? 0) + 1 });
  expect(text?.colours?.[0]).toBe(7);
  const letter = vm.output().length;
  await vm.machine.keyboard.type('k', signal);
  await vm.send('z');
  await vm.printed(/z/, { from: letter });
  expect((await vm.machine.screen.text())?.lines.join('\n')).toContain('z');
});

test('a machine without display and keyboard says so', async () => {
  await using lab = new Lab();
  const vm = await lab.start({ arch: 'riscv64', memory: 16, bios: lab.file('rv.bin', riscv64) });
  await vm.printed(/READY/);
  await expect(vm.machine.screen.png()).rejects.toMatchObject({
    type: 'MISSING_CAPABILITY',
    message: 'This machine has no display device.',
  });
  await expect(vm.machine.keyboard.type('a', signal)).rejects.toThrow('no keyboard');
  await expect(vm.machine.mouse.moveBy(1, 1)).rejects.toThrow('no mouse');
});

test('a picture, VNC and channels', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const options = {
    arch: 'riscv64',
    memory: 32,
    bios: lab.file('rv.bin', riscv64),
    gpu: 'on',
    vnc: true,
    channels: ['data'],
  };
  const vm = await lab.start(options);
  await vm.printed(/READY/);
  expect(vm.machine.console.ports.map(({ name }) => name)).toEqual(['qemu-1', 'qemu-1.data']);
  expect(await vm.machine.screen.size()).toMatchObject({ width: 640, height: 480 });
  const vnc = /VNC for a person: 127\.0\.0\.1:(\d+), password (\S{8})$/.exec(vm.machine.introduction().join('\n'));
  const [port, password = ''] = [Number(vnc?.[1]), vnc?.[2]];
  expect(await rfbLogin(port, password)).toEqual({ security: [2], size: [640, 480] });
  expect(await rfbLogin(port, 'guessed!')).toEqual({ security: [2], refused: 'Authentication failed' });
  await expect.poll(() => vm.events('vnc_connected')).toHaveLength(2);
  await expect.poll(() => vm.events('vnc_initialized')).toHaveLength(1);
});

test('serial ports that a board has not are plugged in or refused', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const kernel = lab.file('a64.elf', aarch64);
  const vm = await lab.start({ arch: 'aarch64', memory: 16, kernel, serial_ports: 3 });
  await vm.printed(/READY/);
  const lines: unknown = JSON.parse((await vm.machine.monitor?.execute('qmp', 'query-chardev', {})) ?? '');
  for (const label of ['ser0', 'ser1', 'ser2']) {
    expect(lines).toContainEqual(expect.objectContaining({ label, 'frontend-open': true }));
  }
  expect(await lab.refusal({ machine: 'microvm', serial_ports: 2 })).toMatchObject({
    message: 'This board has 1 serial port, not 2.',
    fix: expect.stringContaining('"serial_ports":1'),
  });
  expect((await lab.refusal({ arch: 's390x', serial_ports: 2 })).fix).toContain('lower "serial_ports"');
  expect(lab.rack.machines).toHaveLength(1);
});

test('a display that left the text mode shows no text of before', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const { machine } = await lab.start({ memory: 16, gpu: 'vmware' });
  await expect
    .poll(async () => (await machine.screen.text())?.lines.join('\n'), { timeout: 60_000 })
    .toContain('No bootable device');
  const hmp = async (line: string) => String(await machine.monitor?.execute('hmp', line, {}));
  const ports = Number(/VGA controller[\s\S]*?I\/O at (0x[0-9a-f]+)/.exec(await hmp('info pci'))?.[1]);
  // Registers of the adapter behind an index: its version, width, height, depth, on, and that all is set.
  for (const [index, value] of [
    [0, 0x90000002],
    [2, 800],
    [3, 600],
    [7, 32],
    [1, 1],
    [20, 1],
  ]) {
    await hmp(`o /w 0x${ports.toString(16)} ${index}`);
    await hmp(`o /w 0x${(ports + 1).toString(16)} ${value}`);
  }
  expect(await machine.screen.size()).toMatchObject({ width: 800, height: 600 });
  expect(await machine.screen.text()).toBeUndefined();
});

test('a machine that is off has given its lock back, and has no power switch any more', {
  timeout: 180_000,
}, async () => {
  const lock = `test-${process.pid}-off`;
  await using lab = new Lab({ settings: { ...settings, lock } });
  const vm = await lab.start({ arch: 'riscv64', memory: 16, bios: lab.file('rv.bin', riscv64) });
  const options = { owner: 'another', folder: lab.folder };
  await expect(acquireLock(lock, options)).rejects.toMatchObject({ type: 'BUSY' });
  await vm.machine.monitor?.execute('qmp', 'quit', {});
  await vm.until('the end', () => vm.events('machine_off').length > 0);
  await expect
    .poll(() => acquireLock(lock, options).then((held) => held[Symbol.asyncDispose]().then(() => true)))
    .toBe(true);
  await expect(vm.machine.control.reset('hard')).rejects.toMatchObject({ type: 'WRONG_STATE', message: /is off/ });
  expect(vm.machine.status().state).toBe('OFF');
  expect(isRunning(vm.machine.pid)).toBe(false);
});

test('names without a folder lead to no files beside the firmware', { timeout: 180_000 }, async () => {
  await using lab = new Lab({ settings, files: new AllowedFiles({ read: [], write: [] }) });
  await expect(lab.start({ bios: 'package.json' })).rejects.toMatchObject({ type: 'PATH_NOT_ALLOWED' });
  const { machine } = await lab.start({ memory: 16, bios: 'bios-256k.bin' });
  expect(readlinkSync(`/proc/${machine.pid}/cwd`)).not.toBe(process.cwd());
  expect((await lab.refusal({ bios: 'no-such.bin' })).fix).toContain('Check "bios"');
});

test('what QEMU could not do as asked is said at the start', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const { machine } = await lab.start({ arch: 'arm', machine: 'raspi2b', network: 'user', paused: true });
  expect(machine.introduction().join('\n')).toMatch(/QEMU warns: .*NIC.* was not created/);
  const { machine: modern } = await lab.start({ cpu: 'Skylake-Client', memory: 16, paused: true });
  expect(modern.introduction().join('\n')).not.toContain('warns');
});

test('eight machines at once; one is killed and its last words stay', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const bios = lab.file('rv.bin', riscv64);
  const kernel = lab.file('a64.elf', aarch64);
  const vms = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      lab.start(at % 2 === 0 ? { arch: 'riscv64', memory: 16, bios } : { arch: 'aarch64', memory: 16, kernel }),
    ),
  );
  await Promise.all(vms.map((vm) => vm.printed(/READY/)));
  await Promise.all(vms.map((vm, at) => vm.send(String(at))));
  await Promise.all(vms.map((vm, at) => vm.printed(new RegExp(`READY\r\n${at}`))));
  const [victim, ...others] = vms;
  if (!victim) throw new Error('no machine');
  process.kill(victim.machine.pid, 'SIGKILL');
  await victim.until('the end', () => victim.events('machine_off').length > 0);
  expect(victim.machine.status().state).toBe('OFF');
  expect(victim.machine.status().notes).toEqual(['QEMU was killed by SIGKILL']);
  expect(victim.events('machine_off')[0]?.data).toMatchObject({ code: null, signal: 'SIGKILL' });
  expect(victim.output()).toBe('READY\r\n0');
  await expect.poll(() => victim.port.link.state).toBe('ended');
  await expect(victim.machine.memory.peek('virtual', 0x80000000n, 4)).rejects.toMatchObject({ type: 'WRONG_STATE' });
  await Promise.all(others.map((vm) => vm.send('x')));
  await Promise.all(others.map((vm, at) => vm.printed(new RegExp(`READY\r\n${at + 1}x`))));
});

test('what cannot be started says why and what would help', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const arch = await lab.refusal({ arch: 'pdp11' });
  expect(arch.message).toContain('no qemu-system-pdp11');
  expect(arch.fix).toMatch(/Installed: .*aarch64.*x86_64/);
  const machine = await lab.refusal({ machine: 'toaster' });
  expect(machine.message).toMatch(/unsupported machine type/);
  expect(machine.fix).toMatch(/Machines of qemu-system-x86_64: .*q35/);
  expect((await lab.refusal({ cpu: 'z80' })).fix).toMatch(/Processors of qemu-system-x86_64: .*qemu64/);
  const kernel = await lab.refusal({ kernel: '/nowhere/vmlinuz' });
  expect(kernel.message).toMatch(/could not (?:load|open) kernel|\/nowhere\/vmlinuz/);
  expect((await lab.refusal({ drives: ['/nowhere/disk.img'] })).message).toContain('does not exist');
  expect(await lab.refusal({ accel: 'kvm', arch: 'riscv64' })).toMatchObject({ type: 'UNAVAILABLE' });
  expect(await lab.refusal({ record: true })).toMatchObject({ type: 'UNAVAILABLE' });
  expect((await lab.refusal({ extra: ['-serial', 'stdio'] })).fix).toContain('serial_ports');
  expect((await lab.refusal({ network: 'tap' })).fix).toMatch(/ip tuntap/);
  expect((await lab.refusal({ machine: 'help' })).fix).toMatch(/Machines of qemu-system-x86_64: .*q35/);
  expect((await lab.refusal({ machine: 'pc,no-such=1' })).fix).toContain('correct its name');
  expect((await lab.refusal({ machine: 'isapc', channels: ['x'] })).fix).toContain('no channels');
  expect((await lab.refusal({ extra: ['-device', 'virtio-rng-pci,id=cd0'] })).fix).toContain('another "id"');
  const noFolder = lab.file('file', '');
  expect((await lab.refusal({ work_dir: noFolder })).message).toContain('is not a directory');
  rmSync(noFolder);
  expect(readdirSync(lab.folder)).toEqual([]);
});

test('a QEMU that is not on the path is found where the server was told', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fp-own-'));
  await using lab = new Lab({ settings: { ...settings, qemuFolders: ['/nowhere', folder] } });
  try {
    const real = execFileSync('sh', ['-c', 'command -v qemu-system-riscv64'], { encoding: 'utf8' }).trim();
    writeFileSync(join(folder, 'qemu-system-riscv64'), `#!/bin/sh\nexec ${real} -name own "$@"\n`, { mode: 0o755 });
    const { machine } = await lab.start({ arch: 'riscv64', memory: 16, bios: lab.file('rv.bin', riscv64) });
    expect(await machine.monitor?.execute('hmp', 'info name', {})).toBe('own');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a breakpoint by the name that is in the source stops there and is shown by it', async () => {
  await using lab = new Lab();
  const vm = await lab.start({ arch: 'riscv64', memory: 16, bios: lab.file('rv.bin', riscv64) });
  await vm.printed(/READY/);
  const shape = { wide: true, little: true, machine: 243 };
  const symbols = [
    { name: '_ZNK4uart4Port4readEv', address: at.level1, size: 0x24 },
    { name: '_RNvNtCsekZIssdfibn_5hello4uart4hook', address: at.level2, size: 0x2c },
  ];
  const path = lab.file('guest.elf', buildElf(shape, symbols));
  expect(await lab.call('symbols_load', { path })).toContain('2');
  expect(await lab.call('breakpoint_set', { address: 'uart::Port::read() const' })).not.toContain('ERROR');
  expect(await lab.call('run')).toContain('uart::Port::read() const');
  expect(vm.machine.cpu.pc).toBe(at.level1);
  await lab.call('breakpoint_set', { address: 'hello::uart::hook' });
  expect(await lab.call('run')).toContain('hello::uart::hook');
  expect(vm.machine.cpu.pc).toBe(at.level2);
});

test('the monitor answers, within its limits', async () => {
  await using lab = new Lab({ settings });
  const bios = lab.file('rv.bin', riscv64);
  const vm = await lab.start({ arch: 'riscv64', memory: 16, bios });
  const { machine } = vm;
  const status = async () => JSON.parse((await machine.monitor?.execute('qmp', 'query-status', {})) ?? '{}');
  await vm.until('the first instruction', async () => (await status()).running === true);
  expect(await machine.monitor?.execute('hmp', 'info name', {})).toBe('');
  expect(await machine.monitor?.execute('hmp', 'info version', {})).toMatch(/^\d+\.\d+/);
  await expect(machine.monitor?.execute('qmp', 'query-no-such-thing', {})).rejects.toThrow('has not been found');
  await expect(machine.monitor?.execute('qmp', 'no-such-thing', {})).rejects.toMatchObject({
    type: 'DENIED',
    fix: expect.stringMatching(/^Taken: query-\* .* device_add .*--allow-monitor\.$/),
  });
  await expect(machine.monitor?.execute('qmp', 'pmemsave', { val: 0, size: 1, filename: '/x' })).rejects.toMatchObject({
    type: 'DENIED',
  });
  await expect(machine.monitor?.execute('hmp', 'gdbserver none', {})).rejects.toMatchObject({ type: 'DENIED' });
  const { machine: careful } = await lab.start({ arch: 'riscv64', memory: 16, bios, monitor: 'query' });
  expect(await careful.monitor?.execute('qmp', 'query-name', {})).toBe('{}');
  await expect(careful.monitor?.execute('qmp', 'stop', {})).rejects.toMatchObject({ type: 'DENIED' });
  await expect(careful.monitor?.execute('hmp', 'quit', {})).rejects.toMatchObject({ type: 'DENIED' });
  const { machine: silent } = await lab.start({ arch: 'riscv64', memory: 16, bios, monitor: 'off' });
  expect(silent.monitor).toBeUndefined();
});

test('QEMU does not outlive a server that is killed, and nothing is left behind by one that ends', async () => {
  await using lab = new Lab();
  const bios = lab.file('rv.bin', riscv64);
  const script = new URL('./orphan-process.ts', import.meta.url).pathname;
  const server = spawn(process.execPath, ['--import', 'tsx', script, bios], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = await once(server.stdout, 'data');
  const pid = Number(String(said).trim());
  expect(existsSync(`/proc/${pid}`)).toBe(true);
  server.kill('SIGKILL');
  await expect.poll(() => isRunning(pid), { timeout: 60_000 }).toBe(false);

  const vm = await lab.start({ arch: 'riscv64', memory: 16, bios, powerdown_ms: 100 });
  const own = vm.machine.pid;
  await lab.rack.stop(vm.handle, 'done');
  expect(isRunning(own)).toBe(false);
  expect(vm.events('powerdown'), 'the guest was asked first').toHaveLength(1);
});

function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}

test.for(['PAUSED', 'RUNNING'])('%s and killed: that it is off is seen together with why', async (before) => {
  await using lab = new Lab();
  const bios = lab.file('rv.bin', riscv64);
  for (let round = 0; round < 5; round++) {
    const vm = await lab.start({ arch: 'riscv64', memory: 16, bios, paused: before === 'PAUSED' });
    expect(vm.machine.status().state).toBe(before);
    process.kill(vm.machine.pid, 'SIGKILL');
    const seen = new Set<string>();
    const end = performance.now() + 60_000;
    while (!seen.has('OFF 1') && performance.now() < end) {
      seen.add(`${vm.machine.status().state} ${vm.events('machine_off').length}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect([...seen]).toEqual([`${before} 0`, 'OFF 1']);
    await lab.rack.stop(vm.handle, 'seen');
  }
});
