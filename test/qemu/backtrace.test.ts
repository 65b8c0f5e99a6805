import { expect, test } from 'vitest';
import { buildKernel } from '../../examples/kernel/build-kernel.ts';
import { at as arm, image as armElf } from './guests/cortex-m.ts';
import { at as faultAt, image as faultElf } from './guests/cortex-m-fault.ts';
import { debugGuest } from './guests/debug-guest.ts';
import { at, image } from './guests/x86-calls.ts';
import { Lab } from './vm.ts';

test.for(['callsI386', 'callsX64'] as const)('%s: frames of a program of 32 bits, to the outermost', async (name) => {
  const { run, own, cpu, step } = await debugGuest(name);
  await own.symbols.load({ name: 'calls', bytes: image }, 0n);
  await run({ address: at.inside_third });
  // Each call has another length; each is found by its bytes.
  const frames = [
    { from: at.bottom, returnsTo: at.after_third },
    { from: at.after_deeper - 5n, returnsTo: at.after_deeper },
    { from: at.after_deeper - 5n, returnsTo: at.after_deeper },
    { from: at.after_second - 2n, returnsTo: at.after_second },
    { from: at.after_first - 5n, returnsTo: at.after_first },
  ];
  expect(await cpu.callStack()).toEqual(frames);
  for (const { returnsTo } of frames) {
    await step('out');
    expect(cpu.pc).toBe(returnsTo);
  }
});

test('cortexM: an exception is a frame whose caller is what it interrupted', async () => {
  const { run, own, cpu, step } = await debugGuest('cortexM');
  await own.symbols.load({ name: 'cortex', bytes: armElf }, 0n);
  await run({ address: arm.inner_body });
  expect(await cpu.callStack()).toEqual([
    { from: arm.after_inner - 4n, returnsTo: arm.after_inner },
    { from: arm.after_svc, returnsTo: arm.after_svc },
    { from: arm.after_worker - 4n, returnsTo: arm.after_worker },
  ]);
  await step('out');
  expect(cpu.pc).toBe(arm.after_inner);
  await step('out');
  expect(cpu.pc).toBe(arm.after_svc);
});

test('x86-64: what an interrupt came to is no call, also after one', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  // Frames are found from the stack pointer alone, which must be that of before the interrupt.
  const kernel = buildKernel('-fomit-frame-pointer');
  const { handle: machine } = await lab.start({ memory: 32, gpu: 'none', kernel, append: 'gate', paused: true });
  await lab.call('symbols_load', { machine, path: kernel });
  await lab.call('run', { machine, until: 'stop' });
  const state = await lab.call('state_read', { machine });
  const calls = [...state.matchAll(/from 0x[0-9a-f]+ (\w+)\S* \(([\w.]+:\d+)\)/g)].map(([, name, line]) => [
    name,
    line,
  ]);
  expect(calls.map(([name]) => name)).toEqual(['on_exception_with_code', 'bad_gate', 'kernel_main', 'start64']);
  // The instruction after the call that loads the table.
  expect(await lab.call('source_read', { machine, address: `${calls[1]?.[1]}` })).toMatch(/> .*int \$0x20/);
});

test('a Cortex-M in a handler of which no table tells: perhaps what it interrupted', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const kernel = lab.file('fault.elf', faultElf);
  const { handle: machine } = await lab.start({ arch: 'arm', machine: 'mps2-an385', kernel, paused: true });
  await lab.call('symbols_load', { machine, path: kernel });
  await lab.call('run', { machine, until: 'handler' });
  expect(await lab.call('state_read', { machine })).toMatch(
    new RegExp(`perhaps called from 0x0*${faultAt.faulting.toString(16)} faulting`),
  );
  expect(await lab.call('crash_explain', { machine })).toMatch(/nothing answers \(0x70000000\) at/);
});
