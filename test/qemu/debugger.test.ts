import { describe, expect, test } from 'vitest';
import { at as aarch64 } from './guests/aarch64.ts';
import { at as arm } from './guests/arm.ts';
import { breakpoint, debugGuest } from './guests/debug-guest.ts';
import { at as riscv64 } from './guests/riscv64.ts';
import { at as riscv64Paged } from './guests/riscv64-paged.ts';
import { at as x86Long } from './guests/x86-long.ts';
import { at as x86Real } from './guests/x86-real.ts';

const upperHalf = 0xffffffff80000000n;

/** What is the same in all guests: where they call, count and store. */
const programs = {
  riscv64: { guest: 'riscv64', at: riscv64, counter: 0x80001000n, base: 0n },
  aarch64: { guest: 'aarch64', at: aarch64, counter: 0x40180000n, base: 0n },
  arm: { guest: 'arm', at: arm, counter: 0x40180000n, base: 0n },
  'x86 in 64-bit mode': { guest: 'x86Long', at: x86Long, counter: upperHalf + 0x8000n, base: upperHalf },
  'x86 in real mode': { guest: 'x86Real', at: x86Real, counter: 0x8000n, base: 0n },
  'i386 in real mode': { guest: 'i386Real', at: x86Real, counter: 0x8000n, base: 0n },
} as const;

describe.for(Object.entries(programs))('%s', ([, { guest: name, at, counter, base }]) => {
  const place = (label: keyof typeof at) => at[label] + base;

  test('everything a debugger does', async () => {
    const { guest, run, step, word: value, cpu, memory, breakpoints, symbols, own } = await debugGuest(name);

    expect(own.status().state).toBe('PAUSED');
    await own.release();
    await guest.prints('READY');
    expect(own.status()).toEqual({ state: 'RUNNING' });

    // Reading a running machine leaves it running.
    const before = await value(counter);
    await expect.poll(() => value(counter)).toBeGreaterThan(before);
    expect(await guest.status()).toBe('running');

    // A breakpoint stops in front of its instruction, again and again, once per round.
    const outer = await breakpoints.set(breakpoint(place('outer')));
    expect(await run()).toMatchObject({ cause: 'breakpoint', breakpoint: { id: outer.id, type: 'exec' } });
    expect(own.status()).toMatchObject({ state: 'BREAKPOINT' });
    expect(cpu.pc).toBe(place('outer'));
    const rounds = await value(counter);
    for (let round = 1; round <= 3; round++) {
      await run();
      expect([cpu.pc, await value(counter)]).toEqual([place('outer'), rounds + round]);
    }
    expect((await breakpoints.list())[0]?.hits).toBe(4);

    // Over the call, into it, out of it.
    await step('over');
    expect(cpu.pc).toBe(place('after_level1'));
    await run();
    await step('into');
    expect(cpu.pc).toBe(place('level1'));
    await step('out');
    expect(cpu.pc).toBe(place('after_level1'));
    await breakpoints.delete(outer.id);

    // Run to an address, then the way back by frame pointers.
    expect(await run({ address: place('body') })).toMatchObject({ cause: 'breakpoint' });
    expect(cpu.pc).toBe(place('body'));
    const frames = await cpu.callStack();
    expect(frames.map(({ returnsTo }) => returnsTo).slice(0, 2)).toEqual([
      place('after_level2'),
      place('after_level1'),
    ]);
    expect(frames[1]?.from).toBe(place('outer'));
    await step('out');
    expect(cpu.pc).toBe(place('after_level2'));

    // With names, the return is found at once and shown.
    symbols.add([
      ['level1', place('level1')],
      ['level2', place('level2')],
      ['outer', place('outer')],
    ]);
    await run({ address: place('level2') });
    expect(own.status().where).toMatch(/ level2$/);
    // At its first instruction it has no frame yet; who called it is known all the same.
    const [caller, ...callers] = await cpu.callStack();
    expect([caller?.returnsTo, callers[0]?.returnsTo]).toEqual([place('after_level2'), place('after_level1')]);
    await step('out');
    expect(cpu.pc).toBe(place('after_level2'));
    await step('out');
    expect(cpu.pc).toBe(place('after_level1'));
    const [call] = await cpu.disassemble(place('outer'), 1);
    expect(call?.text).toMatch(/level1/);
    expect(call?.bytes.length).toBe(Number(place('after_level1') - place('outer')));

    // Watchpoints: after the write, whichever way QEMU reports it.
    const scratch = counter + 8n;
    const write = await breakpoints.set(breakpoint(scratch, { type: 'write', length: 4 }));
    const was = await value(scratch);
    for (let round = 1; round <= 3; round++) {
      expect(await run()).toMatchObject({
        cause: 'breakpoint',
        breakpoint: { id: write.id, type: 'write' },
        event: { access: { kind: 'write', address: scratch, bytes: 4, value: expect.any(BigInt) } },
      });
      expect(await value(scratch)).toBe(was + 3 * round);
      expect(cpu.pc).toBeGreaterThan(place('scratch_store'));
    }
    await breakpoints.delete(write.id);

    // Conditions over registers, memory and the access; hits count only those that hold.
    const target = (await value(counter)) + 5;
    const when = await breakpoints.set(
      breakpoint(place('outer'), { condition: `dword[0x${counter.toString(16)}] == ${target}` }),
    );
    expect(await run()).toMatchObject({ breakpoint: { id: when.id } });
    expect(await value(counter)).toBe(target);
    expect((await breakpoints.list())[0]?.hits).toBe(1);
    await breakpoints.delete(when.id);

    // Registers and memory can be written.
    await memory.poke('virtual', counter, new Uint8Array(4));
    expect(await value(counter)).toBe(0);
    await cpu.setRegister('pc', place('level2'));
    expect(cpu.pc).toBe(place('level2'));
    await expect(cpu.setRegister('nonsense', 1n)).rejects.toThrow(/No register "nonsense"/);
    await expect(cpu.setRegister('pc', 1n << 70n)).rejects.toThrow(/bits/);
  });
});

test('the paged guest runs in the upper half; physical and virtual addresses differ', async () => {
  const { guest, run, cpu, memory, breakpoints, own } = await debugGuest('riscv64Paged');
  await own.release();
  await guest.prints('READY');
  const upper = (address: bigint) => address - 0x80000000n + 0xffffffffc0000000n;
  await breakpoints.set(breakpoint(upper(riscv64Paged.count_store)));
  await run();
  expect(cpu.pc).toBe(upper(riscv64Paged.count_store));
  const [low, high] = [
    await memory.peek('physical', 0x80001000n, 8),
    await memory.peek('virtual', 0xffffffffc0001000n, 8),
  ];
  expect(low).toEqual(high);
  await expect(memory.peek('virtual', 0x40000000n, 8)).rejects.toMatchObject({ type: 'ADDRESS_OUT_OF_BOUNDS' });
  await memory.poke('physical', 0x80001000n, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8));
  expect([...(await memory.peek('virtual', 0xffffffffc0001000n, 8))]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});
