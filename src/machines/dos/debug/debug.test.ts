import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type BenchOptions, makeBench, setVector } from '../../../chips/x86/x86-testing.ts';
import { parseAddress } from '../../../machine/addresses.ts';
import { NameBook } from '../../../machine/names.ts';
import type { PortWatcher } from '../board/port-map.ts';
import { DosAddresses } from './dos-addresses.ts';
import { DosBreakpoints } from './dos-breakpoints.ts';
import { DosCallLog } from './dos-call-log.ts';
import { dosCoverage } from './dos-coverage.ts';
import { DosCpu } from './dos-cpu.ts';
import { DosFreeze } from './dos-freeze.ts';
import { DosFunctions } from './dos-functions.ts';
import { DosGraph } from './dos-graph.ts';
import { DosMemory } from './dos-memory.ts';
import { DosTrace } from './dos-trace.ts';
import { DosVocabulary } from './dos-vocabulary.ts';
import { InstructionHooks } from './instruction-hooks.ts';
import { MemoryWatches } from './memory-watches.ts';
import { NameFiles, namedProgram } from './name-files.ts';

/** A processor with everything that looks at it, and bytes at 1000:0100. */
function desk(hex: string, options: BenchOptions = {}) {
  const ports: { watcher: PortWatcher | undefined } = { watcher: undefined };
  const bench = makeBench(hex, options);
  const { cpu } = bench;
  const addresses = new DosAddresses(cpu);
  const vocabulary = new DosVocabulary(cpu, addresses.symbols);
  const watches = new MemoryWatches(cpu);
  const events: string[] = [];
  const breakpoints = new DosBreakpoints({ cpu, vocabulary, watches, ports, log: (text) => events.push(text) });
  const poke = (address: number, bytes: Uint8Array) => {
    bench.ram.set(bytes, address);
    cpu.memoryReplaced(address, address + bytes.length - 1);
  };
  const hooks = new InstructionHooks(cpu);
  /** As an engine does: until a breakpoint, the end of the program or a count. */
  const run = (until = 10_000) => {
    for (;;) {
      const end = cpu.run(breakpoints.limit(until));
      const hit = breakpoints.check(true);
      if (hit) return hit;
      if (end.reason === 'halted' || cpu.instructions >= until) return undefined;
    }
  };
  const set = (type: string, address: number, more: { length?: number; condition?: string; logOnly?: boolean } = {}) =>
    breakpoints.set({
      type,
      address: BigInt(address),
      length: more.length ?? 1,
      condition: more.condition,
      logOnly: more.logOnly ?? false,
      temporary: false,
    });
  return { ...bench, ports, addresses, vocabulary, watches, breakpoints, events, poke, hooks, run, set };
}

