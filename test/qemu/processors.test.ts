import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { at as aarch64 } from './guests/aarch64-smp.ts';
import { breakpoint, debugGuest } from './guests/debug-guest.ts';
import { at as riscv64, image as riscv64Image } from './guests/riscv64-smp.ts';
import { at as x86 } from './guests/x86-smp.ts';
import { Lab } from './vm.ts';

/** `own` are the processors that run in the code of `at`; on the PC the first one is in 64-bit mode elsewhere. */
const guests = {
  riscv64Smp: { at: riscv64, counters: 0x80001000n, firstOwn: 0 },
  aarch64Smp: { at: aarch64, counters: 0x40180000n, firstOwn: 0 },
  x86Smp: { at: x86, counters: 0x9000n, firstOwn: 1 },
} as const;

const cases = (['riscv64Smp', 'aarch64Smp', 'x86Smp'] as const).flatMap((name) =>
  [2, 4].map((count) => ({ name, count })),
);

describe.for(cases)('$name with $count processors', { timeout: 60_000 }, ({ name, count }) => {
  const { at, counters, firstOwn } = guests[name];
  const last = count - 1;

  async function running() {
    const all = await debugGuest(name, ['-smp', String(count)]);
    await all.own.release();
    await all.guest.prints('READY');
    // 16 bits on the PC, where the others count in real mode.
    const counts = async () => {
      const bytes = Buffer.from(await all.memory.peek('physical', counters, 64 * count));
      return Array.from({ length: count }, (_, n) => bytes.readUInt16LE(64 * n));
    };
    await expect.poll(async () => (await counts()).every((each) => each > 0), { timeout: 60_000 }).toBe(true);
    const selected = async () => (await all.cpu.vcpus()).find((each) => each.selected)?.index ?? -1;
    const places = async () => (await all.cpu.vcpus()).map(({ pc }) => pc);
    return { ...all, counts, selected, places };
  }

  test('the one that stopped is stepped, and the others stay where they are', async () => {
    const { run, step, cpu, breakpoints, counts, selected, places, own } = await running();
    const { id } = await breakpoints.set(breakpoint(at.loop));
    expect(await run()).toMatchObject({ cause: 'breakpoint', breakpoint: { id } });
    const stopped = await selected();
    expect(cpu.pc).toBe(at.loop);
    expect(own.status().notes).toEqual([`vcpu ${stopped} of ${count}`]);
    const [before, where] = [await counts(), await places()];
    for (const next of [at.tick, undefined, at.count_store, at.counted, at.after_tick]) {
      await step();
      if (next !== undefined) expect(cpu.pc).toBe(next);
      expect(await selected()).toBe(stopped);
    }
    const after = await counts();
    expect(after.map((each, n) => each - (before[n] ?? 0))).toEqual(before.map((_, n) => (n === stopped ? 1 : 0)));
    expect((await places()).filter((_, n) => n !== stopped)).toEqual(where.filter((_, n) => n !== stopped));
  });

  test('a condition chooses one; steps over and out of what all run through are its own', async () => {
    const { run, step, cpu, breakpoints, selected, counts } = await running();
    const { id } = await breakpoints.set(breakpoint(at.loop, { condition: `vcpu == ${last}` }));
    expect(await run()).toMatchObject({ breakpoint: { id } });
    expect(await selected()).toBe(last);
    const [before] = (await counts()).slice(last);
    expect(await step('over')).toMatchObject({ cause: 'step' });
    expect([cpu.pc, await selected()]).toEqual([at.after_tick, last]);
    expect((await counts())[last]).toBe(((before ?? 0) + 1) & 0xffff);
    await breakpoints.delete(id);
    await breakpoints.set(breakpoint(at.count_store, { condition: `vcpu == ${last}`, temporary: true }));
    await run();
    expect([cpu.pc, await selected()]).toEqual([at.count_store, last]);
    expect(await step('out')).toMatchObject({ cause: 'step' });
    expect([cpu.pc, await selected()]).toEqual([at.after_tick, last]);
  });

  test('no arrival of any of them is missed', async () => {
    const { run, breakpoints, counts, selected, control, cpu } = await running();
    await control.pause();
    await breakpoints.set(breakpoint(at.count_store));
    // Those that are already after it count once without having been seen.
    await run();
    const [before, hits] = [await counts(), Array.from({ length: count }, () => 0)];
    const first = await selected();
    // QEMU may let the same one go first for a long time.
    const enough = (round: number) => round >= 40 && hits.slice(firstOwn).every((each) => each > 0);
    for (let round = 0; round < 120 && !enough(round); round++) {
      await run();
      expect(cpu.pc).toBe(at.count_store);
      const index = await selected();
      hits[index] = (hits[index] ?? 0) + 1;
    }
    const after = await counts();
    for (let n = firstOwn; n < count; n++) {
      const counted = ((after[n] ?? 0) - (before[n] ?? 0)) & 0xffff;
      // The one that stands in front of its store has been seen there once more than it counted, or once less.
      expect(Math.abs(counted - (hits[n] ?? 0)), `processor ${n} of ${hits}, ${first} first`).toBeLessThanOrEqual(1);
    }
  });

  test('a watchpoint knows who wrote', async () => {
    const { run, breakpoints, selected, counts } = await running();
    const address = counters + 64n * BigInt(last);
    const { id } = await breakpoints.set(breakpoint(address, { type: 'write', length: 2 }));
    for (let round = 0; round < 3; round++) {
      const before = (await counts())[last] ?? 0;
      expect(await run()).toMatchObject({ breakpoint: { id, type: 'write' } });
      expect(await selected()).toBe(last);
      if (round > 0) expect((await counts())[last]).toBe((before + 1) & 0xffff);
    }
  });
});

