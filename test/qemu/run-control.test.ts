import { describe, expect, test } from 'vitest';
import { QemuDebugger } from '../../src/machines/qemu/debug/qemu-debugger.ts';
import { attachTo, breakpoint, debugGuest, never, startGuest } from './guests/debug-guest.ts';
import { at } from './guests/riscv64.ts';

const counter = 0x80001000n;
const scratch = counter + 8n;

async function running(args: readonly string[] = []) {
  const all = await debugGuest('riscv64', args);
  await all.own.release();
  await all.guest.prints('READY');
  return all;
}

describe('a running machine', () => {
  test('is left running by attaching, and as it was by detaching', async () => {
    const guest = await startGuest('riscv64');
    await guest.qmp.execute('cont');
    await guest.prints('READY');
    const first = await attachTo(guest);
    expect(await guest.status()).toBe('running');
    const { id } = await first.breakpoints.set(breakpoint(at.second));
    await first.own.detach();
    expect(await guest.status()).toBe('running');
    expect(first.own.status()).toEqual({ state: 'OFF' });

    const second = await attachTo(guest);
    expect(await second.breakpoints.list()).toEqual([]);
    expect(id).toBe(1);
    await second.control.pause();
    const before = await second.word(counter);
    await second.own.detach();
    expect(await guest.status()).toBe('paused');
    const third = await attachTo(guest);
    expect(await third.word(counter)).toBe(before);
    expect(third.own.status().state).toBe('PAUSED');
  });

  test('held still, shows one moment to many reads and is RUNNING for everybody', async () => {
    const { own, control, word, cpu, guest } = await running();
    const release = await control.hold();
    const again = await control.hold();
    expect(own.status()).toEqual({ state: 'RUNNING' });
    const [one, two] = [await word(counter), await word(counter)];
    expect(two).toBe(one);
    expect(cpu.pc).toBe((await cpu.registers()).find(({ name }) => name === 'pc')?.value);
    expect(await guest.status()).toBe('paused');
    release();
    release();
    expect(await word(counter)).toBe(one);
    again();
    await expect.poll(() => word(counter)).toBeGreaterThan(one);
    expect(await guest.status()).toBe('running');
  });

  test('runs on when the time is up, and pause stops it', async () => {
    const { own, control, run, events } = await running();
    const stop = await control.run({ wallMs: 30 }, never);
    expect(stop).toMatchObject({ cause: 'limit', reason: expect.stringContaining('runs on') });
    expect(own.status()).toEqual({ state: 'RUNNING' });
    expect(await control.run({ wallMs: 30, address: at.second }, never)).toMatchObject({ cause: 'limit' });
    const waiting = run();
    expect(await control.pause()).toMatchObject({ cause: 'halt', reason: 'pause' });
    expect(await waiting).toMatchObject({ cause: 'halt', reason: 'pause' });
    expect(own.status()).toMatchObject({ state: 'PAUSED', where: expect.stringMatching(/^0x800000/) });
    expect(await control.pause()).toEqual(await waiting);
    // What somebody asked for is an answer and no event.
    expect(events).toEqual([]);
  });

  test('can be read by many while somebody waits for a breakpoint far away', async () => {
    const { run, word, control, breakpoints, cpu } = await running();
    const start = await word(counter);
    await breakpoints.set(breakpoint(at.outer, { condition: 'dword[0x80001000] == 0' }));
    const waiting = run();
    const reads = await Promise.all(Array.from({ length: 10 }, () => word(counter)));
    expect(reads.every((value, n) => value >= (reads[n - 1] ?? start))).toBe(true);
    await control.pause();
    expect(await waiting).toMatchObject({ cause: 'halt' });
    expect((await cpu.registers()).map(({ name }) => name)).toContain('ra');
  });

  test('stopped and resumed through the monitor is followed', async () => {
    const { own, guest, word, control, events } = await running();
    await guest.qmp.execute('stop');
    await expect.poll(() => own.status()).toMatchObject({ state: 'PAUSED', stop: { reason: /monitor/ } });
    expect(events).toContainEqual(expect.objectContaining({ type: 'stop' }));
    await guest.qmp.execute('cont');
    await expect.poll(() => own.status().state).toBe('RUNNING');
    const before = await word(counter);
    await expect.poll(() => word(counter)).toBeGreaterThan(before);
    expect(await guest.status()).toBe('running');
    expect(await control.pause()).toMatchObject({ cause: 'halt', reason: 'pause' });
  });

  test('keeps running through snapshots made, loaded and not found behind our back', async () => {
    const { own, guest, word, cpu } = await running(['-drive', 'file={dir}/state.qcow2,if=none,id=state']);
    for (const command of ['savevm a', 'loadvm a', 'loadvm nosuch', 'system_reset']) {
      const answer = await guest.qmp.hmp(command);
      expect(answer).toMatch(command.endsWith('nosuch') ? /does not exist/ : /^$/);
      expect(own.status()).toEqual({ state: 'RUNNING' });
      const before = await word(counter);
      await expect.poll(() => word(counter), { timeout: 60_000 }).not.toBe(before);
      expect(await guest.status()).toBe('running');
    }
    const stop = await own.control.pause();
    await cpu.setRegister('a5', 0x1234n);
    await guest.qmp.hmp('loadvm a');
    expect(await cpu.register('a5')).toBe(0n);
    await own.replace(() => guest.qmp.hmp('loadvm a'));
    expect(own.status()).toMatchObject({ state: 'PAUSED' });
    expect(own.status().stop).toBeUndefined();
    expect(stop.reason).toBe('pause');
  });

  test('that dies is OFF, and whoever waits is told', async () => {
    const { own, guest, run, word } = await running();
    const waiting = run();
    await word(counter);
    guest.process.kill('SIGKILL');
    expect(await waiting).toMatchObject({ cause: 'halt', reason: 'QEMU has ended' });
    expect(own.status()).toEqual({ state: 'OFF' });
    await expect(word(counter)).rejects.toMatchObject({ type: 'WRONG_STATE' });
    await expect(run()).rejects.toMatchObject({ type: 'WRONG_STATE' });
  });

  test('starts again after a reset, stopped if it was stopped', async () => {
    const { own, control, cpu, word, run } = await running();
    await control.reset('soft');
    expect(own.status()).toEqual({ state: 'RUNNING' });
    await run({ address: at.outer });
    await control.reset('hard');
    expect(own.status().state).toBe('PAUSED');
    expect(cpu.pc).toBe(0x1000n);
    expect(await word(0x80000000n)).not.toBe(0);
    await run({ address: at.outer });
    expect(cpu.pc).toBe(at.outer);
  });

  test('does not fill an event log with our own stops', async () => {
    const { guest, step, control } = await running();
    await control.pause();
    const seen: string[] = [];
    guest.qmp.onEvent((event) => {
      if (!QemuDebugger.isNoise(event)) seen.push(event.name);
    });
    await step('into', 20);
    expect(seen).toEqual([]);
  });
});

