import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { at as aarch64, image as aarch64Elf } from './guests/aarch64.ts';
import { at as arm, image as armElf } from './guests/arm.ts';
import { breakpoint, debugGuest } from './guests/debug-guest.ts';
import { at as riscv64 } from './guests/riscv64.ts';
import type { GuestName } from './guests/start-guest.ts';
import { at as x86Long } from './guests/x86-long.ts';
import { at as x86Real } from './guests/x86-real.ts';

const upperHalf = 0xffffffff80000000n;

describe('registers', () => {
  test.for<[GuestName, bigint, readonly string[], number]>([
    ['riscv64', riscv64.outer, ['zero', 'ra', 'sp', 'fp', 's1', 'a0', 'pc'], 33],
    ['aarch64', aarch64.outer, ['x0', 'x30', 'sp', 'pc', 'cpsr'], 34],
    ['arm', arm.outer, ['r0', 'r12', 'sp', 'lr', 'pc', 'cpsr'], 17],
    ['x86Long', x86Long.outer + upperHalf, ['rax', 'r15', 'rip', 'eflags', 'cs', 'cr0', 'efer'], 33],
    ['i386Real', x86Real.outer, ['eax', 'eip', 'eflags', 'cs', 'cr0'], 22],
  ])('of %s are those it describes', async ([name, place, some, count]) => {
    const { run, cpu, own } = await debugGuest(name);
    await run({ address: place });
    const registers = await cpu.registers();
    expect(registers.map((register) => register.name)).toEqual(expect.arrayContaining([...some]));
    expect(registers.length).toBeGreaterThanOrEqual(count);
    expect(registers.every(({ bits, value }) => bits <= 64 && value < 1n << BigInt(bits))).toBe(true);
    const all = await cpu.allRegisters();
    expect(all.length).toBeGreaterThan(registers.length);
    for (const { name: each, value, bits } of registers.filter(({ name: one }) => /^(?:[re]?ax|x5|t0|r2)$/.test(one))) {
      const other = (1n << BigInt(Math.min(bits, 31))) - 5n;
      await cpu.setRegister(each, other);
      expect(await cpu.register(each)).toBe(other);
      await cpu.setRegister(each, value);
    }
    expect(own.status().where).toBe(own.addresses.format(place));
  });

  test('of x86-64 are numbered right behind those that are commented out', async () => {
    const { run, cpu } = await debugGuest('x86Long');
    await run({ address: x86Long.outer + upperHalf });
    const all = new Map((await cpu.allRegisters()).map(({ name, value }) => [name, value]));
    expect(all.get('mxcsr')).toBe(0x1f80n);
    expect(all.get('cr3')).toBe(0x1000n);
    expect(all.get('rbx')).toBe(upperHalf + 0x8000n);
    expect((await cpu.registers()).find(({ name }) => name === 'eflags')?.flags).toMatch(/^[oditszapc]{9}$/i);
    await cpu.setRegister('rax', 0x1122334455667788n);
    await cpu.setRegister('ah', 0xeen);
    expect([await cpu.register('rax'), await cpu.register('eax'), await cpu.register('al')]).toEqual([
      0x112233445566ee88n,
      0x5566ee88n,
      0x88n,
    ]);
    await expect(cpu.setRegister('al', 256n)).rejects.toMatchObject({ fix: 'Use a value from 0 to 0xff.' });
    await cpu.setRegister('al', -1n);
    expect(await cpu.register('al')).toBe(0xffn);
  });

  test('that do not take a value say so', async () => {
    const { cpu } = await debugGuest('riscv64');
    await expect(cpu.setRegister('zero', 5n)).rejects.toThrow(/zero was told 0x5 and holds 0x0/);
    await cpu.setRegister('x31', 7n);
    expect(await cpu.register('t6')).toBe(7n);
    const real = await debugGuest('x86Real');
    await expect(real.cpu.setRegister('rax', 1n << 40n)).rejects.toThrow(/keeps only that/);
  });
});

