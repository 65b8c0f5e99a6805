import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Lab, uBoot, type Vm } from './vm.ts';

const signal = new AbortController().signal;
const patientMs = 60_000;
const boards = {
  ...{ riscv64: uBoot.riscv64 },
  aarch64: { arch: 'aarch64', memory: 128, bios: '/usr/lib/u-boot/qemu_arm64/u-boot.bin' },
} as const;

/** What a place in the past must look like again: the processor, and the instruction that the recording is at. */
async function sight({ machine }: Vm): Promise<string> {
  const registers = await machine.cpu.registers();
  return [...(machine.status().notes ?? []), ...registers.map(({ name, value }) => `${name}=${value}`)].join(' ');
}

function seek({ machine }: Vm, instructions: number) {
  const limits = { cycles: Math.abs(instructions), back: instructions < 0, wallMs: patientMs };
  return machine.control.run(limits, signal);
}

test.for(['riscv64', 'aarch64'] as const)(
  '%s is put to any instruction of its recording',
  {
    timeout: 120_000,
  },
  async (name) => {
    await using lab = new Lab();
    const vm = await lab.start({ ...boards[name], record: true });
    await vm.uBootPrompt();
    await vm.machine.control.pause();
    await expect(seek(vm, 1)).rejects.toThrow('instructions only while it replays');

    // A boot of tens of millions of instructions, with output, keys and a clock that is read all the time.
    expect(await seek(vm, -1)).toMatchObject({ cause: 'limit', reason: '1 instruction back' });
    await seek(vm, 1);
    const present = await sight(vm);
    expect(await seek(vm, 1_000_000)).toMatchObject({ reason: 'the end of the recording' });
    expect(await sight(vm), 'the end is no end of the machine').toBe(present);

    const early = await seekAndSee(vm, -23_456_789);
    const later = await seekAndSee(vm, 3_000_001);
    const between = await seekAndSee(vm, -1_000_000);
    expect(await seekAndSee(vm, -2_000_001)).toBe(early);
    expect(await seekAndSee(vm, 2_000_001)).toBe(between);
    await vm.machine.control.step({ kind: 'into', count: 40, back: true, wallMs: patientMs }, signal);
    await vm.machine.control.step({ kind: 'into', count: 40, back: false, wallMs: patientMs }, signal);
    expect(await sight(vm)).toBe(between);
    expect(await seekAndSee(vm, 1_000_000)).toBe(later);
    expect(await vm.machine.control.run({ wallMs: patientMs }, signal)).toMatchObject({
      reason: 'the end of the recording',
    });
    expect(await sight(vm)).toBe(present);
    expect(await seek(vm, -1_000_000_000)).toMatchObject({ reason: 'the beginning of the recording' });
  },
);

async function seekAndSee(vm: Vm, instructions: number): Promise<string> {
  expect(await seek(vm, instructions)).toMatchObject({ cause: 'limit' });
  // 128 ns an instruction, however long it took to get there.
  const { time, notes = [] } = vm.machine.status();
  const [, position = ''] = /at instruction (\d+) of/.exec(notes.join()) ?? [];
  expect(time).toBe(`${((Number(position) * 128) / 1e9).toFixed(1)} s`);
  return sight(vm);
}

test('tools go on with the process that replays', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const vm = await lab.start({ ...boards.riscv64, record: true });
  await vm.uBootPrompt();
  await lab.call('pause');
  expect(await lab.call('step', { back: true })).toMatch(/step back[\s\S]*, pc [^\n]*\n> 0x/);
  expect(await lab.call('run', { cycles: 1000, back: true })).toContain('1000 instructions back');
  expect(vm.events('stop')).toEqual([]);
  expect(await lab.call('run')).toContain('the end of the recording');
  expect(vm.events('stop')).toEqual([]);
});

test('breakpoints are found on the way back by what they ask for, also where they are passed all the time', {
  timeout: 180_000,
}, async () => {
  await using lab = new Lab();
  const vm = await lab.start({ ...boards.riscv64, record: true });
  await vm.uBootPrompt();
  const { control } = vm.machine;
  await control.pause();
  await seek(vm, -100_000);
  const place = vm.machine.cpu.pc;
  const often = { type: 'exec', address: place, length: 1, logOnly: false, temporary: false } as const;
  await vm.machine.breakpoints.set({ ...often, logOnly: true });
  const never = await vm.machine.breakpoints.set({ ...often, condition: 'sp == 0' });
  expect(await control.run({ back: true, cycles: 50_000, wallMs: patientMs }, signal)).toMatchObject({
    reason: '50000 instructions back',
  });
  await vm.machine.breakpoints.delete(never.id);
  const always = await vm.machine.breakpoints.set(often);
  expect(always.id, 'numbers go on in the process that replays').toBe(3);
  await seek(vm, 300_000);
  expect(await control.run({ back: true, wallMs: patientMs }, signal)).toMatchObject({ breakpoint: { id: 3 } });
  const last = await sight(vm);
  await control.run({ back: true, wallMs: patientMs }, signal);
  await control.run({ wallMs: patientMs }, signal);
  expect(await sight(vm)).toBe(last);
  expect(await control.run({ back: true, condition: `pc == ${place}`, wallMs: patientMs }, signal)).toMatchObject({
    reason: `condition pc == ${place}`,
  });
});

test('a QEMU that dies on its way back is replaced', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const vm = await lab.start({ ...boards.riscv64, record: true });
  await vm.uBootPrompt();
  await vm.machine.control.pause();
  await seek(vm, -25_000_000);
  const before = await sight(vm);
  const movement = expect(seek(vm, -1_000_000)).rejects.toThrow('It was started again and is at instruction');
  await setTimeout(20);
  process.kill(vm.machine.pid, 'SIGKILL');
  await movement;
  expect(await sight(vm)).toBe(before);
  expect(vm.events('machine_off')).toEqual([]);
  expect(await seek(vm, -1000)).toMatchObject({ reason: '1000 instructions back' });
});

test('a QEMU that dies while it begins to replay is replaced, and the movement is made', {
  timeout: 180_000,
}, async () => {
  await using lab = new Lab();
  const vm = await lab.start({ ...boards.riscv64, record: true });
  await vm.uBootPrompt();
  await vm.machine.control.pause();
  const recording = vm.machine.pid;
  const movement = seek(vm, -1000);
  await expect.poll(() => vm.machine.pid, { timeout: patientMs, interval: 2 }).not.toBe(recording);
  const replaying = vm.machine.pid;
  process.kill(replaying, 'SIGKILL');
  expect(await movement).toMatchObject({ reason: '1000 instructions back' });
  expect(vm.machine.pid).not.toBe(replaying);
  expect(vm.events('machine_off')).toEqual([]);
});

test('a state that is loaded brings the time of its moment, and another one after it does no harm', {
  timeout: 180_000,
}, async () => {
  await using lab = new Lab();
  const vm = await lab.start(boards.riscv64);
  await vm.uBootPrompt();
  const { control, memory, snapshots } = vm.machine;
  const time = async () => Buffer.from(await memory.peek('physical', 0x200bff8n, 8)).readBigUInt64LE();
  await control.pause();
  const then = await time();
  await snapshots.save('a');
  await control.run({ wallMs: 500 }, signal);
  await control.pause();
  expect(await time()).toBeGreaterThan(then);
  for (let times = 0; times < 3; times++) await snapshots.restore('a');
  expect(await time()).toBe(then);
  await control.run({ wallMs: 10 }, signal);
  await vm.ask('sleep 1; echo wo""ken', /woken/);
});
