import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildKernel } from '../../examples/kernel/build-kernel.ts';
import { at as armAt, image as armFault } from './guests/aarch64-fault.ts';
import { at as cortexAt, image as cortexFault } from './guests/cortex-m-fault.ts';
import { at as riscvAt, image as riscvFault } from './guests/riscv64-fault.ts';
import { sameInCore } from './same-in-core.ts';
import { Lab, type Vm } from './vm.ts';

async function crashed(lab: Lab, fault: string): Promise<Vm> {
  const kernel = buildKernel();
  const vm = await lab.start({ memory: 32, gpu: 'none', kernel, append: fault, on_reset: 'pause' });
  await lab.call('symbols_load', { machine: vm.handle, path: kernel });
  return vm;
}

const handled = [
  ['null', /kernel code read a null pointer with offset 16 \(0x10\) at kernel\.c:\d+, in null_pointer\n/],
  ['user', /user code read 0x300000, a page of the kernel, at kernel\.c:\d+, in program\n/],
  ['division', /kernel code divided by zero.* at kernel\.c:\d+, in average\n/],
  [
    'gate',
    /interrupt 32 .*could not be delivered, because IDT\[32\] names selector 0x40, beyond the end of the GDT.*in bad_gate\n/,
  ],
  [
    'free',
    /general protection fault of kernel code that uses memory that is not valid any more: bytes 0x6b.* in use_after_free\n/,
  ],
] as const;

test.for(handled)(
  '%s is explained after its handler has ended in a panic',
  { timeout: 180_000 },
  async ([fault, summary]) => {
    await using lab = new Lab();
    const vm = await crashed(lab, fault);
    await vm.printed(/PANIC/);
    const answer = await lab.call('crash_explain', { machine: vm.handle });
    expect(answer).toMatch(summary);
    // A program was not called by the kernel.
    if (fault !== 'user') expect(answer).toMatch(/called from 0x[0-9a-f]+ kernel_main\+/);
  },
);

const resetting = [
  [
    'stack',
    /stack overflow: the kernel stack reached 0x8f[0-9a-f]{3}, .*in depth_of; it could not be delivered.*triple fault/,
  ],
  [
    'triple',
    /interrupt 3 .*IDT\[3\] lies beyond the end of the IDT .*in triple_fault; it could not be delivered.*triple fault/,
  ],
] as const;

test.for(resetting)(
  '%s stops where it happened instead of resetting',
  { timeout: 180_000 },
  async ([fault, summary]) => {
    await using lab = new Lab();
    const vm = await crashed(lab, fault);
    await vm.until('the stop', () => vm.machine.status().state === 'ERROR');
    const machine = vm.handle;
    expect(vm.machine.status().stop?.reason).toMatch(/the guest reset the machine/);
    expect(await lab.call('crash_explain', { machine })).toMatch(summary);
    // It goes on only through a reset, which really is one.
    expect(await lab.call('run', { machine, timeout_ms: 100 })).toMatch(/machine_reset/);
    const before = vm.output().length;
    await lab.call('machine_reset', { machine });
    await lab.call('run', { machine, timeout_ms: 50_000 });
    await vm.printed(/READY/, { from: before });
    await vm.until('the stop', () => vm.machine.status().state === 'ERROR');
  },
);

test('a deadlock is told by where the processor is', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const vm = await crashed(lab, 'deadlock');
  await vm.printed(/READY/);
  const machine = vm.handle;
  const explain = async () => {
    await lab.call('pause', { machine });
    return lab.call('crash_explain', { machine });
  };
  let answer = await explain();
  // It takes some lines of code from the last word to the lock.
  for (let tries = 0; tries < 100 && !answer.includes('in take'); tries += 1) {
    await lab.call('run', { machine, timeout_ms: 50 });
    answer = await explain();
  }
  expect(answer).toMatch(/No exception; the processor is at kernel\.c:\d+, in take/);
  expect(answer).toMatch(/called from .* charge\+[\s\S]*called from .* charge_all\+/);
});

/** All that would run or change it. */
const refusedByCores = [
  ['run', {}],
  ['step', {}],
  ['pause', {}],
  ['machine_reset', {}],
  ['breakpoint_set', { address: '0x1000' }],
  ['memory_write', { address: '0x200000', bytes: '00' }],
  ['registers_write', { values: { rax: 1 } }],
  ['snapshot_save', { name: 'x' }],
  ['console_send', { text: 'x' }],
  ['input_send', { text: 'x' }],
  ['monitor_execute', { command: 'info status' }],
  ['crash_dump', { path: '/tmp/never' }],
] as const;

