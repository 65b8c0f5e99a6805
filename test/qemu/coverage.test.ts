import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildKernel, kernelFolder } from '../../examples/kernel/build-kernel.ts';
import { at, image } from './guests/riscv64.ts';
import { Lab, type Vm } from './vm.ts';

const never = new AbortController().signal;
const source = readFileSync(join(kernelFolder, 'kernel.c'), 'utf8').split('\n');

function line(text: string): number {
  const found = source.findIndex((each) => each.includes(text));
  if (found < 0) throw new Error(`kernel.c has no line with ${text}`);
  return found + 1;
}

function asker(lab: Lab, vm: Vm) {
  return (args: Record<string, unknown>) => lab.call('coverage_read', { machine: vm.handle, ...args });
}

test('what ran only when a key came, on a machine that runs', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const vm = await lab.start({ arch: 'riscv64', memory: 16, bios: lab.file('loop.bin', image) });
  const ask = asker(lab, vm);
  await vm.printed(/READY/);
  expect(await ask({ action: 'start', name: 'idle' })).toMatch(/RUNNING[\s\S]*idle: going on, [\d,]+ to [\d,]+ ms/);
  // The code of the loop was translated before the run began and is seen nevertheless.
  const counted = async () =>
    (await vm.machine.coverage.read('idle')).some(({ address }) => address === at.count_store);
  await vm.until('the loop', counted);
  await ask({ action: 'stop', name: 'idle' });
  await ask({ action: 'start', name: 'echo' });
  await vm.ask('x', /x/);
  expect(await ask({ action: 'stop' })).toMatch(/echo: [\d,]+ to/);
  const only = await vm.machine.coverage.read('echo');
  const before = new Set((await vm.machine.coverage.read('idle')).map(({ id }) => id));
  const echo = only.filter(({ id }) => !before.has(id));
  expect(echo.map(({ bytes, isNew }) => [bytes, isNew])).toEqual([
    [4, true],
    [4, true],
    [4, true],
  ]);
  const first = `0x${echo[0]?.address.toString(16).padStart(8, '0')}`;
  const text = await ask({ action: 'read', name: 'echo', without: 'idle' });
  expect(text).toMatch(/echo without idle: 3 instructions ran, 3 for the first time; functions 1-1 of 1/);
  expect(text).toContain(
    `${first} to 0x${((echo[0]?.address ?? 0n) + 11n).toString(16)}: 3 instructions, 3 new, 12 bytes`,
  );
  // Nobody counts how often.
  expect(text).not.toMatch(/runs$/m);
  expect(await ask({ action: 'read', name: 'idle', only_new: true })).toMatch(/idle: [1-9]\d* instructions ran/);
  expect(await ask({ action: 'map' })).toMatch(/records which code runs/);
  expect(await ask({ action: 'read', name: 'nothing' })).toMatch(/There are: idle, echo/);
});

test('two runs from one snapshot, and through a power cycle', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const vm = await lab.start({ arch: 'riscv64', memory: 16, bios: lab.file('loop.bin', image), paused: true });
  const ask = asker(lab, vm);
  const { coverage, control, snapshots } = vm.machine;
  const run = (address: bigint) => control.run({ address, wallMs: 60_000 }, never);
  await run(at.outer);
  await snapshots.save('outer');
  await ask({ action: 'start', name: 'short' });
  // No instruction runs at the start of a run.
  expect(vm.machine.cpu.pc).toBe(at.outer);
  await run(at.level2);
  await ask({ action: 'stop', name: 'short' });
  await snapshots.restore('outer');
  await ask({ action: 'start', name: 'long' });
  await run(at.count_store);
  await ask({ action: 'stop', name: 'long' });
  const [short, long] = [await coverage.read('short'), await coverage.read('long')];
  const inShort = new Set(short.map(({ id }) => id));
  expect(short.every(({ id }) => long.some((each) => each.id === id))).toBe(true);
  const more = long.filter(({ id }) => !inShort.has(id)).map(({ address }) => address);
  expect(more).toEqual(expect.arrayContaining([at.level2, at.scratch_store, at.after_level1]));
  expect(more).not.toContain(at.outer);
  await ask({ action: 'start', name: 'boot' });
  await control.reset('hard');
  await run(at.outer);
  const boot = await coverage.read('boot');
  expect(boot.map(({ address }) => address)).toContain(0x80000000n);
  expect(boot.length).toBeGreaterThan(10);
  await ask({ action: 'delete', name: 'boot' });
  expect(coverage.runs.map(({ name, active }) => [name, active])).toEqual([
    ['short', false],
    ['long', false],
  ]);
});

