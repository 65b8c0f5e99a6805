import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { image as riscv64, at as riscvAt } from './guests/riscv64.ts';
import { Lab, uBoot, type Vm } from './vm.ts';

const counter = 0x80001000n;
const { signal } = new AbortController();

async function count(vm: Vm): Promise<bigint> {
  return Buffer.from(await vm.machine.memory.peek('physical', counter, 8)).readBigUInt64LE();
}

test('states are saved, restored, listed, replaced, deleted and forked', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const vm = await lab.start({ arch: 'riscv64', memory: 16, bios: lab.file('rv.bin', riscv64) });
  await vm.printed(/READY/);
  const { snapshots, control } = vm.machine;
  await expect(snapshots.restore('a')).rejects.toMatchObject({ type: 'NOT_FOUND' });
  await control.pause();
  const atA = await count(vm);
  expect(await snapshots.save('a')).toMatchObject({ name: 'a', time: expect.stringMatching(/^\d+\.\d s$/) });
  await control.run({ wallMs: 50 }, signal);
  expect(await count(vm)).toBeGreaterThan(atA);
  const running = await snapshots.save('b');
  expect(running.bytes).toBeGreaterThan(10_000);
  expect(vm.machine.status().state).toBe('RUNNING');
  await control.pause();
  await snapshots.restore('a');
  expect(await count(vm)).toBe(atA);
  expect(vm.machine.status().state).toBe('PAUSED');

  // The same name again keeps the newer one.
  await control.run({ address: riscvAt.outer, wallMs: 60_000 }, signal);
  const later = await count(vm);
  await snapshots.save('a');
  expect((await snapshots.list()).map(({ name }) => name)).toEqual(['a', 'b']);
  await control.run({ wallMs: 20 }, signal);
  await control.pause();
  await snapshots.restore('a');
  expect(await count(vm)).toBe(later);

  const { options } = await snapshots.fork('a');
  const fork = await lab.start({ ...options });
  expect(fork.machine.status().state).toBe('PAUSED');
  expect(await count(fork)).toBe(later);
  expect(fork.machine.cpu.pc).toBe(riscvAt.outer);
  await fork.machine.control.run({ wallMs: 20 }, signal);
  await fork.send('f');
  await fork.printed(/^f$/);
  expect(await count(vm), 'the original did not move').toBe(later);
  await fork.machine.snapshots.restore('b');
  const { options: second } = await snapshots.fork('b');
  const runs = await lab.start({ ...second });
  expect(runs.machine.status().state).toBe('RUNNING');

  await snapshots.delete('b');
  expect((await snapshots.list()).map(({ name }) => name)).toEqual(['a']);
  await expect(snapshots.delete('b')).rejects.toMatchObject({ type: 'NOT_FOUND', fix: 'There are: a.' });

  // Of a machine that has died, too.
  process.kill(vm.machine.pid, 'SIGKILL');
  await vm.until('the end', () => vm.events('machine_off').length > 0);
  const { options: heir } = await snapshots.fork('a');
  expect(await count(await lab.start({ ...heir }))).toBe(later);
});

test('disks go back with the machine, and a folder of snapshots outlives it', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const disk = lab.file('disk.img', Buffer.alloc(65_536, 'disk'));
  const snapshotDir = join(lab.folder, 'kept');
  const vm = await lab.start({ ...uBoot.riscv64, drives: [disk], snapshot_dir: snapshotDir });
  await vm.uBootPrompt();
  await vm.ask('pci enum; virtio scan; setenv who first; echo scan""ned', /scanned[\s\S]*=> /);
  await vm.machine.snapshots.save('ready');
  await vm.ask('setenv who second; mw.l 84000000 2177656e 80; virtio write 84000000 0 1', /write:[\s\S]*=> /);
  const show = 'virtio read 84000000 0 1; md.b 84000000 4; echo who is $who';
  expect(await vm.ask(show, /who is \w+\r\n/)).toMatch(/new![\s\S]*who is second/);
  await vm.machine.snapshots.restore('ready');
  expect(await vm.ask(show, /who is \w+\r\n/)).toMatch(/disk[\s\S]*who is first/);
  await lab.rack.stop(vm.handle, 'done');

  expect(readdirSync(join(snapshotDir, 'ready')).sort()).toEqual(['drive0.qcow2', 'snapshot.json', 'states.qcow2']);
  const again = await lab.start({ from_snapshot: join(snapshotDir, 'ready') });
  expect(await again.ask(show, /who is \w+\r\n/)).toMatch(/disk[\s\S]*who is first/);
  const twin = await lab.start({ from_snapshot: join(snapshotDir, 'ready'), snapshot_dir: snapshotDir });
  await twin.ask('setenv who twin; echo d""one', /done/);
  expect(await again.ask('echo who is $who', /who is \w+\r\n/)).toMatch(/who is first/);
  await twin.machine.snapshots.save('twin');
  await twin.machine.snapshots.delete('twin');
  expect(existsSync(join(snapshotDir, 'twin'))).toBe(false);
  await expect(lab.start({ from_snapshot: lab.folder })).rejects.toThrow('it has no snapshot.json');
  await expect(twin.machine.snapshots.save('..')).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
});