test('a dead machine: a core file for other debuggers, and itself, opened again after its end', {
  timeout: 180_000,
}, async () => {
  await using lab = new Lab();
  const kernel = buildKernel();
  const kept = `${lab.folder}/kept`;
  const options = { memory: 32, gpu: 'none', kernel, append: 'stack', on_reset: 'pause', snapshot_dir: kept };
  const dead = await lab.start(options);
  await dead.until('the stop', () => dead.machine.status().state === 'ERROR');
  const machine = dead.handle;
  await lab.call('symbols_load', { machine, path: kernel });
  const views = async (handle: string) => {
    // Without the machine's name, and what marks the guest's own words.
    const own = (text: string) =>
      text
        .split('\n')
        .slice(1)
        .join('\n')
        .replaceAll(/output \w+/g, 'output');
    return [
      own(await lab.call('state_read', { machine: handle })),
      own(await lab.call('source_read', { machine: handle, frame: 1 })),
      own(await lab.call('evaluate', { machine: handle, expression: '*tasks->next' })),
    ];
  };
  const before = await views(machine);
  expect(before[0]).toContain('depth_of');
  expect(before[2]).toContain('(struct task)');

  const core = `${lab.folder}/core`;
  expect(await lab.call('crash_dump', { machine, path: core })).toContain(`ELF core file ${core}`);
  const said = execFileSync(
    'gdb-multiarch',
    ['-batch', '-nx', '-c', core, '-ex', 'info registers rip rsp', '-ex', 'info files'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  expect(said).toContain(`0x${dead.machine.cpu.pc.toString(16)}`);
  const bytes = readFileSync(core);
  const place = await dead.machine.memory.peek('physical', 0x200000n, 64);
  expect(bytes.includes(Buffer.from(place)), 'memory is in it').toBe(true);
  expect(await lab.call('crash_dump', { machine, path: core })).toContain('exists already');

  const explained = (handle: string) => lab.call('crash_explain', { machine: handle });
  const explanation = (await explained(machine)).split('\n').slice(1);

  await lab.call('snapshot_save', { machine, name: 'dead' });
  await lab.rack.stop(machine, 'done');
  const { handle: opened } = await lab.rack.start('qemu', { core });
  await lab.call('symbols_load', { machine: opened, path: kernel });
  expect(await views(opened)).toEqual(before);
  expect((await explained(opened)).split('\n').slice(1)).toEqual(explanation);
  for (const [tool, args] of refusedByCores) {
    const answer = await lab.call(tool, { machine: opened, ...args });
    expect(answer, tool).toMatch(/^ERROR .*(?:core file|read-only).*\nFix: \w.*\w/);
  }
  expect((await lab.refusal({ core, memory: 64 })).message).toMatch(/memory cannot be given with core/);

  // As QEMU alone writes it.
  const plain = lab.file('plain', bytes.subarray(0, bytes.lastIndexOf('{"arch"')));
  const foreign = await lab.rack.start('qemu', { core: plain });
  await lab.call('symbols_load', { machine: foreign.handle, path: kernel });
  expect((await views(foreign.handle)).slice(1)).toEqual(before.slice(1));
  expect(await explained(foreign.handle)).toMatch(/No exception is known; the processor is at .*depth_of/);
  const half = lab.file('half', bytes.subarray(0, 1_000_000));
  expect((await lab.refusal({ core: half })).message).toMatch(/cannot be opened as a core file: it is cut off/);
  const again = await lab.start({ from_snapshot: `${kept}/dead`, paused: true });
  await lab.call('symbols_load', { machine: again.handle, path: kernel });
  expect(await views(again.handle)).toEqual(before);
});

test('the log of QEMU is a console that can be read and not written', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const vm = await crashed(lab, 'division');
  await vm.printed(/PANIC/);
  const log = `${vm.handle}.log`;
  await vm.until('the exception', async () =>
    (await lab.call('console_read', { machine: vm.handle, port: log, from: 'start' })).includes('v=00'),
  );
  expect(await lab.call('console_send', { machine: vm.handle, port: log, text: 'x' })).toMatch(
    /deny|not allowed|policy|refus/i,
  );
});

test('a guest that powers off is off, also when a reset would pause it', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const kernel = buildKernel();
  const vm = await lab.start({ memory: 32, gpu: 'none', kernel, append: 'off', on_reset: 'pause' });
  await vm.until('the end', () => vm.machine.status().state === 'OFF');
  expect(vm.machine.status().notes).toEqual(['the guest has powered off']);
});

