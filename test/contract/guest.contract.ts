import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MachineError } from '../../src/machine/errors.ts';
import { type Context, never, patientMs } from './context.ts';

/** Refused as something that a caller can act on. */
const refusal = { name: 'MachineError', fix: expect.stringMatching(/./) };

export function monitorContract(context: Context): void {
  test('it shows what it is asked for, and the machine is where it was', async () => {
    const { monitor, cpu } = context.with('monitor', 'cpu');
    const { monitorShows } = context.subject;
    if (!monitorShows) throw new Error('no command that only shows is known');
    await context.bench();
    const before = await cpu.registers();
    expect(monitorShows.map(({ language }) => language)).toEqual(monitor.languages);
    for (const { language, command, answer } of monitorShows) {
      expect(await monitor.execute(language, command, {})).toMatch(answer);
    }
    expect(await cpu.registers()).toEqual(before);
  });

  test('what would open files, or is no command, is refused', async () => {
    const { monitor } = context.with('monitor');
    await context.bench();
    for (const { language, refuses } of context.subject.monitorShows ?? []) {
      for (const command of refuses) {
        await expect(monitor.execute(language, command, {}), `${language} ${command}`).rejects.toMatchObject(refusal);
      }
    }
    expect(context.machine.status().state).not.toBe('OFF');
  });
}

export function networkContract(context: Context): void {
  test('captures go on side by side, each in a file of its own, until they are stopped', async () => {
    const { network } = context.with('network');
    await context.bench();
    expect(network.interfaces.length).toBeGreaterThan(0);
    const folder = mkdtempSync(join(tmpdir(), 'fp-capture-'));
    try {
      const path = join(folder, 'mine.pcap');
      const [named, own] = [await network.startCapture({ path }), await network.startCapture({})];
      expect(named).toMatchObject({ path, active: true, interface: network.interfaces[0] });
      expect(own.id).not.toBe(named.id);
      expect(network.captures.map(({ id, active }) => [id, active])).toEqual([
        [named.id, true],
        [own.id, true],
      ]);
      expect(await network.packets(named.id, 0, 10)).toEqual({ lines: [], next: 0, total: 0 });
      expect(await network.stopCapture(named.id)).toMatchObject({ id: named.id, active: false });
      expect(existsSync(path)).toBe(true);
      await expect(network.startCapture({ path })).rejects.toBeInstanceOf(MachineError);
      await network.stopCapture(own.id);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('unknown interfaces and captures are refused with those there are', async () => {
    const { network } = context.with('network');
    await context.bench();
    const { id } = await network.startCapture({});
    await expect(network.startCapture({ interface: 'nonsense' })).rejects.toMatchObject({
      type: 'NOT_FOUND',
      fix: expect.stringContaining(network.interfaces[0] ?? ''),
    });
    for (const attempt of [network.stopCapture('nonsense'), network.packets('nonsense', 0, 1)]) {
      await expect(attempt).rejects.toMatchObject({ type: 'NOT_FOUND', fix: expect.stringContaining(id) });
    }
  });
}

export function pagingContract(context: Context): void {
  test('without page tables an address is its own, and it says that there are none', async () => {
    const { paging } = context.with('paging');
    const { call } = await context.bench();
    const walk = await paging.walk(call);
    expect(walk).toMatchObject({ address: call, physical: call, fault: undefined, steps: [] });
    expect(walk.scheme).not.toBe('');
    const { scheme, ranges, next } = await paging.ranges({ from: 0n, limit: 10 });
    expect({ scheme, ranges, next }).toEqual({ scheme: walk.scheme, ranges: [], next: undefined });
  });
}

export function crashContract(context: Context): void {
  test('where nothing went wrong it says so, in one line', async () => {
    const { crash } = context.with('crash');
    await context.bench();
    const { summary, exception } = await crash.explain();
    expect(summary).toMatch(/^[^\n]+$/);
    expect(exception).toBeUndefined();
  });

  test('a core is a new file, and none is written over another', async () => {
    const { crash } = context.with('crash');
    await context.bench();
    const folder = mkdtempSync(join(tmpdir(), 'fp-core-'));
    try {
      const path = join(folder, 'guest.core');
      const core = await crash.dump(path);
      expect(core.path).toBe(path);
      expect(core.bytes).toBeGreaterThan(1_000_000);
      expect(existsSync(path)).toBe(true);
      await expect(crash.dump(path)).rejects.toMatchObject(refusal);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

export function sourceContract(context: Context): void {
  test('without debug information questions are refused with what to do, and no place is known', async () => {
    const { source } = context.with('source');
    const { call } = await context.bench();
    const query = { frame: 0, depth: 1 };
    await expect(source.variables(query)).rejects.toMatchObject(refusal);
    await expect(source.evaluate('nobody', query)).rejects.toMatchObject(refusal);
    expect(await source.place(call)).toBeUndefined();
  });
}

export function linuxContract(context: Context): void {
  test('where no Linux runs every question is refused', async () => {
    const { linux } = context.with('linux');
    await context.bench();
    for (const ask of ['overview', 'log', 'tasks', 'modules', 'mounts', 'oopses', 'loadSymbols'] as const) {
      await expect(linux[ask](), ask).rejects.toMatchObject(refusal);
    }
    await expect(linux.task(1)).rejects.toMatchObject(refusal);
  });
}

export function guestAgentContract(context: Context): void {
  test('where no agent answers, that is said in time', async () => {
    const { guestAgent, control } = context.with('guestAgent', 'control');
    await context.bench();
    // It says at once that a guest which is stopped cannot answer.
    for (const attempt of [() => guestAgent.about(), () => guestAgent.readFile('/etc/hostname', 0, 100, never)]) {
      await expect(attempt()).rejects.toMatchObject(refusal);
    }
    expect(await control.run({ wallMs: 20 }, never)).toMatchObject({ cause: 'limit' });
  });
}

export function twinContract(context: Context): void {
  test('the same program is the same on both, and what is left out is not compared', async () => {
    const { twin } = context.with('twin');
    const { assembly } = context.subject;
    if (assembly === undefined) throw new Error('no program in its assembler is known');
    expect(twin.kind).not.toBe('');
    const program = { format: 'asm', name: 'contract.asm', bytes: new TextEncoder().encode(assembly) };
    const request = { frames: 5, picture: true, memory: true, processor: false, ignored: [], wallMs: patientMs };
    const report = await twin.compare({ ...request, program }, never);
    expect(report).toMatchObject({ frame: 5 });
    expect(report.difference).toBeUndefined();
    const more = await twin.compare(request, never);
    expect(more.frame).toBe(10);
    expect(more.difference).toBeUndefined();
  });
}