test('functions, lines, and the difference of two machines', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const kernel = buildKernel();
  const boot = async (append: string, words: RegExp) => {
    const vm = await lab.start({ memory: 32, gpu: 'none', kernel, append, paused: true });
    await lab.call('symbols_load', { machine: vm.handle, path: kernel });
    const ask = asker(lab, vm);
    await ask({ action: 'start', name: 'boot' });
    await vm.machine.control.run({ wallMs: 10 }, never);
    await vm.printed(words);
    await ask({ action: 'stop' });
    return ask;
  };
  const plain = await boot('nothing', /DONE/);
  const division = await boot('division', /PANIC/);
  const all = await division({ action: 'read', name: 'boot', limit: 200 });
  expect(all).toMatch(/0x[0-9a-f]+ average: \d+ instructions, \d+ new, \d+ of \d+ bytes$/m);
  expect(all).toMatch(/ print: /);
  const difference = await division({ action: 'read', without: 'boot', without_machine: 'qemu-1', limit: 200 });
  expect(difference).toMatch(/boot without boot of qemu-1/);
  expect(difference).toMatch(/ average: /);
  expect(difference).toMatch(/ on_exception: /);
  expect(difference).not.toMatch(/ set_up: | find_task: | print: /);
  const lines = await division({ action: 'read', by: 'line' });
  const [, ran = '', missed = ''] = /kernel\.c: \d+ of \d+ lines ran: ([\d, -]+); not ([\d, -]+)/.exec(lines) ?? [];
  expect(isIn(line('return sum / sample_count'), ran)).toBe(true);
  expect(isIn(line('if (each->id == id) return each;'), missed)).toBe(true);
  const onlyHere = await division({ action: 'read', by: 'line', without: 'boot', without_machine: 'qemu-1' });
  const [, those = ''] = /kernel\.c: \d+ lines ran: ([\d, -]+)$/m.exec(onlyHere) ?? [];
  expect(isIn(line('return sum / sample_count'), those)).toBe(true);
  expect(isIn(line('load_idt(sizeof idt - 1)'), those)).toBe(false);
  expect(await plain({ action: 'read', by: 'line', without: 'boot', without_machine: 'nobody' })).toMatch(/nobody/);
});

/** `41-44, 50` */
function isIn(wanted: number, ranges: string): boolean {
  return ranges.split(', ').some((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return wanted >= from && wanted <= to;
  });
}

test('what a machine logs besides is still read, and blocks are not shown with it', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const kernel = buildKernel();
  const vm = await lab.start({ memory: 32, gpu: 'none', kernel, append: 'division', log: ['int'], paused: true });
  await lab.call('symbols_load', { machine: vm.handle, path: kernel });
  await asker(lab, vm)({ action: 'start', name: 'boot' });
  await vm.machine.control.run({ wallMs: 10 }, never);
  await vm.printed(/PANIC/);
  const log = vm.machine.console.ports.find(({ name }) => name.endsWith('.log'));
  await asker(lab, vm)({ action: 'stop' });
  expect(vm.output(log)).toMatch(/v=00/);
  expect(vm.output(log)).not.toMatch(/^IN:/m);
  expect(await lab.call('crash_explain', { machine: vm.handle })).toMatch(/division/);
});