test('a state that another QEMU saved and this one cannot load names both versions', async () => {
  await using lab = new Lab();
  const kept = join(lab.folder, 'kept');
  const bios = lab.file('rv.bin', riscv64);
  const vm = await lab.start({ arch: 'riscv64', memory: 16, bios, snapshot_dir: kept });
  await vm.printed(/READY/);
  await vm.machine.snapshots.save('a');
  const file = join(kept, 'a', 'snapshot.json');
  const saved = JSON.parse(readFileSync(file, 'utf8'));
  // With less memory it fails as it does where the board has become another one.
  writeFileSync(file, JSON.stringify({ ...saved, qemu: '1.2.3', options: { ...saved.options, memory: 8 } }));
  const { message, fix } = await lab.refusal({ from_snapshot: join(kept, 'a') });
  expect(message).toContain('snapshot-load');
  expect(fix).toMatch(/saved by QEMU 1\.2\.3, and this is \d+\.\d+\.\d+: .*--qemu-dir/);
  expect((await lab.refusal({ from_snapshot: join(kept, 'a'), share: lab.folder })).message).toContain(
    'without a "share"',
  );
});

test('a machine that is recorded goes back and forth', {
  timeout: 180_000,
}, async () => {
  await using lab = new Lab();
  const vm = await lab.start({ arch: 'riscv64', memory: 16, bios: lab.file('rv.bin', riscv64), record: true });
  await vm.printed(/READY/);
  const { control, breakpoints } = vm.machine;
  expect(vm.machine.status().notes).toEqual(['recording']);
  await breakpoints.set({ type: 'exec', address: riscvAt.outer, length: 1, logOnly: false, temporary: false });
  await control.run({ wallMs: 60_000 }, signal);
  const before = await count(vm);
  await control.run({ wallMs: 60_000 }, signal);
  expect(await count(vm)).toBe(before + 1n);
  await vm.machine.snapshots.save('here');
  await expect(vm.machine.snapshots.restore('here')).rejects.toThrow('one past only');
  await expect(vm.machine.snapshots.fork('here')).rejects.toThrow('cannot be copied');
  const { pc } = vm.machine.cpu;
  const back = { kind: 'into', count: 1, back: true, wallMs: 60_000 } as const;
  await control.step(back, signal);
  expect(vm.machine.status().notes).toEqual([
    expect.stringMatching(/^replaying its recording, at instruction \d+ of \d+$/),
  ]);
  expect(vm.machine.cpu.pc).not.toBe(pc);
  expect(await control.run({ back: true, wallMs: 60_000 }, signal)).toMatchObject({ cause: 'breakpoint' });
  expect(vm.machine.cpu.pc).toBe(riscvAt.outer);
  expect(await count(vm)).toBe(before);
  await control.run({ wallMs: 60_000 }, signal);
  expect([vm.machine.cpu.pc, await count(vm)]).toEqual([riscvAt.outer, before + 1n]);
  expect(vm.output(), 'what is played again is not printed again').toBe('READY\r\n');

  // A QEMU that hangs is replaced by another one at the same instruction.
  await control.step(back, signal);
  const place = vm.machine.cpu.pc;
  process.kill(vm.machine.pid, 'SIGSTOP');
  await expect(control.step(back, signal)).rejects.toThrow('It was started again and is at instruction');
  expect(vm.machine.cpu.pc).toBe(place);
  await control.step(back, signal);
  expect(vm.machine.cpu.pc).not.toBe(place);
});