describe('breakpoints', () => {
  // mov cx,5; (103) inc ax; mov [200],ax; loop 103; hlt
  const loop = 'b90500 40 a30002 e2fa f4';

  test('on execution, with a condition over registers of every width', async () => {
    const { cpu, set, run } = desk(loop);
    await set('exec', 0x10104, { condition: 'al==3 && eax<4 && CX==3 && !zf' });
    expect(run()).toMatchObject({ id: 1, type: 'exec', hits: 1 });
    expect([cpu.get('ip'), cpu.get('ax')]).toEqual([0x104, 3]);
    expect(run()).toBeUndefined();
  });

  test('on writes and changes, with the value written', async () => {
    const { cpu, set, run, ram } = desk(loop);
    ram[0x10200] = 1;
    await set('change', 0x10200, { condition: 'value >= 2' });
    expect(run()).toMatchObject({ type: 'change' });
    expect(cpu.get('ax')).toBe(2);
    await set('write', 0x10201, { logOnly: true });
    expect(run()).toMatchObject({ type: 'change' });
    expect(cpu.get('ax')).toBe(3);
  });

  test('a log only writes events, and those in the past cost nothing', async () => {
    const { set, run, events, breakpoints } = desk(loop);
    await set('exec', 0x10103, { logOnly: true });
    expect(run(1)).toBeUndefined();
    expect(run()).toBeUndefined();
    expect(events).toHaveLength(5);
    expect((await breakpoints.list())[0]?.hits).toBe(5);
    await breakpoints.delete(1);
    expect(breakpoints.active).toBe(false);
    await expect(breakpoints.delete(1)).rejects.toThrow('No breakpoint 1');
  });

  test('on time, exactly', async () => {
    const { cpu, set, run } = desk(loop);
    await set('time', 7);
    expect(run()).toMatchObject({ type: 'time' });
    expect(cpu.instructions).toBe(7);
    expect(run()).toBeUndefined();
  });

  test('on ports', async () => {
    // mov al,7; out 42,al; mov al,8; out 42,al; hlt
    const { cpu, ports, set, run } = desk('b007 e642 b008 e642 f4');
    // The bench has no port map: what it would report is reported here.
    const { onInstruction } = cpu;
    cpu.onInstruction = ({ form }) => {
      if (form.mnemonic === 'out') ports.watcher?.('out', 0x42, cpu.get('al'));
    };
    await set('out', 0x40, { length: 4, condition: 'value==8 && port==0x42' });
    expect(run()).toMatchObject({ type: 'out' });
    expect(cpu.get('ip')).toBe(0x108);
    cpu.onInstruction = onInstruction;
    await expect(set('in', 0x10000)).rejects.toThrow('outside');
  });

  test('on interrupts by their vector and registers, once each, wherever the vector leads', async () => {
    // mov ah,9; int 21; mov ah,3d; int 21; point vector 21 at 140; int 21; hlt
    const bench = desk('b409 cd21 b43d cd21 31c0 8ed8 c70684004001 b43d cd21 f4');
    bench.put(0x130, '90 cf');
    bench.put(0x140, '40 cf');
    setVector(bench, 0x21, 0x130);
    await bench.set('interrupt', 0x21, { condition: 'ah==0x3d' });
    expect(bench.run()).toMatchObject({ type: 'interrupt' });
    expect(bench.cpu.get('ip')).toBe(0x130);
    expect(bench.run()).toMatchObject({ type: 'interrupt', hits: 2 });
    expect(bench.cpu.get('ip')).toBe(0x140);
    expect(bench.run()).toBeUndefined();
  });

  test('a handler that waits in its first instruction is entered once', async () => {
    let calls = 0;
    // int 16; hlt
    const bench = desk('cd16 f4', { callback: () => (++calls < 3 ? 'wait' : 'done') });
    bench.ram.set([0xfe, 0x38, 0x16, 0x00, 0xcf], 0xf0000);
    bench.ram.set([0, 0, 0x00, 0xf0], 0x16 * 4);
    setVector(bench, 8, 0x150);
    bench.put(0x150, 'cf');
    await bench.set('interrupt', 0x16);
    expect(bench.run(100)).toMatchObject({ type: 'interrupt', hits: 1 });
    for (const until of [10, 20, 30]) {
      expect(bench.run(until)).toBeUndefined();
      bench.cpu.setInterruptLine(true);
      bench.cpu.run(bench.cpu.instructions + 1);
      bench.cpu.setInterruptLine(false);
    }
    expect(calls).toBeGreaterThan(1);
    expect((await bench.breakpoints.list())[0]?.hits).toBe(1);
  });

  test('conditions name what they do not know', async () => {
    const { set } = desk('f4');
    await expect(set('exec', 0, { condition: 'rax==1' })).rejects.toThrow('no name rax');
  });
});