test('outside of 64-bit mode, places in other segments are linear addresses', async () => {
  const { cpu, own, breakpoints, run, memory } = await debugGuest('x86Real');
  // Before the first instruction the base of the code is not what its selector says.
  expect(cpu.pc).toBe(0xfffffff0n);
  const [first] = await cpu.disassemble(cpu.pc, 1);
  expect(first?.text).toMatch(/^ljmp/);
  expect([...(first?.bytes ?? [])]).toEqual([
    ...(await memory.peek('physical', 0xfffffff0n, first?.bytes.length ?? 0)),
  ]);
  await run({ address: x86Real.put });
  expect(cpu.pc).toBe(x86Real.put);
  // The interrupt goes into the video BIOS: somewhere above 0xc0000, in 16 bits.
  const vector = await memory.peek('physical', 0x40n, 4);
  const [low = 0, high = 0, segmentLow = 0, segmentHigh = 0] = vector;
  const handler = BigInt((low | (high << 8)) + ((segmentLow | (segmentHigh << 8)) << 4));
  const hit = await breakpoints.set(breakpoint(handler));
  expect(await run()).toMatchObject({ breakpoint: { id: hit.id } });
  expect(cpu.pc).toBe(handler);
  expect(own.status().where).toBe(own.addresses.format(handler));
});

describe('symbols from the guest itself', () => {
  test.for<[GuestName, Uint8Array, typeof aarch64 | typeof arm]>([
    ['aarch64', aarch64Elf, aarch64],
    ['arm', armElf, arm],
  ])('%s: breakpoints by name, names and lines in every place', async ([name, bytes, at]) => {
    const { run, own, cpu, breakpoints, step } = await debugGuest(name);
    const loaded = await own.symbols.load({ name: 'guest', bytes }, 0n);
    expect(loaded.notes).toEqual(['lines of 1 source files']);
    const source = (await readFile(new URL(`./guests/${name}.s`, import.meta.url), 'utf8')).split('\n');
    const lineOf = (label: string) => source.findIndex((line) => line.startsWith(`${label}:`)) + 1;
    await breakpoints.set(breakpoint(own.addresses.symbols.address('level2') ?? 0n));
    await run();
    expect(own.status().where).toBe(`${own.addresses.format(at.level2)} level2 (${name}.s:${lineOf('level2')})`);
    expect(own.addresses.symbols.describe(at.level2, 0n)).toBe('level2');
    await step('into', 2);
    expect(own.status().where).toContain(`(${name}.s:${lineOf('body')})`);
    const [{ from } = { from: 0n }] = await cpu.callStack();
    expect(own.addresses.symbols.describe(from)).toMatch(/^level1\+8 /);
    await step('out');
    expect(cpu.pc).toBe(at.after_level2);
  });
});

test('memory is read and written across the limit of one packet', async () => {
  const { memory } = await debugGuest('riscv64');
  const bytes = Uint8Array.from({ length: 5000 }, (_, n) => (n * 7) & 0xff);
  await memory.poke('virtual', 0x80100001n, bytes);
  expect(await memory.peek('physical', 0x80100001n, 5000)).toEqual(bytes);
  expect([...(await memory.peek('virtual', 0x80100000n, 3))]).toEqual([0, 0, 7]);
  expect((await memory.peek('virtual', 0x80100001n, 2049)).length).toBe(2049);
  // Where nothing is, QEMU 7.2 reads zeros, and QEMU 11 says so.
  const nothing = memory.peek('physical', 0x30_0000_0000n, 4).then(
    (read) => [...read],
    (error: unknown) => String(Reflect.get(Object(error), 'type')),
  );
  expect([[0, 0, 0, 0], 'ADDRESS_OUT_OF_BOUNDS']).toContainEqual(await nothing);
});

test('code that is not there cannot be disassembled', async () => {
  const { run, cpu } = await debugGuest('x86Long');
  await run({ address: x86Long.outer + upperHalf });
  await expect(cpu.disassemble(0xdead00000000n, 2)).rejects.toMatchObject({ type: 'ADDRESS_OUT_OF_BOUNDS' });
  const code = await cpu.disassemble(x86Long.outer + upperHalf, 4);
  expect(code.map(({ address }) => address)).toEqual(
    [x86Long.outer, x86Long.after_level1, x86Long.after_count, x86Long.level1].map((each) => each + upperHalf),
  );
  expect(code[1]).toMatchObject({ text: 'incq (%rbx)', bytes: Uint8Array.of(0x48, 0xff, 0x03) });
});
