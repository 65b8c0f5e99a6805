import { describe, expect, test } from 'vitest';
import { type Context, never, patientMs, spec } from './context.ts';

const step = (kind: 'into' | 'over' | 'out', count = 1, back = false) => ({ kind, count, back, wallMs: patientMs });

export function cpuContract(context: Context): void {
  test('registers have widths that hold their values, and names of their own', async () => {
    const { cpu } = context.with('cpu');
    await context.bench();
    const registers = await cpu.registers();
    expect(registers.length).toBeGreaterThan(3);
    for (const { name, value, bits } of registers) expect(value >= 0n && value < 1n << BigInt(bits), name).toBe(true);
    expect(new Set(registers.map(({ name }) => name)).size).toBe(registers.length);
  });

  test('a register that is written holds the value, and no other changes', async () => {
    const { cpu } = context.with('cpu');
    const { register } = await context.bench();
    const before = await cpu.registers();
    await cpu.setRegister(register, 0x5an);
    const after = await cpu.registers();
    const changed = after.filter(({ value }, index) => value !== before[index]?.value);
    expect(changed.map(({ name }) => name.toLowerCase())).toEqual([register.toLowerCase()]);
    expect(changed[0]?.value).toBe(0x5an);
  });

  test('an unknown register and a value that is too large are refused with what would do', async () => {
    const { cpu } = context.with('cpu');
    const { register } = await context.bench();
    await expect(cpu.setRegister('nonsense', 1n)).rejects.toMatchObject({
      type: 'INVALID_ARGUMENT',
      fix: expect.stringMatching(new RegExp(`\\b${register}\\b`, 'i')),
    });
    await expect(cpu.setRegister(register, 1n << 80n)).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
  });

  test('disassembly follows the lengths of the instructions', async () => {
    const { cpu } = context.with('cpu');
    const { call, afterCall } = await context.bench();
    const code = await cpu.disassemble(call, 4);
    expect(code.map(({ address }) => address).slice(0, 2)).toEqual([call, afterCall]);
    for (const [index, { address, bytes, text }] of code.entries()) {
      expect(text).not.toBe('');
      if (index > 0)
        expect(address).toBe((code[index - 1]?.address ?? 0n) + BigInt(code[index - 1]?.bytes.length ?? 0));
      expect(bytes.length).toBeGreaterThan(0);
    }
  });

  test('steps go into, out of and over subroutines, and the call stack knows', async () => {
    const { cpu, control } = context.with('cpu', 'control');
    const { call, inside, afterCall, unwinds } = await context.bench();
    await control.run({ address: call, wallMs: patientMs }, never);
    expect(cpu.pc).toBe(call);
    expect(await control.step(step('into'), never)).toMatchObject({ cause: 'step' });
    expect(cpu.pc).toBe(inside);
    const frames = await cpu.callStack();
    if (unwinds) expect(frames).toMatchObject([{ returnsTo: afterCall }]);
    else expect(frames).toEqual([]);
    expect(await control.step(step('out'), never)).toMatchObject({ cause: 'step' });
    expect(cpu.pc).toBe(afterCall);
    await control.run({ address: call, wallMs: patientMs }, never);
    const first = await control.step(step('over'), never);
    expect(first.cause).toBe('step');
    expect(cpu.pc).toBe(afterCall);
    const { seq } = await control.step(step('into', 2), never);
    expect(seq).toBe(first.seq + 1);
  });

  test('a condition is met before the instruction that follows', async () => {
    const { control, memory, addresses } = context.with('control', 'memory', 'addresses');
    const { written } = await context.bench();
    const [space] = memory.spaces;
    const now = (await memory.peek(space?.name ?? '', written, 1))[0] ?? 0;
    const wanted = (now + 3) & 0xff;
    const at = addresses.format(written).includes(':') ? `0x${written.toString(16)}` : addresses.format(written);
    const stop = await control.run({ condition: `byte[${at}] == ${wanted}`, wallMs: patientMs }, never);
    expect(stop).toMatchObject({ cause: 'breakpoint', reason: expect.stringContaining('condition') });
    expect((await memory.peek(space?.name ?? '', written, 1))[0]).toBe(wanted);
  });
}

