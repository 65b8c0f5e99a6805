import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MachineError } from '../../src/machine/errors.ts';
import { type Context, never, patientMs, refusal } from './context.ts';
import { typedSourceContract } from './typed.contract.ts';

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

  test('a walk reads each entry from memory, and leads where the ranges say', { timeout: patientMs }, async () => {
    const { machine, truth } = await context.scene('paged', 'paging', 'memory');
    const { paging, memory } = machine;
    const { mapped, physical } = truth;
    const walk = await paging.walk(mapped);
    expect(walk).toMatchObject({ address: mapped, physical, fault: undefined });
    expect(walk.steps.length).toBeGreaterThan(0);
    for (const { at, value } of walk.steps) {
      const bytes = await memory.peek('physical', at, 8);
      expect(Buffer.from(bytes).readBigUInt64LE()).toBe(value);
    }
    const all = await paging.ranges({ from: 0n, limit: 1000 });
    expect(all).toMatchObject({ scheme: walk.scheme, next: undefined });
    const found = all.ranges.find(({ first, last }) => first <= mapped && mapped <= last);
    expect(found && found.physical + mapped - found.first).toBe(physical);
    expect(found).toMatchObject({ user: walk.page?.user, write: walk.page?.write, execute: walk.page?.execute });
    for (const [n, range] of all.ranges.entries()) {
      expect(range.last).toBeGreaterThanOrEqual(range.first);
      if (n > 0) expect(range.first).toBeGreaterThan(all.ranges[n - 1]?.last ?? 0n);
    }
    const leading = await paging.ranges({ from: 0n, limit: 1000, physical });
    expect(leading.ranges.length).toBeGreaterThan(0);
    for (const range of leading.ranges) {
      expect(range.physical <= physical && physical <= range.physical + range.last - range.first).toBe(true);
    }
  });

  test('what is asked for in pieces is the same as all at once', { timeout: patientMs }, async () => {
    const { paging } = (await context.scene('paged', 'paging')).machine;
    const { ranges } = await paging.ranges({ from: 0n, limit: 1000 });
    const pieces = [];
    for (let from: bigint | undefined = 0n; from !== undefined; ) {
      const piece = await paging.ranges({ from, limit: 1 });
      pieces.push(...piece.ranges);
      from = piece.next;
    }
    expect(pieces).toEqual(ranges);
  });

  test('an address that leads nowhere says why, with the entries up to there', { timeout: patientMs }, async () => {
    const { machine, truth } = await context.scene('paged', 'paging');
    const walk = await machine.paging.walk(truth.unmapped);
    expect(walk).toMatchObject({ address: truth.unmapped, physical: undefined, page: undefined });
    expect(walk.fault).toMatch(/./);
    expect(walk.steps.length).toBeGreaterThan(0);
    const { ranges } = await machine.paging.ranges({ from: 0n, limit: 1000 });
    expect(ranges.filter(({ first, last }) => first <= truth.unmapped && truth.unmapped <= last)).toEqual([]);
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

  test('what happened is told with its cause and its place, and telling it changes nothing', {
    timeout: patientMs,
  }, async () => {
    const { machine, truth } = await context.scene('faulted', 'crash', 'cpu', 'addresses');
    const { crash, cpu, addresses } = machine;
    const before = await cpu.registers();
    const report = await crash.explain();
    expect(report.exception).toMatch(truth.exception);
    expect(report.summary).toMatch(truth.summary);
    expect(report.summary).not.toContain('\n');
    expect(report.lines.length).toBeGreaterThan(0);
    expect(addresses.symbols.describe(report.address ?? 0n)).toMatch(new RegExp(`^${truth.function}\\b`));
    expect(await crash.explain()).toEqual(report);
    expect(await cpu.registers()).toEqual(before);
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

  typedSourceContract(context);
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