test('RISC-V: cause, address and line of the last trap', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const bios = lab.file('fault.bin', riscvFault);
  const vm = await lab.start({ arch: 'riscv64', memory: 16, bios, log: ['int'] });
  await vm.until('the trap', async () => (await lab.call('crash_explain', { machine: vm.handle })).includes('store'));
  const answer = await lab.call('crash_explain', { machine: vm.handle });
  expect(answer).toMatch(
    /the program wrote to a null pointer with offset 8 \(0x8\), where there is no memory or PMP forbids it/,
  );
  expect(answer).toContain(`at 0x${riscvAt.faulting.toString(16)}`);
  expect(answer).toMatch(/mcause 0x7, mepc 0x[0-9a-f]+, mtval 0x8/);
  await sameInCore(lab, vm, riscvAt.faulting);
});

test('RISC-V without a trap handler: the exception that led to it, not the faults that follow for ever', {
  timeout: 180_000,
}, async () => {
  await using lab = new Lab();
  // sd zero, 8(zero); mtvec is 0 after a reset.
  const bios = lab.file('lost.bin', Uint8Array.of(0x23, 0x34, 0, 0));
  const vm = await lab.start({ arch: 'riscv64', memory: 16, bios, log: ['int'] });
  const explain = () => lab.call('crash_explain', { machine: vm.handle });
  await vm.until('the faults', async () => /faulted \d{3,} times since/.test(await explain()));
  const answer = await explain();
  expect(answer).toMatch(/the program wrote to a null pointer with offset 8 \(0x8\).* at 0x80000000\n/);
  expect(answer).toMatch(/no handler of exceptions is there: it led to 0x0, where the processor has faulted/);
  expect(answer).not.toContain('jumped to');
  expect(await lab.call('state_read', { machine: vm.handle })).toMatch(/^> 0x0+ +\(Address 0x0 is out of bounds\)$/m);
  await sameInCore(lab, vm, 0x80000000n);
});

test('RISC-V without a trap handler and without a log: says that what came first is not known', {
  timeout: 180_000,
}, async () => {
  await using lab = new Lab();
  const bios = lab.file('lost.bin', Uint8Array.of(0x23, 0x34, 0, 0));
  const vm = await lab.start({ arch: 'riscv64', memory: 16, bios });
  const explain = () => lab.call('crash_explain', { machine: vm.handle });
  await vm.until('the faults', async () => /mepc 0x0\b/.test(await explain()));
  expect(await explain()).toMatch(/mtvec leads here.*"log":\["int"\], it tells the first/);
});

test('AArch64: syndrome, address and line of the last abort', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const kernel = lab.file('fault.elf', armFault);
  const vm = await lab.start({ arch: 'aarch64', memory: 32, kernel });
  await lab.call('symbols_load', { machine: vm.handle, path: kernel });
  await vm.until('the abort', async () => (await lab.call('crash_explain', { machine: vm.handle })).includes('ESR'));
  const answer = await lab.call('crash_explain', { machine: vm.handle });
  expect(answer).toMatch(/data abort/);
  expect(answer).toContain(`at 0x${armAt.faulting.toString(16)}`);
  await sameInCore(lab, vm, armAt.faulting, kernel);
});

test('Cortex-M: fault registers and the saved instruction', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const kernel = lab.file('fault.elf', cortexFault);
  const vm = await lab.start({ arch: 'arm', machine: 'mps2-an385', kernel, serial_ports: 1 });
  await lab.call('symbols_load', { machine: vm.handle, path: kernel });
  await vm.until('the fault', async () => (await lab.call('crash_explain', { machine: vm.handle })).includes('CFSR'));
  const answer = await lab.call('crash_explain', { machine: vm.handle });
  expect(answer).toMatch(/data was used where nothing answers .*0x70000000/i);
  expect(answer).toContain(`at 0x${cortexAt.faulting.toString(16)}`);
  await sameInCore(lab, vm, cortexAt.faulting, kernel);
});