describe('breakpoints', () => {
  test('log only, temporary, switched off', async () => {
    const { breakpoints, run, cpu, events, own } = await running();
    await run({ address: at.outer });
    const log = await breakpoints.set(breakpoint(at.level1, { logOnly: true }));
    const once = await breakpoints.set(breakpoint(at.level2, { temporary: true }));
    const off = await breakpoints.set(breakpoint(at.body));
    await breakpoints.change(off.id, { enabled: false });
    expect(await run()).toMatchObject({ breakpoint: { id: once.id, type: 'exec' }, event: { pc: at.level2 } });
    expect(cpu.pc).toBe(at.level2);
    expect((await breakpoints.list()).map(({ id }) => id)).toEqual([log.id, off.id]);
    await breakpoints.set(breakpoint(at.outer));
    await run();
    await run();
    const [logged] = await breakpoints.list();
    const said = events.filter(({ data }) => data?.id === log.id);
    expect(said.length).toBe(logged?.hits);
    expect(logged?.hits).toBeGreaterThanOrEqual(2);
    await breakpoints.change(off.id, { enabled: true, ignore: 1, group: 'body', log: '1 + 2' });
    // Its first hit passes, and the next breakpoint on the way is that of the outer loop.
    expect(await run()).toMatchObject({ breakpoint: { id: 4 } });
    expect(await run()).toMatchObject({ breakpoint: { id: off.id, group: 'body', logged: 3n } });
    expect((await breakpoints.list()).find(({ id }) => id === off.id)).toMatchObject({ hits: 2, ignore: 1 });
    expect(own.status().stop?.reason).toBe(`breakpoint ${off.id}, exec; log = 3`);
    await expect(breakpoints.delete(99)).rejects.toMatchObject({ fix: 'There are: 1, 3, 4.' });
    await expect(breakpoints.set(breakpoint(at.body, { condition: 'nosuch == 1' }))).rejects.toThrow(/no name nosuch/);
    await expect(breakpoints.set(breakpoint((1n << 64n) - 1n, { length: 2 }))).rejects.toMatchObject({
      type: 'ADDRESS_OUT_OF_BOUNDS',
    });
    expect(await breakpoints.list()).toHaveLength(3);
  });

  test('on reads, on changes, with the value in hand', async () => {
    const { breakpoints, run, word, cpu, control } = await running();
    await control.pause();
    const read = await breakpoints.set(breakpoint(scratch, { type: 'read', length: 8 }));
    expect(await run()).toMatchObject({ breakpoint: { id: read.id, type: 'read' } });
    expect(cpu.pc).toBe(at.body + 4n);
    await breakpoints.delete(read.id);

    const changed = await breakpoints.set(breakpoint(scratch, { type: 'change', length: 8 }));
    const before = await word(scratch);
    expect(await run()).toMatchObject({ breakpoint: { id: changed.id } });
    expect(await word(scratch)).toBe(before + 3);
    // The same value written again is no change: the addition becomes one of zero.
    await run({ address: at.body + 4n }).then(() => cpu.setRegister('t2', BigInt(before + 3 - 3)));
    await run({ address: at.scratch_store });
    expect(await cpu.register('t2')).toBe(BigInt(before + 3));
    expect(await run()).toMatchObject({ breakpoint: { id: changed.id } });
    expect(await word(scratch)).toBe(before + 6);
    await breakpoints.delete(changed.id);

    const goal = (await word(scratch)) + 9;
    await breakpoints.set(
      breakpoint(scratch, { type: 'write', length: 4, condition: `value == ${goal} && address == 0x80001008` }),
    );
    await run();
    expect(await word(scratch)).toBe(goal);
  });

  test('on any access, and by the hardware', async () => {
    const { breakpoints, run, cpu, control } = await running();
    await control.pause();
    const access = await breakpoints.set(breakpoint(scratch, { type: 'access', length: 8 }));
    const places = new Set<bigint>();
    for (let n = 0; n < 4; n++) {
      expect(await run()).toMatchObject({ breakpoint: { id: access.id, type: 'access' } });
      places.add(cpu.pc);
    }
    // After the load and after the store.
    expect([...places].sort()).toEqual([at.body + 4n, at.scratch_store + 4n]);
    expect(await breakpoints.list()).toMatchObject([{ hits: 4 }]);
    await breakpoints.delete(access.id);
    const hardware = await breakpoints.set(breakpoint(at.level2, { type: 'hardware' }));
    for (let n = 0; n < 2; n++) {
      expect(await run()).toMatchObject({ breakpoint: { id: hardware.id, type: 'hardware' } });
      expect(cpu.pc).toBe(at.level2);
    }
    await expect(breakpoints.set(breakpoint(at.body, { type: 'hardware', length: 300 }))).rejects.toThrow(/256 bytes/);
  });

  test('that only log name the place', async () => {
    const { breakpoints, run, symbols, events, control } = await running();
    await control.pause();
    symbols.add([['level1', at.level1]]);
    await breakpoints.set(breakpoint(at.level1, { logOnly: true }));
    await run({ address: at.level2 });
    expect(events.find(({ type }) => type === 'breakpoint')?.text).toMatch(/^breakpoint 1 hit at 0x800000\w\w level1$/);
  });

  test('conditions know registers by all their names, and symbols', async () => {
    const { breakpoints, run, symbols, control, word } = await running();
    await control.pause();
    symbols.add([['counter', counter]]);
    const target = (await word(counter)) + 3;
    const condition = `x18 == counter && dword[s2] == ${target} && pc == 0x80000044 && vcpu == 0 && sp >> 16 == 0x8001`;
    await breakpoints.set(breakpoint(at.outer, { condition }));
    await run();
    expect(await word(counter)).toBe(target);
  });
});

