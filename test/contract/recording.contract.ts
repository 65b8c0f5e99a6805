import { expect, test } from 'vitest';
import { type Context, never, patientMs } from './context.ts';
import { reachPrompt } from './prompt.ts';

const frames = (count: number) => ({ frames: count, wallMs: patientMs });
const room = 1_000_000;

export function traceContract(context: Context): void {
  const traced = async () => {
    const machine = context.with('trace', 'control', 'cpu');
    const bench = await context.bench();
    await machine.control.run({ address: bench.call, wallMs: patientMs }, never);
    return { ...machine, trace: machine.trace, control: machine.control, bench };
  };
  const step = (count: number) => ({ kind: 'into', count, back: false, wallMs: patientMs }) as const;

  test('each instruction that runs is an entry, from 0 on, until it is stopped', async () => {
    const { trace, control, bench } = await traced();
    expect(trace.status).toMatchObject({ active: false, total: 0 });
    expect(await trace.start({ whenFull: 'drop-oldest', maxBytes: room })).toMatchObject({ active: true, total: 0 });
    await control.step(step(4), never);
    const { entries, next } = await trace.read(0, 100);
    expect(entries.map(({ seq }) => seq)).toEqual([0, 1, 2, 3]);
    expect(next).toBe(4);
    expect(entries.map(({ address }) => address).slice(0, 2)).toEqual([bench.call, bench.inside]);
    expect(entries.map(({ time }) => time)).toEqual(entries.map(({ time }) => time).toSorted((a, b) => a - b));
    for (const { text, where } of entries) expect([text, where]).not.toContain('');
    const [first, second] = entries;
    expect(first?.registers.length).toBeGreaterThan(second?.registers.length ?? 0);
    expect(await trace.stop()).toMatchObject({ active: false, total: 4 });
    await control.step(step(2), never);
    expect(trace.status.total).toBe(4);
    expect((await trace.read(2, 1)).entries).toMatchObject([{ seq: 2 }]);
  });

  test('a range and a condition choose, and a new trace forgets the last', async () => {
    const { trace, control, bench } = await traced();
    await trace.start({ whenFull: 'drop-oldest', maxBytes: room });
    await control.step(step(4), never);
    await trace.start({ first: bench.inside, last: bench.inside, whenFull: 'drop-oldest', maxBytes: room });
    await control.run(frames(1), never);
    const { entries } = await trace.read(0, 5);
    expect(entries).toHaveLength(5);
    expect(new Set(entries.map(({ address }) => address))).toEqual(new Set([bench.inside]));
    await trace.start({ condition: '1 == 2', whenFull: 'drop-oldest', maxBytes: room });
    await control.run(frames(1), never);
    expect(trace.status.total).toBe(0);
    await expect(trace.start({ condition: 'nonsense ==', whenFull: 'stop', maxBytes: room })).rejects.toMatchObject({
      type: 'INVALID_ARGUMENT',
    });
  });

  test('a full one drops the oldest or ends, as asked', async () => {
    const { trace, control } = await traced();
    await trace.start({ whenFull: 'drop-oldest', maxEntries: 10, maxBytes: room });
    await control.step(step(25), never);
    expect(trace.status).toMatchObject({ active: true, total: 25, dropped: 15, capacity: 10, full: false });
    expect((await trace.read(0, 3)).entries.map(({ seq }) => seq)).toEqual([15, 16, 17]);
    await trace.start({ whenFull: 'stop', maxEntries: 10, maxBytes: room });
    await control.step(step(25), never);
    expect(trace.status).toMatchObject({ active: false, total: 10, dropped: 0, full: true });
    expect((await trace.read(0, 30)).entries.map(({ seq }) => seq).at(-1)).toBe(9);
  });
}

