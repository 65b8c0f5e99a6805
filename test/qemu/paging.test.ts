import { expect, test } from 'vitest';
import { at as arm64At } from './guests/aarch64-paged.ts';
import { debugGuest } from './guests/debug-guest.ts';
import { at as riscvAt } from './guests/riscv64-paged.ts';
import { image as calls, at as callsAt } from './guests/x86-calls.ts';
import { at as longAt } from './guests/x86-long.ts';
import { Lab } from './vm.ts';

type Debugged = Awaited<ReturnType<typeof debugGuest>>;

/** QEMU's own translation, which knows nothing of ours. */
async function translated({ guest }: Debugged, address: bigint): Promise<bigint | undefined> {
  const said = await guest.qmp.hmp(`gva2gpa 0x${address.toString(16)}`);
  const digits = /gpa:\s*0x([0-9a-f]+)/.exec(said)?.[1];
  return digits === undefined ? undefined : BigInt(`0x${digits}`);
}

async function agrees(debugged: Debugged, addresses: readonly bigint[]): Promise<void> {
  for (const address of addresses) {
    const { physical, fault } = await debugged.own.paging.walk(address);
    expect([address, physical]).toEqual([address, await translated(debugged, address)]);
    expect(physical === undefined).toBe(fault !== undefined);
  }
}

function words(size: 4 | 8, entries: Readonly<Record<number, bigint>>): Uint8Array {
  const bytes = Buffer.alloc(4096);
  for (const [index, value] of Object.entries(entries)) {
    if (size === 8) bytes.writeBigUInt64LE(value, 8 * Number(index));
    else bytes.writeUInt32LE(Number(value), 4 * Number(index));
  }
  return bytes;
}

test('four levels of a PC lead where QEMU says', { timeout: 180_000 }, async () => {
  const debugged = await debugGuest('x86Long');
  await debugged.run({ address: longAt.after_level1 + 0xffffffff80000000n });
  const { paging } = debugged.own;
  await agrees(debugged, [0x7c00n, 0xffffffff80008000n, 0x1fffffn, 0x200000n, 0xffffffff80200000n, 0x8000000000n]);
  const walk = await paging.walk(0xffffffff80008123n);
  expect(walk).toMatchObject({
    physical: 0x8123n,
    page: { bytes: 0x200000n, user: false, write: true, execute: true },
  });
  expect(walk.steps.map(({ name, at, value }) => [name, at, value])).toEqual([
    ['PML4[511]', 0x1ff8n, expect.toSatisfy((value: bigint) => (value & ~0x20n) === 0x2003n)],
    ['PDPT[510]', 0x2ff0n, expect.toSatisfy((value: bigint) => (value & ~0x20n) === 0x3003n)],
    ['PD[0]', 0x3000n, expect.toSatisfy((value: bigint) => (value & ~0x60n) === 0x83n)],
  ]);
  expect((await paging.walk(0x800000000000n)).fault).toMatch(/not canonical/);
  expect((await paging.walk(0x200000n)).fault).toMatch(/PD\[1\] at 0x3008 is 0x0: not present/);
  const { ranges, next } = await paging.ranges({ from: 0n, limit: 10 });
  const range = { physical: 0n, user: false, write: true, execute: true };
  expect(next).toBeUndefined();
  // Both entries of the first table lead to the same second one.
  expect(ranges).toEqual([
    { ...range, first: 0n, last: 0x1fffffn },
    { ...range, first: 0x7f80000000n, last: 0x7f801fffffn },
    { ...range, first: 0xffffff8000000000n, last: 0xffffff80001fffffn },
    { ...range, first: 0xffffffff80000000n, last: 0xffffffff801fffffn },
  ]);
  const limited = await paging.ranges({ from: 0n, limit: 1 });
  expect([limited.ranges.length, limited.next]).toEqual([1, 0x7f80000000n]);
  expect((await paging.ranges({ from: limited.next ?? 0n, limit: 1 })).ranges).toEqual([ranges[1]]);
  expect((await paging.ranges({ from: 0n, limit: 9, physical: 0x8000n })).ranges).toHaveLength(4);
  expect((await paging.ranges({ from: 0n, limit: 9, physical: 0x800000n })).ranges).toEqual([]);
});

test('32-bit and PAE tables, with rights from every level', { timeout: 180_000 }, async () => {
  const debugged = await debugGuest('callsX64');
  await debugged.run({ address: callsAt.inside_third });
  const { cpu, memory } = debugged;
  const { paging } = debugged.own;
  expect(await paging.walk(0x1234n)).toMatchObject({
    physical: 0x1234n,
    scheme: expect.stringContaining('paging is off'),
  });

  await memory.poke('physical', 0x200000n, words(4, { 0: 0x87n, 1: 0x201027n, 1023: 0x201000n }));
  await memory.poke('physical', 0x201000n, words(4, { 3: 0x300025n, 4: 0x301027n }));
  await cpu.setRegister('cr3', 0x200000n);
  await cpu.setRegister('cr4', 0x10n);
  await cpu.setRegister('cr0', (await cpu.register('cr0')) | 0x80000001n);
  await agrees(debugged, [0x1234n, 0x403abcn, 0x404abcn, 0x405000n, 0xffc00000n]);
  expect(await paging.walk(0x403abcn)).toMatchObject({
    physical: 0x300abcn,
    scheme: '32-bit x86 tables at 0x200000 (cr3)',
    page: { bytes: 4096n, user: true, write: false },
  });

  await cpu.setRegister('cr0', (await cpu.register('cr0')) & ~0x80000000n);
  await memory.poke('physical', 0x210000n, words(8, { 0: 0x211001n, 3: 0x212001n }));
  await memory.poke('physical', 0x211000n, words(8, { 0: 0x83n }));
  await memory.poke('physical', 0x212000n, words(8, { 511: 0x213007n }));
  await memory.poke('physical', 0x213000n, words(8, { 511: 0x300003n }));
  await cpu.setRegister('cr3', 0x210000n);
  await cpu.setRegister('cr4', 0x20n);
  await cpu.setRegister('cr0', (await cpu.register('cr0')) | 0x80000000n);
  await agrees(debugged, [0x1234n, 0xfffff123n, 0x40000000n, 0xffffe000n]);
  expect(await paging.walk(0xfffff123n)).toMatchObject({
    scheme: 'x86 PAE tables at 0x210000 (cr3)',
    page: { user: false, write: true },
    steps: [{ name: 'PDPT[3]' }, { name: 'PD[511]' }, { name: 'PT[511]' }],
  });
});