describe('the processor', () => {
  test('registers by model, with flags by letter', async () => {
    const { cpu, addresses } = desk('f4');
    const wide = new DosCpu(cpu, addresses);
    cpu.set('eax', 0x12345678);
    cpu.set('flags', 0x0041);
    const registers = await wide.registers();
    expect(registers[0]).toEqual({ name: 'EAX', value: 0x12345678n, bits: 32 });
    expect(registers.at(-1)).toMatchObject({ name: 'EFLAGS', flags: 'oditsZapC' });
    const { cpu: old, addresses: oldAddresses } = desk('f4', { model: '8086' });
    expect((await new DosCpu(old, oldAddresses).registers()).map(({ name }) => name)).toContain('AX');
  });

  test('registers are set by every name, within their size', async () => {
    const { cpu, addresses } = desk('f4');
    const debugged = new DosCpu(cpu, addresses);
    await debugged.setRegister('AH', 0x12n);
    await debugged.setRegister('es', 0xb800n);
    expect([cpu.get('ax'), cpu.get('es')]).toEqual([0x1200, 0xb800]);
    await expect(debugged.setRegister('al', 256n)).rejects.toThrow('AL cannot be 256');
    await expect(debugged.setRegister('r8', 0n)).rejects.toThrow('No register r8');
  });

  test('disassembly has names, and data in front of code that ran', async () => {
    // jmp 105; db ea,12; (105) call 10a; hlt; nop; (10a) ret
    const { cpu, addresses, run } = desk('e90200 ea12 e80200 f4 90 c3');
    addresses.symbols.add([['worker', 0x1010an]]);
    run();
    const lines = await new DosCpu(cpu, addresses).disassemble(addresses.segmented(0x1000n, 0x100n), 5);
    expect(lines.map(({ text }) => text)).toEqual(['jmp 0x105', 'db 0xea,0x12', 'call worker', 'hlt', 'nop']);
    expect(lines.map(({ address }) => addresses.format(address))[1]).toBe('1000:0103');
  });

  test('the call stack follows calls and interrupts', async () => {
    // call 106; hlt; nop; nop; (106) call 10a; nop; (10a) nop; hlt
    const { cpu, addresses, run, set } = desk('e80300 f4 9090 e80100 90 90 f4');
    await set('exec', 0x1010a);
    run();
    const frames = await new DosCpu(cpu, addresses).callStack();
    expect(frames).toEqual([
      { from: 0x10106n, returnsTo: 0x10109n },
      { from: 0x10100n, returnsTo: 0x10103n },
    ]);
  });

  test('addresses are written with the segment that is meant', () => {
    const { addresses, cpu } = desk('f4');
    expect(addresses.format(0x10100n)).toBe('1000:0100');
    expect(addresses.format(0xb8000n)).toBe('B000:8000');
    expect(addresses.format(addresses.segmented(0xb800n, 0x10n))).toBe('B800:0010');
    expect(addresses.format(0x100010n)).toBe('FFFF:0020');
    expect(addresses.format(0x200000n)).toBe('0x00200000');
    cpu.set('ds', 0x0040);
    expect(addresses.format(0x417n)).toBe('0040:0017');
    cpu.set('si', 0x20);
    expect(parseAddress('ds:si', addresses)).toBe(0x420n);
    expect(parseAddress('ES:200', addresses)).toBe(0x10200n);
    expect(() => parseAddress('xs:0', addresses)).toThrow('neither');
    addresses.know(0x0080, 0x122);
    expect(addresses.format(0x922n)).toBe('0080:0122');
  });
});

describe('memory', () => {
  test('frozen bytes stay, whoever writes them, until they are released', async () => {
    // mov byte [200],5; mov word [200],1234; inc byte [200]; hlt
    const { cpu, ram, watches, poke } = desk('c606000205 c70600023412 fe060002 f4');
    const freeze = new DosFreeze(cpu, watches, poke);
    const memory = new DosMemory({ cpu, freeze, poke, extra: () => [] });
    const { id } = await freeze.hold(0x10200n, Uint8Array.of(9));
    cpu.run(1);
    expect(ram[0x10200]).toBe(9);
    cpu.run(2);
    expect([ram[0x10200], ram[0x10201]]).toEqual([9, 0x12]);
    await memory.freeze.release(id);
    cpu.run(3);
    expect(ram[0x10200]).toBe(10);
    await expect(freeze.release(id)).rejects.toThrow('Nothing frozen');
    await expect(freeze.hold(0xb8000n, Uint8Array.of(1))).rejects.toThrow('Video memory');
  });

  test('spaces of others are reached by name; a poke of code is noticed', async () => {
    const { cpu, watches, poke, run } = desk('40 f4');
    const expanded = new Uint8Array(64);
    const extra = {
      name: 'ems1',
      size: 64n,
      description: 'expanded memory',
      writable: true,
      peek: (address: number, length: number) => expanded.slice(address, address + length),
      poke: (address: number, bytes: Uint8Array) => expanded.set(bytes, address),
    };
    const memory = new DosMemory({ cpu, freeze: new DosFreeze(cpu, watches, poke), poke, extra: () => [extra] });
    await memory.poke('ems1', 3n, Uint8Array.of(7));
    expect(await memory.peek('ems1', 2n, 3)).toEqual(Uint8Array.of(0, 7, 0));
    run(1);
    await memory.poke('cpu', 0x10100n, Uint8Array.of(0x48));
    cpu.set('ip', 0x100);
    cpu.step();
    expect(cpu.get('ax')).toBe(0);
    expect(memory.spaces.map(({ name }) => name)).toEqual(['cpu', 'ems1']);
  });
});