describe('steps', () => {
  test('count, stop at breakpoints on the way, and give up in time', async () => {
    const { run, step, cpu, breakpoints, control, own } = await running();
    await run({ address: at.level2 });
    expect(await step('into', 4)).toMatchObject({ cause: 'step', reason: '4 steps' });
    expect(cpu.pc).toBe(at.body);
    const { id } = await breakpoints.set(breakpoint(at.after_level2));
    expect(await step('into', 1000)).toMatchObject({ cause: 'breakpoint', breakpoint: { id } });
    expect(cpu.pc).toBe(at.after_level2);
    expect(await step('over', 4)).toMatchObject({ cause: 'step' });
    expect(cpu.pc).toBe(at.after_level1);
    const stop = await control.step({ kind: 'into', count: 100_000, back: false, wallMs: 50 }, never);
    expect(stop.cause === 'limit' || stop.breakpoint?.id === id).toBe(true);
    expect(own.status().state).not.toBe('RUNNING');
  });

  test('can be paused and read in between', async () => {
    const { control, word, own, cpu } = await running();
    await control.pause();
    const stepping = control.step({ kind: 'into', count: 100_000, back: false, wallMs: 60_000 }, never);
    await expect.poll(() => own.status().state).toBe('RUNNING');
    const release = await control.hold();
    const { pc } = cpu;
    const [one, two] = [await word(counter), await word(counter)];
    expect([two, cpu.pc]).toEqual([one, pc]);
    release();
    expect(await control.pause()).toMatchObject({ reason: 'pause' });
    expect(await stepping).toMatchObject({ cause: 'halt', reason: 'pause' });
  });

  test('until a condition holds, looked at before each instruction', async () => {
    const { run, control, word, cpu } = await running();
    await control.pause();
    const target = (await word(counter)) + 2;
    expect(await run({ condition: `t0 == ${target}` })).toMatchObject({
      cause: 'breakpoint',
      reason: `condition t0 == ${target}`,
    });
    expect(cpu.pc).toBe(at.count_store);
  });

  test('onto an instruction that waits for an interrupt end with the reason', async () => {
    const { run, step, memory, cpu, control } = await running();
    await run({ address: at.outer });
    await memory.poke('virtual', at.outer, Uint8Array.of(0x73, 0x00, 0x50, 0x10));
    expect(await step()).toMatchObject({ cause: 'halt', reason: expect.stringContaining('sleeps') });
    expect(cpu.pc).toBe(at.after_level1);
    // Nothing wakes it, but it can be asked to run and stopped again.
    expect(await control.run({ wallMs: 20 }, never)).toMatchObject({ cause: 'limit' });
    expect(await control.pause()).toMatchObject({ reason: 'pause' });
  });
});

