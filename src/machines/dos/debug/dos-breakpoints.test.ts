import { expect, test } from 'vitest';
import { setVector } from '../../../chips/x86/x86-testing.ts';
import { desk } from './desk-testing.ts';

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

test('an interrupt tells the segment of who caused it, which its address does not', async () => {
  // jmp 1001:00f5 (the same place as 1000:0105); int 21; hlt
  const bench = desk('eaf5000110 cd21 f4');
  setVector(bench, 0x21, 0x130);
  await bench.set('interrupt', 0x21);
  expect(bench.run()).toMatchObject({ interrupt: { line: 'int 21h', interrupted: 0x10105n, place: '1001:00F5' } });
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

test('hits that are ignored, a group, what an expression was, and changes under the same number', async () => {
  const { cpu, set, run, events, breakpoints } = desk(loop);
  await set('exec', 0x10103);
  await breakpoints.change(1, { ignore: 2, group: 'loop', log: 'ax + 1' });
  expect(run()).toMatchObject({ id: 1, group: 'loop', hits: 3, logged: 3n });
  expect(cpu.get('ax')).toBe(2);
  await breakpoints.change(1, { condition: 'ax == 4', logOnly: true });
  expect(run()).toBeUndefined();
  expect(events).toEqual(['breakpoint 1 hit: log = 5']);
  expect(await breakpoints.list()).toMatchObject([{ id: 1, hits: 4, condition: 'ax == 4', logOnly: true }]);
  await expect(breakpoints.change(1, { frames: 3 })).rejects.toThrow('have no frames');
  await expect(breakpoints.change(9, {})).rejects.toThrow('No breakpoint 9');
});

test('a hit sets registers, flags and memory, and goes on or stops', async () => {
  const { cpu, set, run, ram, events, breakpoints } = desk(loop);
  await set('exec', 0x10104, {
    logOnly: true,
    condition: 'ax == 2',
    log: 'ax',
    set: ['ax = 0x10 + cx', 'word[0x10300] = ax + 1', 'ds[0x310]=-2', 'cf=1', 'dword[0x10320]=0x12345678'],
  });
  expect(run()).toBeUndefined();
  // At the second pass ax was 2 with 4 in cx, so it became 14h and was counted on.
  expect([cpu.get('ax'), cpu.get('flags') & 1]).toEqual([0x17, 1]);
  expect([...ram.subarray(0x10300, 0x10302), ram[0x10310]]).toEqual([0x15, 0, 0xfe]);
  expect([...ram.subarray(0x10320, 0x10324)]).toEqual([0x78, 0x56, 0x34, 0x12]);
  expect(events).toEqual(['breakpoint 1 hit: log = 2']);
  expect((await breakpoints.list())[0]).toMatchObject({ hits: 1, logOnly: true });
});

test('an instruction is skipped, and a breakpoint at the next one is still met', async () => {
  const { cpu, set, run } = desk(loop);
  await set('exec', 0x10103, { logOnly: true, skip: 'instruction' });
  await set('exec', 0x10104, { condition: 'cx == 4' });
  expect(run()).toMatchObject({ id: 2 });
  expect([cpu.get('ax'), cpu.get('ip')]).toEqual([0, 0x104]);
});

test.each([
  // call 120; inc ax; hlt / 120: push bx; mov ax,77; pop bx; ret
  ['near', 'e81d00 40 f4', '53 b87700 5b c3', 'return'],
  // push 1000 words twice as arguments; call 120; inc ax; hlt / ret 4
  ['with arguments', '50 50 e81b00 40 f4', '53 b87700 5b c20400', 'return 4'],
  // push cs; call near as far does: 9a 20 01 00 10
  ['far', '9a20010010 40 f4', '53 b87700 5b cb', 'return'],
])('a routine is skipped, %s, from its first instruction or from within', async (_, main, routine, skip) => {
  for (const at of [0x10120, 0x10121]) {
    const bench = desk(main);
    bench.put(0x120, routine);
    const before = bench.cpu.get('sp');
    await bench.set('exec', at, { logOnly: true, skip, set: ['ax=5'] });
    expect(bench.run()).toBeUndefined();
    expect([bench.cpu.get('ax'), bench.cpu.get('sp')]).toEqual([6, before]);
    expect(bench.events).toHaveLength(1);
  }
});

test('a service is left out with an answer of its own, and flags stay as they are set', async () => {
  // sti; stc; int 21; hlt
  const bench = desk('fb f9 cd21 f4');
  bench.put(0x130, 'b8ffff cf');
  setVector(bench, 0x21, 0x130);
  const before = bench.cpu.get('sp');
  await bench.set('interrupt', 0x21, { logOnly: true, skip: 'return', set: ['ax=0x3004', 'cf=0'] });
  expect(bench.run(10)).toBeUndefined();
  expect([bench.cpu.get('ax'), bench.cpu.get('sp'), bench.cpu.get('flags') & 0x201]).toEqual([0x3004, before, 0x200]);
});

test('two that send each other the processor let time pass', async () => {
  const { cpu, set, run } = desk(loop);
  await set('exec', 0x10103, { logOnly: true, set: ['ip=0x104'] });
  await set('exec', 0x10104, { logOnly: true, set: ['ip=0x103'] });
  expect(run(100)).toBeUndefined();
  expect(cpu.get('cx')).toBe(0);
});

test('a hit saves a snapshot, ignored ones do not, and what cannot be done is told', async () => {
  const { set, run, events } = desk(loop);
  await set('exec', 0x10103, { snapshot: true, ignore: 2 });
  expect(run()).toMatchObject({ id: 1, hits: 3, saved: 'snapshot-1-3' });
  await set('exec', 0x10107, { logOnly: true, skip: 'return', condition: 'cx == 3' });
  expect(run()).toMatchObject({ id: 1 });
  expect(events).toEqual(['breakpoint 2 hit: no call is known that this could return from']);
});

test.each([
  [{ set: ['ax==1'] }, 'sets nothing'],
  [{ set: ['rax=1'] }, 'rax cannot be set'],
  [{ set: ['ax=rax'] }, 'no name rax'],
  [{ skip: 'all' }, 'skip cannot be'],
  [{ skip: 'return 65536' }, 'skip cannot be'],
  [{ skip: 'instruction', length: 2 }, 'cannot skip'],
])('%j is refused', async (more, problem) => {
  await expect(desk('f4').set('exec', 0x10100, more)).rejects.toThrow(problem);
  await expect(desk('f4').set('write', 0x10100, { skip: 'return' })).rejects.toThrow('type write cannot skip');
});