export function coverageContract(context: Context): void {
  test('a run has what ran from its start to its end, and nothing else', async () => {
    const { coverage, control } = context.with('coverage', 'control');
    const { call, inside } = await context.bench();
    const pass = () => control.run({ address: call, wallMs: patientMs }, never);
    await pass();
    expect(coverage.runs).toEqual([]);
    expect(await coverage.start('one')).toMatchObject({ name: 'one', active: true });
    await control.step({ kind: 'into', count: 2, back: false, wallMs: patientMs }, never);
    const ended = await coverage.stop('one');
    expect(ended).toMatchObject({ name: 'one', active: false });
    expect(ended.to).toBeGreaterThanOrEqual(ended.from);
    const pieces = await coverage.read('one');
    expect(pieces.map(({ address }) => address)).toEqual(expect.arrayContaining([call, inside]));
    const { length } = pieces;
    await pass();
    expect(await coverage.read('one')).toHaveLength(length);
    expect(coverage.runs).toMatchObject([{ name: 'one' }]);
  });

  test('unknown names are refused with those there are; one that is deleted is gone', async () => {
    const { coverage } = context.with('coverage');
    await context.bench();
    await coverage.start('known');
    for (const attempt of [coverage.stop('other'), coverage.read('other'), coverage.delete('other')]) {
      await expect(attempt).rejects.toMatchObject({ type: 'NOT_FOUND', fix: expect.stringContaining('known') });
    }
    await coverage.stop('known');
    await coverage.delete('known');
    expect(coverage.runs).toEqual([]);
  });
}

export function functionsContract(context: Context): void {
  test('a subroutine that was called is known with its caller and its returns', async () => {
    const { functions, control } = context.with('functions', 'control');
    const { inside, call } = await context.bench();
    await control.run(frames(2), never);
    const found = (await functions.list()).find(({ address }) => address === inside);
    expect(found?.calls).toBeGreaterThan(10);
    expect(found?.callers.map(({ address }) => address)).toEqual([call]);
    expect(found?.callees).toEqual([]);
    expect(found?.returns.misaligned).toBe(0);
    expect(Math.abs((found?.returns.aligned ?? 0) - (found?.calls ?? 0))).toBeLessThanOrEqual(1);
  });
}