describe('understanding', () => {
  // call 110; call 110; hlt … (110) inc ax; call 120; ret … (120) pop bx; add bx,1; push bx; ret
  const program = 'e80d00 e80a00 f4';
  const functions = (bench: ReturnType<typeof desk>) => {
    bench.put(0x110, '40 e80c00 90 c3');
    bench.put(0x120, '5b 83c301 53 c3');
  };

  test('functions with callers, callees and both sorts of returns', async () => {
    const bench = desk(program);
    functions(bench);
    bench.addresses.symbols.add([['worker', 0x10110n]]);
    bench.run();
    const list = await new DosFunctions(bench.cpu, bench.addresses.symbols).list();
    const worker = list.find(({ name }) => name === 'worker');
    expect(worker).toMatchObject({ where: '1000:0110', calls: 2, returns: { aligned: 2, misaligned: 0 } });
    expect(worker?.callers.map(({ where }) => where)).toEqual(['1000:0100', '1000:0103']);
    expect(worker?.callees.map(({ where }) => where)).toEqual(['1000:0120']);
    expect(list.find(({ where }) => where === '1000:0120')).toMatchObject({ returns: { aligned: 0, misaligned: 2 } });
    expect(list.find(({ where }) => where === '1000:0100')).toMatchObject({ calls: 1, callers: [] });
  });

  test('handlers have the names of their vectors', async () => {
    const bench = desk('cd21 f4');
    setVector(bench, 0x21, 0x130);
    bench.put(0x130, 'cf');
    bench.run();
    const list = await new DosFunctions(bench.cpu, bench.addresses.symbols).list();
    expect(list.find(({ where }) => where === '1000:0130')).toMatchObject({ name: 'int_21h', calls: 1 });
  });

  test('the graph with typed edges, ids that stay, entry points and context', async () => {
    const bench = desk(program);
    functions(bench);
    const graph = new DosGraph(bench.cpu, bench.addresses.symbols);
    bench.run();
    const first = await graph.read();
    const at = (where: string) => [...first.blocks.values()].find((block) => block.where === where);
    const start = at('1000:0100');
    expect(start?.edges.map(({ type, count }) => [type, count])).toEqual([
      ['call', 1],
      ['call-to-return', 1],
    ]);
    expect(start?.edges[0]?.to).toBe(at('1000:0110')?.id);
    expect(at('1000:0110')).toMatchObject({ kind: 'code', executions: 2, bytes: 4 });
    expect(at('1000:0110')?.edges.map(({ type }) => type)).toContain('misaligned-return');
    expect(
      at('1000:0120')
        ?.instructions()
        .map(({ text }) => text),
    ).toEqual(['pop bx', 'add bx,1', 'push bx', 'ret']);
    expect(first).toMatchObject({
      entryPoints: [{ where: '1000:0100' }],
      context: { depth: 0, entry: { where: '1000:0100' } },
    });
    const second = await graph.read();
    expect([...second.blocks.keys()]).toEqual([...first.blocks.keys()]);
  });

  test('changed code shows as variants behind a selector', async () => {
    // mov cx,4; (103) inc bx; xor byte [103],8; loop 103; hlt
    const { cpu, addresses, run } = desk('b90400 43 8036030108 e2f8 f4');
    run();
    const { blocks } = await new DosGraph(cpu, addresses.symbols).read();
    const here = [...blocks.values()].filter(({ where }) => where === '1000:0103');
    expect(here.map(({ kind }) => kind).sort()).toEqual(['code', 'code', 'selector']);
    const selector = here.find(({ kind }) => kind === 'selector');
    expect(selector?.edges.every(({ type }) => type === 'selector')).toBe(true);
    const variants = here.filter(({ kind }) => kind === 'code').map(({ variant }) => variant);
    expect(variants.map((variant) => variant?.of)).toEqual([2, 2]);
    expect(variants.filter((variant) => variant?.live)).toHaveLength(1);
  });

  test('an interrupt is a context of its own', async () => {
    const bench = desk('fb 90 90 90 90 f4');
    setVector(bench, 8, 0x140);
    bench.put(0x140, '40 cf');
    bench.cpu.run(2);
    bench.cpu.setInterruptLine(true);
    bench.cpu.run(3);
    const graph = await new DosGraph(bench.cpu, bench.addresses.symbols).read();
    expect(graph.context).toMatchObject({ depth: 1, entry: { where: '1000:0140' } });
    expect(graph.entryPoints.map(({ where }) => where).sort()).toEqual(['1000:0100', '1000:0140']);
  });

  test('coverage of a run, and what ran in one but not the other', async () => {
    // (100) inc ax; cmp ax,3; jne 100; inc bx; hlt
    const { cpu, run } = desk('40 83f803 75fa 43 f4');
    const coverage = dosCoverage(cpu);
    await coverage.start('loop');
    run(5);
    await coverage.stop('loop');
    await coverage.start('end');
    run();
    const ids = async (name: string) => (await coverage.read(name)).map(({ where }) => where);
    expect(await ids('loop')).toEqual(['1000:0100', '1000:0101', '1000:0104']);
    const end = await coverage.read('end');
    expect(end.filter(({ isNew }) => isNew).map(({ where }) => where)).toEqual(['1000:0106', '1000:0107']);
    expect(end.find(({ where }) => where === '1000:0100')).toMatchObject({ executions: 1, isNew: false });
  });

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
      (await graph.dataReferences(address)).map(({ instruction, access, target }) => [
        instruction.where,
        access,
        target,
      ]);
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
});

