import { existsSync, rmSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { image as aarch64, at as aarch64At } from './guests/aarch64-semihosting.ts';
import { at, image as cortexM } from './guests/cortex-m-semihosting.ts';
import { image as riscv64, at as riscv64At } from './guests/riscv64-semihosting.ts';
import { Lab, type Vm } from './vm.ts';

/** The guests try to make it. */
const forbidden = '/tmp/semihosting-was-here';
beforeEach(() => rmSync(forbidden, { force: true }));

const { signal } = new AbortController();
const isOff = (vm: Vm) => vm.until('its end', () => vm.machine.status().state === 'OFF');
const portOf = (vm: Vm) => {
  const port = vm.machine.console.ports.find(({ name }) => name.endsWith('.semihosting'));
  if (!port) throw new Error('no console');
  return port;
};

test('what a guest prints is a console; files and programs of this computer are refused', async () => {
  await using lab = new Lab();
  const kernel = lab.file('guest,with comma.elf', aarch64);
  const vm = await lab.start({ arch: 'aarch64', kernel, semihosting: true, paused: true });
  expect(vm.machine.introduction().join('\n')).toContain('.semihosting (semihosting)');
  const { control } = vm.machine;
  // A run to a place goes through all calls on the way there.
  expect(await control.run({ wallMs: 60_000, address: aarch64At.ended }, signal)).toMatchObject({
    cause: 'breakpoint',
  });
  expect(vm.output(portOf(vm))).toMatch(/bye\n$/);
  await control.run({ wallMs: 60_000 }, signal);
  await isOff(vm);
  expect(vm.output(portOf(vm))).toBe('hello from the guest\n!refused\nrefused\nrefused\ndone\nbye\n');
  expect(existsSync(forbidden)).toBe(false);
  expect(vm.events('semihosting_refused').map(({ text }) => text)).toEqual([
    `the guest asked this computer by semihosting: open "${forbidden}"; refused`,
    `the guest asked this computer by semihosting: system "touch ${forbidden}"; refused`,
    `the guest asked this computer by semihosting: unlink "${forbidden}"; refused`,
  ]);
  expect(vm.events('machine_off')).toMatchObject([{ text: 'the guest has ended it by semihosting, with code 7' }]);
});

test('it is the same on RISC-V', async () => {
  await using lab = new Lab();
  const vm = await lab.start({
    arch: 'riscv64',
    bios: lab.file('guest.bin', riscv64),
    semihosting: true,
    paused: true,
  });
  await vm.machine.control.run({ wallMs: 60_000, address: riscv64At.ended }, signal);
  expect(vm.machine.cpu.pc).toBe(riscv64At.ended);
  await vm.machine.control.run({ wallMs: 60_000 }, signal);
  await isOff(vm);
  expect(vm.output(portOf(vm))).toBe('hello from the guest\nrefused\n');
  expect(existsSync(forbidden)).toBe(false);
});

test('a Cortex-M that calls without end is paused, stepped, stopped at breakpoints and reset as any other', async () => {
  await using lab = new Lab();
  const kernel = lab.file('guest.elf', cortexM);
  const vm = await lab.start({ arch: 'arm', machine: 'mps2-an385', kernel, semihosting: true });
  await vm.printed(/(?:hello from the guest\nrefused\n){3}/, { port: portOf(vm) });
  const { control, breakpoints, memory } = vm.machine;
  for (let n = 0; n < 20; n++) {
    expect(await control.pause()).toMatchObject({ cause: 'halt' });
    await control.run({ wallMs: 20 }, signal);
  }
  const counted = async () => (await memory.peek('physical', 0x20000800n, 4))[0];
  const before = await counted();
  const spec = { type: 'exec', length: 1, logOnly: false, temporary: true } as const;
  await breakpoints.set({ ...spec, address: at.count });
  const stop = await control.run({ wallMs: 60_000 }, signal);
  expect(stop).toMatchObject({ cause: 'breakpoint' });
  await control.step({ kind: 'into', count: 8, back: false, wallMs: 60_000 }, signal);
  expect(await counted()).not.toBe(before);
  const output = vm.output(portOf(vm));
  expect(output.replaceAll('hello from the guest\nrefused\n', '')).toMatch(/^(?:hello from the guest\n)?$/);
  await control.reset('soft');
  await control.run({ wallMs: 20 }, signal);
  await vm.printed(/refused\n/, { port: portOf(vm), from: output.length });
  expect(existsSync(forbidden)).toBe(false);
  // So that a guest cannot fill the list of events.
  expect(vm.events('semihosting_refused')).toHaveLength(20);
});

test('where it would not be safe, or could not be right, it is refused', async () => {
  await using lab = new Lab();
  const refused = async (options: Record<string, unknown>) =>
    (await lab.refusal({ semihosting: true, ...options })).message;
  expect(await refused({ arch: 'x86_64' })).toContain('on its own');
  expect(await refused({ arch: 'xtensa' })).toContain('on its own');
  expect(await refused({ arch: 'aarch64', smp: 2 })).toContain('only where there is one');
  expect(await refused({ arch: 'aarch64', record: true })).toContain('cannot be recorded');
  expect(await refused({ arch: 'aarch64', accel: 'kvm' })).toContain('software emulation');
  expect(await refused({ arch: 'riscv64', machine: 'sifive_u' })).toContain('only where there is one');
  expect(await refused({ arch: 'aarch64', channels: ['semihosting'] })).toContain('Two consoles');
});
