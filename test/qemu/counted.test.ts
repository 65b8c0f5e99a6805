import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildKernel } from '../../examples/kernel/build-kernel.ts';
import { mayMount, SmallDisk } from '../support/small-disk.ts';
import { at, image } from './guests/riscv64.ts';
import { Lab, restrictedSettings } from './vm.ts';

const never = new AbortController().signal;
const one = { kind: 'into', count: 1, back: false, wallMs: 60_000 } as const;

test('how often each instruction ran, and in which run', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const options = { arch: 'riscv64', memory: 16, bios: lab.file('loop.bin', image), count: true, paused: true };
  const vm = await lab.start(options);
  const { coverage, control } = vm.machine;
  const ask = (args: object) => lab.call('coverage_read', { machine: vm.handle, ...args });
  const run = (address: bigint) => control.run({ address, wallMs: 60_000 }, never);
  const times = async (name: string, address: bigint) =>
    (await coverage.read(name)).find((piece) => piece.address === address)?.executions;
  await run(at.outer);
  await ask({ action: 'start', name: 'rounds' });
  for (let round = 0; round < 5; round++) {
    await run(at.count_store);
    await control.step(one, never);
  }
  await ask({ action: 'stop' });
  expect(await times('rounds', at.count_store)).toBe(5);
  expect(await times('rounds', 0x80000000n)).toBeUndefined();
  await ask({ action: 'start', name: 'once' });
  await run(at.count_store);
  await control.step(one, never);
  expect(await times('once', at.count_store)).toBe(1);
  // What ran before the run began is not new, whether a run saw it or not.
  expect((await coverage.read('once')).every(({ isNew }) => !isNew)).toBe(true);
  expect(await ask({ action: 'read', name: 'rounds', by: 'range' })).toMatch(/instructions, .* bytes, [\d,]+ runs$/m);

  await ask({ action: 'start', name: 'boot' });
  await control.reset('hard');
  await run(at.outer);
  expect(await times('boot', 0x80000000n)).toBe(1);
  // Through the power cycle, what ran before it and after it.
  expect(await times('once', at.count_store)).toBe(1);
  expect(await times('once', 0x80000000n)).toBe(1);
});

test('the instructions of each phase of a boot are the same for the same boot', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const kernel = buildKernel();
  const boot = async (name: string) => {
    const vm = await lab.start({ memory: 32, gpu: 'none', kernel, append: 'nothing', count: true }, name);
    await vm.printed(/DONE/);
    return vm;
  };
  await boot('one');
  await boot('two');
  const marks = ['first=/./', 'done=DONE'];
  expect(await lab.call('boot_read', { machine: 'one', marks })).toMatch(/took [\d.]+ s and [\d,]+ instructions$/m);
  const both = await lab.call('boot_read', { machine: 'one', compare: 'two', marks });
  expect(both).toMatch(/first: at .* and .*, took .*, [\d,]+ and [\d,]+ instructions \([+-][\d,]+\)$/m);
});

test('where nothing can be counted, that is said', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  expect(await lab.refusal({ arch: 'riscv64', record: true, count: true })).toMatchObject({
    message: 'A recording is not counted.',
  });
  expect(await lab.refusal({ accel: 'kvm', count: true })).toMatchObject({
    message: expect.stringContaining('counting needs software emulation'),
  });
  const programs = join(lab.folder, 'programs');
  mkdirSync(programs);
  symlinkSync('/usr/bin/qemu-system-x86_64', join(programs, 'qemu-system-x86_64'));
  const environment = { PATH: programs };
  await using bare = new Lab({ settings: { ...restrictedSettings, environment } });
  expect(await bare.refusal({ count: true })).toMatchObject({
    type: 'UNAVAILABLE',
    message: expect.stringContaining('there is no C compiler (cc) to make one'),
    fix: expect.stringContaining('Install one (Debian: gcc and libc6-dev).'),
  });
  writeFileSync(
    join(programs, 'cc'),
    '#!/bin/sh\necho "counter.c:2: fatal error: fcntl.h: no such file" >&2\nexit 1\n',
    {
      mode: 0o700,
    },
  );
  expect(await bare.refusal({ count: true })).toMatchObject({
    message: expect.stringContaining('cc cannot make the plugin: counter.c:2: fatal error: fcntl.h'),
  });
  const old = '#!/bin/sh\necho "QEMU emulator version 4.1.0"\n';
  writeFileSync(join(programs, 'qemu-system-i386'), old, { mode: 0o700 });
  expect(await bare.refusal({ arch: 'i386', count: true })).toMatchObject({
    message: 'Nothing can be counted: this QEMU (4.1.0) was built without plugins.',
    fix: expect.stringContaining('Leave "count" out'),
  });
});

test.skipIf(!mayMount)(
  'a disk that is full, before or while it counts, is told and ends nothing',
  async () => {
    await using home = new Lab();
    using disk = new SmallDisk(home.folder, '1m');
    await using lab = new Lab({ runtimeDir: disk.folder });
    const options = { memory: 16, gpu: 'none', count: true, paused: true };
    const before = readdirSync(disk.folder);
    // The source and the objects of the compiler, the plugin, and the file with the counts are too much in turn.
    for (const kilobytes of [0, 12, 28, 60]) {
      disk.fill(kilobytes);
      expect(await lab.refusal(options), `${kilobytes} KB free`).toMatchObject({
        type: 'UNAVAILABLE',
        message: expect.stringContaining('is on a disk that is full (ENOSPC)'),
      });
      disk.free();
      expect(readdirSync(disk.folder), 'nothing is left there').toEqual(before);
    }
    const vm = await lab.start(options);
    const { control, coverage } = vm.machine;
    await coverage.start('boot');
    disk.fill();
    const missing = async () => {
      await control.run({ wallMs: 500 }, never);
      await coverage.read('boot');
      return coverage.runs.flatMap(({ notes = [] }) => notes);
    };
    await expect.poll(missing, { timeout: 60_000 }).toEqual([expect.stringContaining('some is missing')]);
    await lab.call('pause', { machine: vm.handle });
    expect(await lab.call('state_read', { machine: vm.handle })).toContain('PAUSED');
  },
  180_000,
);
