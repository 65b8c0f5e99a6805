import { expect, test } from 'vitest';
import { desk } from './desk-testing.ts';
import { DosGraph } from './dos-graph.ts';
import { DosTrace } from './dos-trace.ts';

test('a trace has each instruction once, with what changed', async () => {
  // mov cx,3; (103) inc ax; loop 103; hlt
  const { cpu, addresses, vocabulary, hooks, run, set } = desk('b90300 40 e2fd f4');
  const trace = new DosTrace({ cpu, hooks, vocabulary, symbols: addresses.symbols });
  await set('exec', 0x10104, { condition: 'ax==2' });
  await trace.start({ whenFull: 'drop-oldest', maxBytes: 100_000 });
  expect(run()).toMatchObject({ type: 'exec' });
  expect(run()).toBeUndefined();
  expect(await trace.stop()).toMatchObject({ active: false, total: 8, dropped: 0 });
  const { entries, next } = await trace.read(0, 100);
  expect(next).toBe(8);
  expect(entries.map(({ text }) => text)).toEqual([
    'mov cx,3',
    'inc ax',
    'loop 0x103',
    'inc ax',
    'loop 0x103',
    'inc ax',
    'loop 0x103',
    'hlt',
  ]);
  expect(entries[0]?.registers.map(({ name }) => name)).toContain('esi');
  expect(entries[1]).toMatchObject({ where: '1000:0103', time: 1, registers: [{ name: 'ecx', value: 3, bits: 32 }] });
  expect(entries[2]?.registers).toEqual([{ name: 'eax', value: 1, bits: 32 }]);
  cpu.set('ip', 0x100);
  const before = cpu.instructions;
  cpu.run(before + 1);
  expect(trace.status.total).toBe(8);
});

test('who reads and writes an address, from what was traced', async () => {
  // mov bx,200; inc word [bx+2]; mov al,[202]; mov [es:300],al; lea si,[202]; les di,[202]; jmp 100
  const { cpu, addresses, vocabulary, hooks, run } = desk('bb0002 ff4702 a00202 26a20003 8d360202 c43e0202 ebe8');
  cpu.set('es', 0x2000);
  const trace = new DosTrace({ cpu, hooks, vocabulary, symbols: addresses.symbols });
  const graph = new DosGraph(cpu, addresses.symbols, trace);
  await trace.start({ whenFull: 'drop-oldest', maxBytes: 100_000 });
  run(6);
  const of = async (address: bigint) =>
    (await graph.dataReferences(address)).map(({ instruction, access, target }) => [instruction.where, access, target]);
  expect(await of(0x10203n)).toEqual([
    ['1000:0103', 'read', 0x10202n],
    ['1000:0103', 'write', 0x10202n],
    ['1000:0111', 'read', 0x10202n],
  ]);
  expect(await of(0x20300n)).toEqual([['1000:0109', 'write', 0x20300n]]);
  expect(await of(0x10106n)).toEqual([['1000:0106', 'read', 0x10202n]]);
  expect(await of(0x1010dn)).toEqual([]);
});

test('a trace follows a machine that is taken back', async () => {
  const { cpu, addresses, vocabulary, hooks, run, state } = desk('40 40 40 40 40 40 ebf8');
  const trace = new DosTrace({ cpu, hooks, vocabulary, symbols: addresses.symbols });
  await trace.start({ whenFull: 'drop-oldest', maxEntries: 4, maxBytes: 100_000 });
  run(3);
  const then = state.slice();
  run(6);
  state.set(then);
  trace.cutBehind(cpu.instructions);
  expect(trace.status).toMatchObject({ total: 3, dropped: 2 });
  run(5);
  expect((await trace.read(0, 9)).entries.map(({ seq, time }) => [seq, time])).toEqual([
    [2, 2],
    [3, 3],
    [4, 4],
  ]);
});

test('a trace keeps the newest or stops, by range and condition', async () => {
  const { cpu, addresses, vocabulary, hooks, run } = desk('b96400 40 e2fd ebf8');
  const trace = new DosTrace({ cpu, hooks, vocabulary, symbols: addresses.symbols });
  await trace.start({ whenFull: 'drop-oldest', maxEntries: 10, maxBytes: 100_000 });
  run(101);
  expect(trace.status).toMatchObject({ active: true, total: 101, dropped: 91, capacity: 10 });
  expect((await trace.read(0, 3)).entries.map(({ seq }) => seq)).toEqual([91, 92, 93]);
  const request = { first: 0x10103n, last: 0x10103n, condition: 'cx==20', maxBytes: 100_000 };
  await trace.start({ ...request, whenFull: 'stop', maxEntries: 1 });
  run(201);
  expect(trace.status).toMatchObject({ total: 1, full: false });
  await trace.start({ whenFull: 'stop', maxBytes: 100 });
  run(cpu.instructions + 50);
  expect(trace.status).toMatchObject({ total: 1, capacity: 1, full: true, active: false });
  await expect(trace.start({ condition: 'qq==1', whenFull: 'stop', maxBytes: 100 })).rejects.toThrow('no name qq');
});