test('several processors: each is stepped alone, and a breakpoint selects the one it stopped', async () => {
  const { cpu, breakpoints, run, step, word, own, control } = await running(['-smp', '2']);
  await control.pause();
  expect(await cpu.vcpus()).toMatchObject([
    { index: 0, selected: true },
    { index: 1, selected: false, pc: expect.anything() },
  ]);
  const { id } = await breakpoints.set(breakpoint(at.second_loop));
  expect(await run()).toMatchObject({ breakpoint: { id } });
  expect((await cpu.vcpus()).find(({ selected }) => selected)?.index).toBe(1);
  const [first, second] = [await word(counter), await word(0x80001100n)];
  await step('into', 3);
  expect(cpu.pc).toBe(at.second_loop + 12n);
  expect([await word(counter), await word(0x80001100n)]).toEqual([first, second + 1]);
  const [instruction] = await cpu.disassemble(cpu.pc, 1);
  expect(instruction?.text).toMatch(/^j /);
  expect(own.status().notes).toEqual(['vcpu 1 of 2']);
  expect(own.processors.names).toEqual(['vcpu0', 'vcpu1']);
  const [zero, one] = [await own.processors.named('vcpu0'), await own.processors.named('vcpu1')];
  expect(zero.cpu.pc).not.toBe(at.second_loop + 12n);
  expect(one.cpu.pc).toBe(at.second_loop + 12n);
  // Who names a processor does not choose it for the others.
  await zero.cpu.setRegister('s11', 77n);
  const s11 = async (from: { registers(): ReturnType<typeof cpu.registers> }) =>
    (await from.registers()).find(({ name }) => name === 's11')?.value;
  expect([await s11(zero.cpu), await s11(one.cpu), await s11(cpu)]).toEqual([77n, 0n, 0n]);
  expect(await zero.addresses.evaluate?.('s11+1')).toBe(78n);
  expect(own.status().notes).toEqual(['vcpu 1 of 2']);
  await expect(own.processors.named('vcpu7')).rejects.toMatchObject({ fix: 'Processors: vcpu0, vcpu1.' });
  await breakpoints.delete(id);
  // Stepping one chooses it.
  const place = zero.cpu.pc;
  await control.step({ kind: 'into', count: 1, back: false, cpu: 'vcpu0', wallMs: 60_000 }, never);
  expect(own.status().notes).toEqual(['vcpu 0 of 2']);
  expect(zero.cpu.pc).toBe(cpu.pc);
  expect(zero.cpu.pc).not.toBe(place);
  await expect(breakpoints.set(breakpoint(at.second_loop, { cpu: 'vcpu9' }))).rejects.toThrow('No processor');
  const { id: never0 } = await breakpoints.set(breakpoint(at.second_loop, { cpu: 'vcpu0' }));
  expect(await control.run({ wallMs: 100 }, never)).toMatchObject({ cause: 'limit' });
  await control.pause();
  await breakpoints.delete(never0);
  const { id: hit } = await breakpoints.set(breakpoint(at.second_loop, { cpu: 'vcpu1' }));
  expect(await run()).toMatchObject({ breakpoint: { id: hit } });
  expect(own.status().notes).toEqual(['vcpu 1 of 2']);
});