export function processorsContract(context: Context): void {
  test('each is found by its name, the first is the one that is meant, and others are refused', async () => {
    const { processors, cpu } = context.with('processors', 'cpu');
    await context.bench();
    expect(processors.names.length).toBeGreaterThan(0);
    for (const name of processors.names) {
      const processor = await processors.named(name);
      expect((await processor.cpu.registers()).length).toBeGreaterThan(3);
      expect(processor.memory.spaces.length).toBeGreaterThan(0);
    }
    const first = await processors.named(processors.names[0] ?? '');
    expect(first.cpu.pc).toBe(cpu.pc);
    await expect(processors.named('nobody')).rejects.toMatchObject({
      type: 'INVALID_ARGUMENT',
      fix: expect.stringContaining(processors.names[0] ?? ''),
    });
  });

  test('one that is named is stepped and stopped', async () => {
    const { processors, control, breakpoints } = context.with('processors', 'control', 'breakpoints');
    const { inside, call, stops } = await context.bench();
    const [name = ''] = processors.names;
    const exec = stops.exec ?? { address: call };
    await breakpoints.set({ ...spec('exec', exec), cpu: name });
    expect(await control.run({ wallMs: patientMs }, never)).toMatchObject({ breakpoint: { type: 'exec' } });
    await control.run({ address: call, wallMs: patientMs }, never);
    await control.step({ ...step('into'), cpu: name }, never);
    expect((await processors.named(name)).cpu.pc).toBe(inside);
    await expect(control.step({ ...step('into'), cpu: 'nobody' }, never)).rejects.toThrow('nobody');
    await expect(breakpoints.set({ ...spec('exec', exec), cpu: 'nobody' })).rejects.toThrow('nobody');
  });
}