test('processors in different modes are each read in their own', async () => {
  const { run, cpu, breakpoints, own, guest } = await debugGuest('x86Smp', ['-smp', '3']);
  await own.release();
  await guest.prints('READY');
  await expect
    .poll(async () => (await cpu.vcpus()).slice(1).every(({ pc }) => pc >= x86.loop && pc <= x86.counted))
    .toBe(true);
  await breakpoints.set(breakpoint(x86.after_first_tick));
  await run();
  const [first, ...others] = await cpu.vcpus();
  expect(first).toEqual({ index: 0, selected: true, pc: x86.after_first_tick });
  expect(await cpu.disassemble(x86.first_tick, 1)).toMatchObject([{ text: expect.stringMatching(/^incq/) }]);
  for (const { index, pc } of others) {
    expect(pc >= x86.loop && pc <= x86.counted, `0x${pc.toString(16)}`).toBe(true);
    const other = await own.processors.named(`vcpu${index}`);
    expect(other.cpu.pc).toBe(pc);
    const code = await other.cpu.disassemble(x86.count_store, 1);
    expect(code).toMatchObject([{ text: expect.stringMatching(/^movw .*%ax/) }]);
  }
});

test('how a processor is chosen is said where there are several', async () => {
  await using lab = new Lab();
  const bios = lab.file('rv.bin', riscv64Image);
  const options = { kind: 'qemu', options: { arch: 'riscv64', memory: 16, bios, paused: true } };
  const one = await lab.call('machine_start', options);
  expect(one).not.toContain('vcpu');
  const three = await lab.call('machine_start', { kind: 'qemu', options: { ...options.options, smp: 3 } });
  expect(three).toContain('Processors: vcpu0 to vcpu2; ');
  const [, cpu = ''] = /"cpu":"(\w+)"/.exec(three) ?? [];
  const machine = 'qemu-2';
  await lab.call('registers_write', { machine, cpu, values: { s2: '0x1234' } });
  expect(await lab.call('state_read', { machine, cpu })).toMatch(/^vcpu1: .*s2=0*1234/m);
  expect(await lab.call('state_read', { machine })).toMatch(/vcpu 0 of 3.*s2=0*0 /s);
  expect(await lab.call('memory_read', { machine, cpu, address: 's2', length: 1 })).toMatch(
    /0x00001234|no virtual memory/,
  );
  expect(await lab.call('step', { machine, cpu, count: 3 })).toMatch(/vcpu 1 of 3/);
  expect(await lab.call('state_read', { machine, cpu: 'vcpu3' })).toContain('Processors: vcpu0, vcpu1, vcpu2.');

  // A core file has all of them.
  const path = join(lab.folder, 'three.core');
  await lab.call('crash_dump', { machine, path });
  await lab.call('machine_start', { kind: 'qemu', name: 'dead', options: { core: path } });
  const seen = async (which: string) => {
    const states: string[] = [];
    for (const each of ['vcpu0', 'vcpu1', 'vcpu2']) {
      states.push((await lab.call('state_read', { machine: which, cpu: each })).replace(/^.*\n/, ''));
      states.push((await lab.call('evaluate', { machine: which, cpu: each, expression: '$s2' })).replace(/^.*\n/, ''));
    }
    return states;
  };
  const live = await seen(machine);
  expect(live.filter((text) => text.startsWith('(register)'))).toEqual([
    '(register) 0',
    '(register) 4660 (0x1234)',
    '(register) 0',
  ]);
  expect(await seen('dead')).toEqual(live);
});