test('the call log knows who called, what came of it, and a call that waits once', async () => {
  const outcomes: ('done' | 'wait')[] = ['done', 'wait', 'wait', 'done'];
  let log: DosCallLog | undefined;
  const bench = desk('cd21 cd21 f4', {
    callback: (number) => {
      const finish = log?.called(number);
      const outcome = outcomes.shift() ?? 'done';
      finish?.(outcome);
      return outcome;
    },
  });
  const { cpu, ram } = bench;
  const words = {
    describe: (number: number) => (number === 0x21 ? `int 21h ah=${cpu.get('ah')}` : undefined),
    result: (_number: number, ah: number) => `ok ${ah}`,
  };
  log = new DosCallLog(cpu, words);
  ram.set([0xfe, 0x38, 0x21, 0x00, 0xcf], 0xf0000);
  ram.set([0, 0, 0x00, 0xf0], 0x21 * 4);
  setVector(bench, 8, 0x150);
  bench.put(0x150, 'cf');
  for (let slice = 1; slice < 12; slice++) {
    cpu.run(cpu.instructions + 2);
    cpu.setInterruptLine(slice % 2 === 0);
  }
  const { calls } = await log.read({ from: 0, limit: 10 });
  expect(calls.map(({ from, result }) => [from.where, result])).toEqual([
    ['1000:0100', 'ok 0'],
    ['1000:0102', 'ok 0'],
  ]);
});

test('names are files of their own, replaced whole, found by the program alone', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'fp-names-'));
  try {
    const files = new NameFiles(join(directory, 'names'));
    const program = namedProgram('GAME.COM', Uint8Array.of(1, 2, 3), 0x1000, 0x1002);
    const { addresses } = desk('f4');
    const book = new NameBook(addresses.symbols, files);
    await book.open(program);
    await Promise.all([book.set(0x1000n, { name: 'a' }), book.set(0x1001n, { name: 'b' })]);
    const [file, ...others] = await readdir(join(directory, 'names'));
    expect([file, others]).toEqual([`${program.hash}.names`, []]);
    expect((await stat(join(directory, 'names', file ?? ''))).mode & 0o777).toBe(0o600);
    const again = new NameBook(desk('f4').addresses.symbols, files);
    expect(await again.open({ ...program, first: 0x2000n, last: 0x2002n })).toBe(2);
    expect((await again.list()).map(({ address }) => address)).toEqual([0x2000n, 0x2001n]);
    await expect(files.load('../../etc/passwd')).rejects.toThrow('hash');
  } finally {
    await rm(directory, { recursive: true });
  }
});