export function graphContract(context: Context): void {
  test('blocks hold what ran, and edges lead from each to the next', async () => {
    const { graph, control } = context.with('graph', 'control');
    const { inside, call, afterCall } = await context.bench();
    await control.run(frames(2), never);
    const { blocks, entryPoints } = await graph.read();
    expect(entryPoints.length).toBeGreaterThan(0);
    const holding = (address: bigint) =>
      [...blocks.values()].find((block) => block.instructions().some((each) => each.address === address));
    const calling = holding(call);
    expect(calling?.executions).toBeGreaterThan(10);
    const edgesTo = (id: number | undefined) => calling?.edges.filter(({ to }) => to === id).map(({ type }) => type);
    expect(edgesTo(holding(inside)?.id)).toEqual(['call']);
    expect(edgesTo(holding(afterCall)?.id)).toEqual(['call-to-return']);
    for (const [id, block] of blocks) {
      expect(block.id).toBe(id);
      for (const { to } of block.edges) expect(blocks.has(to)).toBe(true);
      const code = block.instructions();
      if (block.kind === 'code') expect(code[0]?.address).toBe(block.address);
      expect(code.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBe(block.bytes);
    }
    const again = await graph.read();
    const holdsAgain = [...again.blocks.values()].find(({ address }) => address === inside);
    expect(holdsAgain?.id).toBe(holding(inside)?.id);
  });
}

export function callLogContract(context: Context): void {
  test('calls of the system are numbered, in order, and found by what they say', async () => {
    const { callLog, keyboard } = context.with('callLog', 'keyboard');
    const { prompt } = context.subject;
    if (!prompt) throw new Error('no prompt to type at is known');
    await reachPrompt(context, prompt);
    await keyboard.type('rem x\n', never);
    const all = await callLog.read({ limit: 1000 });
    expect(all.calls.length).toBeGreaterThan(1);
    const numbers = all.calls.map(({ seq }) => seq);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(all.next).toBeGreaterThanOrEqual(numbers.at(-1) ?? 0);
    const newest = await callLog.read({ limit: 1 });
    expect(newest.calls).toEqual(all.calls.slice(-1));
    expect(newest.older).toBe(all.calls.length - 1 + all.older);
    const first = all.calls.find(({ poll }) => poll === undefined);
    const from = await callLog.read({ limit: 1, from: first?.seq ?? 0 });
    expect(from.calls[0]?.seq).toBe(first?.seq);
    expect(from.left).toBeGreaterThan(0);
    const what = all.calls[0]?.what ?? '';
    const found = await callLog.read({ limit: 1000, filter: what.toUpperCase() });
    expect(found.calls.length).toBeGreaterThan(0);
    expect(
      found.calls.every((each) => `${each.what} = ${each.result}`.toLowerCase().includes(what.toLowerCase())),
    ).toBe(true);
    expect((await callLog.read({ limit: 10, filter: 'no such call' })).calls).toEqual([]);
  });
}

export function pastContract(context: Context): void {
  test('the last instructions are those that ran, oldest first', async () => {
    const { past, control } = context.with('past', 'control');
    const { call, inside } = await context.bench();
    await control.run({ address: call, wallMs: patientMs }, never);
    await control.step({ kind: 'into', count: 2, back: false, wallMs: patientMs }, never);
    const entries = await past.instructions(2, never);
    expect(entries.map(({ address }) => address)).toEqual([call, inside]);
    expect(entries[0]?.time).toBeLessThan(entries[1]?.time ?? 0);
    expect(await past.instructions(0, never)).toEqual([]);
  });

  test('it knows who last wrote and who last read', async () => {
    const { past, control, memory, status } = {
      ...context.with('past', 'control', 'memory'),
      status: () => context.machine.status(),
    };
    const { written, read, call } = await context.bench();
    await control.run(frames(1), never);
    await control.run({ address: call, wallMs: patientMs }, never);
    const before = status();
    const { write } = await past.accesses(written, 1, patientMs, never);
    const space = memory.spaces[0]?.name ?? '';
    expect(write).toMatchObject({ address: written, value: (await memory.peek(space, written, 1))[0] });
    expect(write?.pc).toBeLessThan(call);
    const reads = await past.accesses(read, 1, patientMs, never);
    expect(reads.read?.pc).toBeGreaterThan(write?.pc ?? call);
    expect(reads.write).toBeUndefined();
    expect(reads.isWhole).toBe(true);
    expect(status()).toEqual(before);
  });
}

export function routinesContract(context: Context): void {
  const request = { registers: {}, memory: [], interrupts: false, asHandler: false, maxCycles: 100_000 };

  test('a routine is called with what is given, and leaves no trace', async () => {
    const { routines, cpu, memory } = context.with('routines', 'cpu', 'memory');
    const { inside } = await context.bench();
    const before = { registers: await cpu.registers(), status: context.machine.status() };
    const done = await routines.call({ ...request, address: inside, registers: { X: 7n } }, never);
    expect(done).toMatchObject({ returned: true, instructions: 2, changes: [] });
    expect(done.registers).toContainEqual(expect.objectContaining({ name: 'X', value: 8 }));
    expect(done.cycles).toBeGreaterThan(2);
    expect({ registers: await cpu.registers(), status: context.machine.status() }).toEqual(before);
    expect(memory.spaces.length).toBeGreaterThan(0);
  });

  test('one that does not return says why, and what it changed', async () => {
    const { routines, memory } = context.with('routines', 'memory');
    const { call, written } = await context.bench();
    const space = memory.spaces[0]?.name ?? '';
    const [before] = await memory.peek(space, written, 1);
    const start = { address: written, bytes: Uint8Array.of(0x20) };
    const done = await routines.call({ ...request, address: call, memory: [start], maxCycles: 1000 }, never);
    expect(done).toMatchObject({ returned: false, reason: expect.stringMatching(/./) });
    expect(done.cycles).toBeLessThan(1100);
    expect(done.changes.map(({ address }) => address)).toEqual([written]);
    expect((await memory.peek(space, written, 1))[0]).toBe(before);
  });
}
