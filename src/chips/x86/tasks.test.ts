import { expect, test } from 'vitest';
import { code, data, dwords, endOf, pagedBench, present, protectedBench, ring3, task32 } from './protected-testing.ts';
import { fields } from './registers.ts';
import type { Bench } from './x86-testing.ts';

const other = 0x23000;

/** Calls a task at selector 40 from 100; it begins at 500 with `bytes`. */
function taskBench(bytes: string, changes: readonly (readonly [at: number, value: number])[] = []) {
  const bench = protectedBench('9a00004000 f4');
  bench.descriptor(0x40, other, 0x67, task32);
  bench.put(0x500, bytes);
  putTask(bench, changes);
  return bench;
}

/** The segment of a task of 32 bits. */
function putTask({ ram }: Bench, changes: readonly (readonly [at: number, value: number])[] = []): void {
  const start = [0x20, 0x500, 0x24, 2, 0x38, 0xa000, 0x48, 0x10, 0x4c, 8, 0x50, 0x10, 0x54, 0x10];
  const view = new DataView(ram.buffer, ram.byteOffset + other);
  for (let n = 0; n < start.length; n += 2) view.setUint32(start[n] as number, start[n + 1] as number, true);
  for (const [at, value] of changes) view.setUint32(at, value, true);
}

/** The handler has a task of its own, and with it a stack. */
function handledByTask({ ram, descriptor, gate }: ReturnType<typeof protectedBench>, vector: number): void {
  descriptor(0x50, 0x26000, 0x67, task32);
  gate(vector, 0, 0x50, 0x85);
  const view = new DataView(ram.buffer, ram.byteOffset + 0x26000);
  const start = [0x20, 0x4000 + vector, 0x24, 2, 0x38, 0xb000, 0x4c, 8, 0x50, 0x10];
  for (let n = 0; n < start.length; n += 2) view.setUint32(start[n] as number, start[n + 1] as number, true);
}

/** As two bytes of code. */
function word(value: number): string {
  return Buffer.from(Uint16Array.of(value).buffer).toString('hex');
}

test('a task whose trap bit is set begins with a debug trap, and breakpoints of the old one are gone', () => {
  const bench = taskBench('f4', [[0x64, 1]]);
  bench.state[fields.dr7] = 0x3;
  expect(endOf(bench)).toBe(1);
  expect([bench.cpu.get('dr6') & 0xe000, bench.state[fields.dr7]]).toEqual([0x8000, 2]);
  expect(dwords(bench, 2)).toEqual([0x500, 8]);
});

test('a segment that a task must not have is a fault in that task', () => {
  const bench = taskBench('f4', [[0x54, 0x78]]);
  expect(endOf(bench)).toBe(10);
  expect(dwords(bench, 3)).toEqual([0x78, 0x500, 8]);
});

test('the code of a task is of the level that its selector asks with', () => {
  const bench = taskBench('f4', [[0x4c, 0x28]]);
  expect(endOf(bench)).toBe(10);
  expect(dwords(bench, 2)).toEqual([0x28, 0x500]);
});

test('whoever handles a fault of a new task finds that task in CS, the other segments and LDTR', () => {
  // Stack segment 78 is none; the task's code lies in 48, its table in 58.
  const bench = taskBench('f4', [
    [0x4c, 0x48],
    [0x50, 0x78],
    [0x54, 0x18],
    [0x60, 0x58],
  ]);
  bench.descriptor(0x48, 0x10000, 0xffff, code);
  bench.descriptor(0x58, 0x24000, 0xff, 0x82);
  handledByTask(bench, 10);
  expect(endOf(bench)).toBe(10);
  const seen = new DataView(bench.ram.buffer, bench.ram.byteOffset + other);
  const left = [0x20, 0x4c, 0x50, 0x54, 0x60].map((at) => seen.getUint32(at, true));
  expect(left).toEqual([0x500, 0x48, 0x78, 0x18, 0x58]);
});

test('a table that LLDT refuses leaves the one there is', () => {
  // mov ax,78; lldt ax
  const bench = protectedBench('b87800 0f00d0');
  bench.state[fields.ldt] = 0x58;
  expect(endOf(bench)).toBe(13);
  expect(bench.state[fields.ldt]).toBe(0x58);
});

test('breakpoints of the debug registers are about linear addresses', () => {
  // Linear 18000 lies at 60000: mov [es:18000],al; mov al,[es:60000]; hlt
  const bench = pagedBench('2667a200800100 2667a000000600 f4', Number.POSITIVE_INFINITY);
  bench.cpu.set('esp', 0x7000);
  bench.state[fields.dr0] = 0x18000;
  bench.state[fields.dr7] = 0x30001;
  expect(endOf(bench)).toBe(1);
  expect(dwords(bench, 1)).toEqual([0x107]);
});

