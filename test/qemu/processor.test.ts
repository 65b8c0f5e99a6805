import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { Bytes, buildElf } from '../../src/formats/elf/elf-testing.ts';
import { at as aarch64, image as aarch64Elf } from './guests/aarch64.ts';
import { at as arm, image as armElf } from './guests/arm.ts';
import { attachTo, breakpoint, debugGuest } from './guests/debug-guest.ts';
import { at as riscv64 } from './guests/riscv64.ts';
import { Guest, type GuestName, isInstalled } from './guests/start-guest.ts';
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

  test('of x86-64 are numbered right after those that are commented out', async () => {
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
    await expect(cpu.setRegister('zero', 5n)).rejects.toThrow(/zero was set to 0x5 but holds 0x0/);
    await cpu.setRegister('x31', 7n);
    expect(await cpu.register('t6')).toBe(7n);
    const real = await debugGuest('x86Real');
    await expect(real.cpu.setRegister('rax', 1n << 40n)).rejects.toThrow(/keeps only that/);
  });
});

test('outside 64-bit mode, places in other segments are linear addresses', async () => {
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
    expect(loaded.notes[0]).toBe('lines of 1 source file');
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

test('the calls that led here are found by what the file says of frames, without a frame pointer', async () => {
  const { run, own, cpu, step } = await debugGuest('riscv64');
  const common = new Bytes(true).put(0xffffffff, 4).put(1, 1).text('').raw([1, 0x78, 1, 0x0c, 2, 0]);
  const frames = new Bytes(true).put(common.length, 4).raw(common.bytes);
  for (const start of [riscv64.level1, riscv64.level2]) {
    // Four bytes on, the stack has grown by 16; then the link register is saved, then the frame pointer.
    const rules = [0x44, 0x0e, 16, 0x44, 0x81, 1, 0x44, 0x88, 2];
    frames
      .put(20 + rules.length, 4)
      .put(0, 4)
      .put(start, 8)
      .put(36, 8)
      .raw(rules);
  }
  const names = [
    { name: 'level1', address: riscv64.level1, size: 36 },
    { name: 'level2', address: riscv64.level2, size: 44 },
  ];
  const bytes = buildElf({ wide: true, little: true, machine: 243 }, names, { '.debug_frame': frames.bytes });
  await own.symbols.load({ name: 'guest', bytes }, 0n);
  await run({ address: riscv64.body });
  await cpu.setRegister('s0', 0n);
  await cpu.setRegister('ra', 0n);
  expect(await cpu.callStack()).toEqual([
    { from: riscv64.after_level2 - 4n, returnsTo: riscv64.after_level2 },
    { from: riscv64.outer, returnsTo: riscv64.after_level1 },
  ]);
  await step('out');
  expect(cpu.pc).toBe(riscv64.after_level2);
  await step('out');
  expect(cpu.pc).toBe(riscv64.after_level1);
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

test('what no memory takes is not said to be written', async () => {
  const { memory } = await debugGuest('riscv64');
  const status = 0x1000_0005n;
  await expect(memory.poke('virtual', status, Uint8Array.of(0x55))).rejects.toMatchObject({
    type: 'ADDRESS_OUT_OF_BOUNDS',
    message: expect.stringContaining('What was written to 0x10000005 (virtual) is not there'),
  });
  await expect(memory.poke('physical', 0x30_0000_0000n, Uint8Array.of(1))).rejects.toMatchObject({
    type: 'ADDRESS_OUT_OF_BOUNDS',
  });
});

test('memory says where it ends', async () => {
  const { run, memory } = await debugGuest('x86Long');
  await run({ address: x86Long.outer + upperHalf });
  expect((await memory.peek('virtual', 0x1ffff0n, 16)).length).toBe(16);
  await expect(memory.peek('virtual', 0xdead00000000n, 4)).rejects.toMatchObject({
    message: 'There is no virtual memory at 0xdead00000000.',
    fix: 'Map it first, or use space physical.',
  });
  await expect(memory.peek('virtual', 0x1fff00n, 0x1000)).rejects.toMatchObject({
    message: 'There is no virtual memory at 0x200000.',
    fix: 'Reduce the length to 256. Map it first, or use space physical.',
  });
  await expect(memory.poke('virtual', 0xdead00000000n, Uint8Array.of(1))).rejects.toThrow(/no virtual memory/);
});

test('physical memory of a 32-bit processor beyond its own addresses can be read', async () => {
  const word = ['-device', 'loader,addr=0x120000000,data=0x44332211,data-len=4'];
  const { memory } = await debugGuest('arm', ['-m', '4G', ...word]);
  expect(memory.spaces.find(({ name }) => name === 'physical')?.size).toBe(1n << 40n);
  expect([...(await memory.peek('physical', 0x120000000n, 4))]).toEqual([0x11, 0x22, 0x33, 0x44]);
  await expect(memory.poke('physical', 0x120000000n, Uint8Array.of(1))).rejects.toMatchObject({ type: 'UNAVAILABLE' });
});

test('where nothing can be read, a processor that jumped there still shows its registers', async () => {
  const { run, cpu, step } = await debugGuest('x86Long');
  await run({ address: x86Long.outer + upperHalf });
  await cpu.setRegister('rip', 0xdead00000000n);
  expect(await cpu.disassemble(cpu.pc, 3)).toMatchObject([
    { address: 0xdead00000000n, text: expect.stringMatching(/^\(.*\)$/) },
  ]);
  // The step is a fault without a handler, and that three times.
  await step('over');
  expect(cpu.pc).not.toBe(0xdead00000000n);
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

describe('registers of all widths', () => {
  test.for<[GuestName, string, string, readonly string[]]>([
    ['x86Long', 'xmm3', '112233445566778899aabbccddeeff00', ['registers', 'float']],
    ['riscv64', 'ft5', '4009000000000000', ['registers', 'float', 'system']],
    ['aarch64', 'v31', '000000000000000000000000deadbeef', ['registers', 'float', 'system']],
  ])('of %s are looked up by what they are for', async ([name, register, digits, parts]) => {
    const { own, cpu } = await debugGuest(name);
    const [chip] = own.chips.chips;
    expect(chip?.parts.map((part) => part.name)).toEqual(parts);
    await cpu.setRegister(register, BigInt(`0x${digits}`));
    const { lines, values } = (await chip?.read('float', 0)) ?? { lines: [], values: {} };
    expect(lines.join(' ')).toContain(`${register}=${digits}`);
    expect(values[register]).toBe(`0x${BigInt(`0x${digits}`).toString(16)}`);
    const general = await chip?.read('registers', 0);
    expect(Object.keys(general?.values ?? {})).toEqual((await cpu.registers()).map((each) => each.name));
  });

  test('system registers are those that are not shown otherwise', async () => {
    const { own } = await debugGuest('riscv64');
    const system = await own.chips.chips[0]?.read('system', 0);
    expect(system?.values).toMatchObject({ priv: '0x3', mstatus: expect.stringMatching(/^0x/) });
    expect(system?.values).not.toHaveProperty('pc');
  });
});

describe('other processors', () => {
  /** A register that can be written, and how long the first instructions are. */
  test.for<[GuestName, string, readonly number[]]>([
    ['alpha', 't3', [4]],
    ['avr', 'r7', [2]],
    ['mips', 't3', [4]],
    ['or1k', 'r7', [4]],
    ['ppc64', 'r7', [4]],
    ['s390x', 'r7', [4, 6]],
    ['sh4', 'r9', [2]],
    ['sparc', 'g3', [4]],
    ['xtensa', '', [2, 3]],
  ])(
    '%s: registers, code and steps, though little of it may be described',
    async ([name, register, lengths], { skip }) => {
      skip(!(await isInstalled(name)), 'no emulator for it');
      const guest = await Guest.start(name);
      try {
        const { cpu, own, step, breakpoints } = await attachTo(guest);
        const told = /\b(?:pc|nip|addr)\s*[=:]?\s*(?:0x)?([0-9a-f]+)/i.exec(await guest.qmp.hmp('info registers'))?.[1];
        expect(cpu.pc).toBe(BigInt(`0x${told}`));
        expect(own.status().where).toBe(own.addresses.format(cpu.pc));
        const code = await cpu.disassemble(cpu.pc, 3);
        expect(code).toHaveLength(3);
        for (const { bytes, text } of code) {
          expect(lengths).toContain(bytes.length);
          expect(text).not.toBe('');
        }
        if (register !== '') {
          await cpu.setRegister(register, 0x55n);
          expect(await cpu.register(register)).toBe(0x55n);
          expect((await cpu.registers()).find((each) => each.name === register)?.value).toBe(0x55n);
        }
        const before = cpu.pc;
        await step('into', 5);
        // The flash of this board is empty, and its reset leads to it again.
        if (name !== 'sh4') expect(cpu.pc).not.toBe(before);
        const set = await breakpoints.set(breakpoint(cpu.pc + 0x1000n));
        expect((await breakpoints.list()).map(({ id }) => id)).toEqual([set.id]);
      } finally {
        await guest[Symbol.asyncDispose]();
      }
    },
  );

  test.for<[GuestName, bigint, string, readonly number[]]>([
    // addi r3,r0,5; jal +16; nop; addi r3,r3,1; j .; jr r9; addi r3,r3,16
    ['or1k', 0x2000n, 'r3', [0x9c600005, 0x04000004, 0x15000000, 0x9c630001, 0, 0x44004800, 0x9c630010]],
    // addiu t0,zero,5; jal 0x80001014; nop; addiu t0,t0,1; b .; jr ra; addiu t0,t0,16
    ['mips', 0x80001000n, 't0', [0x24080005, 0x0c000405, 0x00000000, 0x25080001, 0x1000ffff, 0x03e00008, 0x25080010]],
  ])('%s: a call is stepped over with the instruction after it', async ([name, start, register, words], { skip }) => {
    skip(!(await isInstalled(name)), 'no emulator for it');
    const guest = await Guest.start(name);
    try {
      const { cpu, memory, step } = await attachTo(guest);
      const code = Buffer.alloc(words.length * 4);
      for (const [n, word] of words.entries()) code.writeUInt32BE(word, n * 4);
      await memory.poke('virtual', start, code);
      await cpu.setRegister('pc', start);
      await step('over');
      expect([cpu.pc, await cpu.register(register)]).toEqual([start + 4n, 5n]);
      await step('over');
      expect([cpu.pc, await cpu.register(register)]).toEqual([start + 12n, 21n]);
      await step('over');
      expect(await cpu.register(register)).toBe(22n);
    } finally {
      await guest[Symbol.asyncDispose]();
    }
  });

  test('POWER turns registers and memory round, and is followed', async ({ skip }) => {
    skip(!(await isInstalled('ppc64')), 'no emulator for it');
    const guest = await Guest.start('ppc64');
    try {
      const { cpu, symbols, own, run } = await attachTo(guest);
      const { pc } = cpu;
      await cpu.setRegister('r7', 0x1122334455667788n);
      await cpu.setRegister('msr', 1n);
      expect([cpu.pc, await cpu.register('r7'), await cpu.register('msr')]).toEqual([pc, 0x1122334455667788n, 1n]);
      await own.memory.poke('physical', 0x100000n, Uint8Array.of(0x34, 0x12));
      symbols.add([['place', 0x100000n]]);
      expect(await run({ condition: 'word[place] == 0x1234' })).toMatchObject({ cause: 'breakpoint' });
    } finally {
      await guest[Symbol.asyncDispose]();
    }
  });
});