export function breakpointsContract(context: Context): void {
  const run = (wallMs = patientMs) => context.with('control').control.run({ wallMs }, never);

  test('every type that is declared stops the machine, counts, and goes', async () => {
    const { breakpoints } = context.with('breakpoints');
    const { stops, elsewhere } = await context.bench();
    expect(Object.keys({ ...stops, ...elsewhere }).sort()).toEqual([...breakpoints.types].sort());
    for (const [type, place] of Object.entries(stops)) {
      const set = await breakpoints.set(spec(type, place));
      expect(set).toMatchObject({ type, hits: 0, enabled: true });
      const stop = await run();
      expect(stop, type).toMatchObject({ cause: 'breakpoint', breakpoint: { id: set.id, type } });
      expect(context.machine.status(), type).toMatchObject({ state: 'BREAKPOINT', stop: { seq: stop.seq } });
      expect(await breakpoints.list(), type).toMatchObject([{ id: set.id, hits: 1 }]);
      await breakpoints.delete(set.id);
      expect(await breakpoints.list()).toEqual([]);
    }
  });

  test('one that is switched off, or whose condition does not hold, stops nothing', async () => {
    const { breakpoints, control } = context.with('breakpoints', 'control');
    const { stops } = await context.bench();
    const exec = stops.exec ?? { address: 0n };
    const { id } = await breakpoints.set(spec('exec', exec));
    await breakpoints.change(id, { enabled: false });
    await breakpoints.set({ ...spec('exec', exec), condition: 'pc == 1' });
    expect(await run(300)).toMatchObject({ cause: 'limit' });
    await control.pause();
    await breakpoints.change(id, { enabled: true });
    expect(await run()).toMatchObject({ breakpoint: { id } });
  });

  test('a temporary one is gone after its stop, and numbers are not given twice', async () => {
    const { breakpoints } = context.with('breakpoints');
    const { stops } = await context.bench();
    const exec = stops.exec ?? { address: 0n };
    const { id } = await breakpoints.set({ ...spec('exec', exec), temporary: true });
    expect(await run()).toMatchObject({ breakpoint: { id } });
    expect(await breakpoints.list()).toEqual([]);
    expect((await breakpoints.set(spec('exec', exec))).id).toBeGreaterThan(id);
  });

  test('one that only logs is an event and no stop', async () => {
    const { breakpoints, control } = context.with('breakpoints', 'control');
    const { stops } = await context.bench();
    const { id } = await breakpoints.set({ ...spec('exec', stops.exec ?? { address: 0n }), logOnly: true });
    expect(await run(300)).toMatchObject({ cause: 'limit' });
    await control.pause();
    const events = context.rack.events.read(0).events.filter(({ type }) => type === 'breakpoint');
    expect(events[0]).toMatchObject({ machine: context.racked.handle, data: { id } });
  });

  test.each([false, true])('one where a limit ends a run is met there once; logs only: %s', async (logOnly) => {
    const { breakpoints, control, snapshots } = context.with('breakpoints', 'control', 'snapshots');
    if (control.framesPerSecond === undefined) {
      // A machine in real time counts no cycles, and says so.
      const run = control.run({ cycles: 1, wallMs: patientMs }, never);
      await expect(run).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
      return;
    }
    const { stops, call } = await context.bench();
    const exec = stops.exec ?? { address: 0n };
    const reach = async (address: bigint) =>
      (await control.run({ address, wallMs: patientMs }, never)).event?.time ?? Number.NaN;
    const began = await reach(call);
    await snapshots.save('before');
    const cycles = (await reach(exec.address)) - began;
    await snapshots.restore('before');
    await breakpoints.set({ ...spec('exec', exec), logOnly });
    const hits = async () => (await breakpoints.list())[0]?.hits;
    const stop = await control.run({ cycles, wallMs: patientMs }, never);
    expect(stop.event?.pc).toBe(exec.address);
    expect(stop.cause).toBe(logOnly ? 'limit' : 'breakpoint');
    await reach(call);
    expect(await hits()).toBe(1);
    await reach(call);
    expect(await hits()).toBe(2);
  });

  test('what cannot be is refused, and names what is there', async () => {
    const { breakpoints } = context.with('breakpoints');
    const { stops } = await context.bench();
    const exec = stops.exec ?? { address: 0n };
    await expect(breakpoints.delete(77)).rejects.toMatchObject({ type: 'NOT_FOUND', fix: 'There are none.' });
    const { id } = await breakpoints.set(spec('exec', exec));
    await expect(breakpoints.delete(id + 1)).rejects.toMatchObject({ fix: `There are: ${id}.` });
    await expect(breakpoints.set({ ...spec('exec', exec), condition: '1 +' })).rejects.toMatchObject({
      type: 'INVALID_ARGUMENT',
    });
    await expect(breakpoints.set({ ...spec('exec', exec), address: 1n << 80n })).rejects.toMatchObject({
      type: 'ADDRESS_OUT_OF_BOUNDS',
    });
    expect(await breakpoints.list()).toHaveLength(1);
  });
}

export function rewindContract(context: Context): void {
  describe('the past', () => {
    test('is reached by steps, and is what it was', async () => {
      const { control, cpu } = context.with('control', 'cpu');
      const { call } = await context.bench();
      await control.run({ address: call, wallMs: patientMs }, never);
      const before = await cpu.registers();
      await control.step(step('into', 7), never);
      expect(await control.step(step('into', 7, true), never)).toMatchObject({ cause: 'step' });
      expect(cpu.pc).toBe(call);
      expect(await cpu.registers()).toEqual(before);
    });

    test('is searched for the last breakpoint, without counting it', async () => {
      const { control, cpu, breakpoints } = context.with('control', 'cpu', 'breakpoints');
      const { call, afterCall } = await context.bench();
      await control.run({ address: call, wallMs: patientMs }, never);
      await control.step(step('over'), never);
      await control.step(step('into', 2), never);
      const { id } = await breakpoints.set(spec('exec', { address: afterCall }));
      expect(await control.run({ back: true, wallMs: patientMs }, never)).toMatchObject({ breakpoint: { id } });
      expect(cpu.pc).toBe(afterCall);
      expect(await breakpoints.list()).toMatchObject([{ hits: 0 }]);
    });

    test('ends where it began, which is no error', async () => {
      const { control } = context.with('control');
      await context.bench();
      await control.run({ frames: 1, wallMs: patientMs }, never);
      expect(await control.step(step('into', 100_000, true), never)).toMatchObject({
        cause: expect.stringMatching(/step|limit/),
      });
      expect(await control.run({ back: true, wallMs: patientMs }, never)).toMatchObject({ cause: 'limit' });
    });
  });
}