test('a task of 16 bits is never in virtual 8086 mode, wherever it was entered from', () => {
  // To 1000:0700 by IRETD; there int 1e, a task gate.
  const push = [0, 0, 0x1000, 0x1000, 0x1000, 0xe000, 0x23002, 0x1000, 0x700];
  const pushes = push.map((value) => `6668${Buffer.from(Uint32Array.of(value).buffer).toString('hex')}`).join('');
  const bench = protectedBench(`${pushes}66cf`);
  bench.put(0x700, 'cd1e');
  bench.descriptor(0x40, other, 0x2b, 0x81);
  bench.gate(0x1e, 0, 0x40, 0xe5);
  const view = new DataView(bench.ram.buffer, bench.ram.byteOffset + other);
  const start = [0x0e, 0x500, 0x10, 2, 0x1a, 0xa000, 0x22, 0x10, 0x24, 8, 0x26, 0x10, 0x28, 0x10];
  for (let n = 0; n < start.length; n += 2) view.setUint16(start[n] as number, start[n + 1] as number, true);
  bench.put(0x500, 'f4');
  expect(endOf(bench)).toBe(0x500);
  expect([bench.cpu.get('eflags') & 0x20000, bench.state[fields.privilege]]).toEqual([0, 0]);
});

test('a task that IRET left goes on after it when it is entered again', () => {
  // call 40:0; call 40:0; hlt. The task: mov ax,1; iret; mov ax,2; iret
  const bench = protectedBench('9a00004000 9a00004000 f4');
  bench.descriptor(0x40, other, 0x67, task32);
  bench.put(0x500, 'b80100 cf b80200 cf');
  putTask(bench);
  expect(endOf(bench)).toBe(0x10a);
  const view = new DataView(bench.ram.buffer, bench.ram.byteOffset + other);
  expect([view.getUint32(0x28, true), view.getUint32(0x20, true)]).toEqual([2, 0x508]);
});

test.each([
  ['jmp', 'ea00004000', 'ea00002000'],
  ['jmp through a pointer', '90ff2e0006', '90ff2e0406'],
  ['call', '9a00004000', '90909090cf'],
  ['call through a pointer', '90ff1e0006', '90909090cf'],
])('tasks keep their flags when what switches them is compiled: %s', (_name, there, back) => {
  // inc ax; stc; to the task; adc bx,0; cmp ax,1e; jne 100; hlt. The task: clc; back; jmp 500
  const run = (compileAfter: number) => {
    const bench = protectedBench(`40f9${there}83d3003d1e0075f1f4`, { compileAfter });
    bench.descriptor(0x40, other, 0x67, task32);
    bench.put(0x500, `f8${back}ebf8`);
    bench.put(0x600, '00004000 00002000');
    putTask(bench);
    expect(endOf(bench)).toBe(0x10f);
    return [bench.cpu.get('bx'), bench.cpu.get('eflags')];
  };
  const stepped = run(Number.POSITIVE_INFINITY);
  expect(stepped[0]).toBe(30);
  expect(run(1)).toEqual(stepped);
});

test('a task of 16 bits begins with ones in the upper halves of its registers, and without FS and GS', () => {
  const bench = protectedBench('ea00004000');
  bench.descriptor(0x40, other, 0x2b, 0x81);
  const view = new DataView(bench.ram.buffer, bench.ram.byteOffset + other);
  const start = [
    0x0e, 0x500, 0x10, 2, 0x12, 0x1234, 0x1a, 0xa000, 0x20, 0x7788, 0x22, 0x10, 0x24, 8, 0x26, 0x10, 0x28, 0x10,
  ];
  for (let n = 0; n < start.length; n += 2) view.setUint16(start[n] as number, start[n + 1] as number, true);
  bench.put(0x500, 'f4');
  bench.cpu.set('fs', 0x10);
  expect(endOf(bench)).toBe(0x500);
  const seen = ['eax', 'esp', 'edi', 'fs', 'gs'].map((name) => bench.cpu.get(name) >>> 0);
  expect(seen).toEqual([0xffff1234, 0xffffa000, 0xffff7788, 0, 0]);
});

// Intel's tables of these checks differ: that of the 80386 checks all of the code first; later ones check its presence after the stack.
test('the stack of a task is looked at before its code', () => {
  const bench = taskBench('f4', [
    [0x4c, 0x48],
    [0x50, 0x60],
  ]);
  bench.descriptor(0x48, 0x10000, 0xffff, code & ~present);
  bench.descriptor(0x60, 0x10000, 0xffff, data & ~present);
  handledByTask(bench, 12);
  expect(endOf(bench)).toBe(12);
});

// IRET and RET of the 80386 Programmer's Reference Manual.
test.each([
  ['iretd', '66cf', 11],
  ['iret', 'cf', 11],
  ['retfd', '66cb', 12],
  ['retf', 'cb', 12],
])(
  '%s to users whose stack is not present raises its own fault, before it looks at the limit of their code',
  (name, hex, vector) => {
    const wide = name.endsWith('d');
    const words = [0x43, 0x8000, ...(name.startsWith('iret') ? [2] : []), 0x2b, 0xfff0];
    const push = (value: number) => (wide ? `6668${word(value)}0000` : `68${word(value)}`);
    const bench = protectedBench(words.map(push).join('') + hex);
    bench.descriptor(0x28, 0x10000, 0x7fff, code | ring3);
    bench.descriptor(0x40, 0x10000, 0xffff, (data | ring3) & ~present);
    expect(endOf(bench)).toBe(vector);
    expect(dwords(bench, 1)).toEqual([0x40]);
  },
);
