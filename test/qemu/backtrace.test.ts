import { expect, test } from 'vitest';
import { at as arm, image as armElf } from './guests/cortex-m.ts';
import { debugGuest } from './guests/debug-guest.ts';
import { at, image } from './guests/x86-calls.ts';

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