test('Sv39 leads where QEMU says, and machine mode nowhere else', { timeout: 180_000 }, async () => {
  const debugged = await debugGuest('riscv64Paged');
  const { paging } = debugged.own;
  expect((await paging.walk(0x80000000n)).scheme).toMatch(/translation is off/);
  const upper = 0xffffffffc0000000n - 0x80000000n;
  await debugged.run({ address: riscvAt.count_store + upper });
  await agrees(debugged, [0x10000000n, 0xffffffffc0001000n, 0x80001000n, 0xffffffff80000000n]);
  expect(await paging.walk(0xffffffffc0001008n)).toMatchObject({
    physical: 0x80001008n,
    scheme: 'Sv39 tables at 0x80002000 (satp)',
    steps: [{ name: 'level 2[511]' }],
    page: { bytes: 1n << 30n },
  });
  expect((await paging.walk(0x4000000000n)).fault).toMatch(/not all the same/);
  expect((await paging.ranges({ from: 1n << 63n, limit: 9 })).ranges).toMatchObject([
    { first: 0xffffffffc0000000n, last: 0xffffffffffffffffn, physical: 0x80000000n },
  ]);
});

test('both halves of AArch64 lead where QEMU says', { timeout: 180_000 }, async () => {
  const debugged = await debugGuest('aarch64Paged');
  const { paging } = debugged.own;
  expect((await paging.walk(0x40000000n)).scheme).toMatch(/MMU is off/);
  await debugged.run({ address: arm64At.count_store });
  await agrees(debugged, [0x40100000n, 0xffffff8000180000n, 0xffffff8000200010n, 0xffffff8000201000n, 0x80000000n]);
  expect(await paging.walk(0xffffff8000200010n)).toMatchObject({
    physical: 0x40300010n,
    page: { bytes: 4096n, user: false, write: false },
    steps: [{ name: 'level 1[0]' }, { name: 'level 2[1]' }, { name: 'level 3[0]' }],
  });
  expect((await paging.walk(0xff00000000000000n)).fault).toMatch(/outside the 39 bits of TTBR0_EL1/);
  expect((await paging.ranges({ from: 1n << 63n, limit: 9 })).ranges).toMatchObject([
    { first: 0xffffff8000000000n, physical: 0x40000000n, write: true },
    { first: 0xffffff8000200000n, last: 0xffffff8000200fffn, physical: 0x40300000n, write: false },
  ]);
});

test('the tools take physical addresses and what lies at an address', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const kernel = lab.file('calls.elf', calls);
  const { handle: machine } = await lab.start({ arch: 'x86_64', memory: 16, gpu: 'none', kernel, paused: true });
  await lab.call('symbols_load', { machine, path: kernel });
  await lab.call('run', { machine, until: 'inside_third' });
  const ask = (tool: string, args: Record<string, unknown>) => lab.call(tool, { machine, ...args });
  await ask('memory_write', { address: 'phys:0x200000', bytes: '90 c3' });
  expect(await ask('memory_read', { address: 'physical:0x200000', length: 2 })).toContain('90 C3');
  expect(await ask('disassemble', { address: 'phys:0x200000', count: 2 })).toMatch(/nop[\s\S]*ret/);
  expect(await ask('memory_search', { pattern: '90 c3', from: 'phys:0x1fffff', length: 16 })).toContain('0x00200000');
  expect(await ask('memory_compare', { address: 'phys:0x200000', other: '0x200000', length: 2 })).toContain('0 of 2');
  expect(await ask('memory_read', { address: 'phys:0x10', space: 'virtual' })).toContain('Leave one of them out');
  expect(await ask('breakpoint_set', { address: 'phys:0x10' })).toMatch(/physical address[\s\S]*pages_read/);
  expect(await ask('disassemble', { address: '*esp', count: 1 })).toContain(callsAt.after_third.toString(16));
  expect(await ask('memory_read', { address: '*table + 1', length: 1 })).toContain((callsAt.third + 1n).toString(16));
  expect(await ask('pages_read', { address: 'counter' })).toMatch(/counter → physical 0x[\s\S]*paging is off/);
  expect(await ask('pages_read', { physical: '0' })).toContain('paging is off');
  expect(await ask('pages_read', { address: '0', from: '0' })).toContain('Leave one out');
});
