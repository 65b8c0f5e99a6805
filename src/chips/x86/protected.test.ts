import { describe, expect, test } from 'vitest';
import {
  dwords,
  endOf,
  gdt,
  pagedBench,
  present,
  protectedBench,
  readOnly,
  stack0,
  task,
  task32,
} from './protected-testing.ts';

test.each([1, Number.POSITIVE_INFINITY])('beyond all memory nothing answers, compiled after %s', (compileAfter) => {
  // mov ax,18; mov ds,ax; mov cx,20; L: mov bx,[1100ff]; mov edx,[1100fd]; mov al,[110100]; mov [1100fd],edx; loop L
  const loop = '678b1dff001100 67668b15fd001100 67a000011100 67668915fd001100 e2e1';
  const bench = protectedBench(`b81800 8ed8 b92000 ${loop} f4`, { compileAfter });
  bench.ram.set([1, 2, 3], bench.ram.length - 3);
  expect(endOf(bench)).toBeGreaterThan(0x100);
  expect(['bx', 'edx', 'al'].map((name) => bench.cpu.get(name) >>> 0)).toEqual([0xff03, 0xff030201, 0xff]);
  expect([...bench.ram.slice(-4)]).toEqual([0, 1, 2, 3]);
});

test('segments have limits and rights, faults a code and the place they came from', () => {
  // mov ax,38; mov ds,ax; mov al,[1ff]; mov [100],al
  const bench = protectedBench('b83800 8ed8 a0ff01 a20001 f4');
  bench.descriptor(0x38, 0x10000, 0x1ff, readOnly);
  expect(endOf(bench)).toBe(13);
  expect(dwords(bench, 3)).toEqual([0, 0x108, 8]);
  const beyond = protectedBench('b83800 8ed8 a1ff01 f4');
  beyond.descriptor(0x38, 0x10000, 0x1ff, readOnly);
  expect(endOf(beyond)).toBe(13);
  const absent = protectedBench('b83800 8ed8 f4');
  absent.descriptor(0x38, 0x10000, 0x1ff, readOnly & ~present);
  expect(endOf(absent)).toBe(11);
  expect(dwords(absent, 2)).toEqual([0x38, 0x103]);
});

test('a value that cannot be written back changes no flag', () => {
  // mov ax,38; mov ds,ax; stc; mov bx,100; add word [bx],1
  const bench = protectedBench('b83800 8ed8 f9 bb0001 830701 f4');
  bench.descriptor(0x38, 0x10000, 0xffff, readOnly);
  expect(endOf(bench)).toBe(13);
  expect((dwords(bench, 4)[3] ?? 0) & 1).toBe(1);
});

test.for([1, Number.POSITIVE_INFINITY])(
  'rings: out by a return, in by a gate with its stack (compiled after %d)',
  (compileAfter) => {
    // push 33; push 7000; push 2b; push 200; retf; 200: call 3b:0 (a gate); 300: mov ax,cs; hlt
    const bench = protectedBench('6a33 680070 6a2b 680002 cb', { compileAfter });
    bench.put(0x200, '9a00003b00');
    bench.put(0x300, '8cc8 f4');
    bench.ram.set([0x00, 0x03, 8, 0, 0, 0xec, 0, 0], gdt + 0x38);
    expect(endOf(bench)).toBe(0x302);
    expect([bench.cpu.get('cs'), bench.cpu.get('ss'), bench.cpu.get('esp')]).toEqual([8, 0x10, stack0 - 16]);
    expect(dwords(bench, 4)).toEqual([0x205, 0x2b, 0x7000, 0x33]);
  },
);

test.for([1, Number.POSITIVE_INFINITY])(
  'an inner stack of 16 bits takes SP from the task and leaves the upper half of ESP alone (compiled after %d)',
  (compileAfter) => {
    // As above; 200: mov esp,12347000; then a gate, or a fault.
    for (const [entry, upper, end] of [
      ['9a00003b00', stack0 - 16, 0x302],
      ['f4', stack0 - 24, 13],
    ] as const) {
      const bench = protectedBench('6a33 680070 6a2b 680002 cb', { compileAfter });
      bench.put(0x200, `66bc00703412 ${entry}`);
      bench.put(0x300, '8cc8 f4');
      bench.ram.set([0x00, 0x03, 8, 0, 0, 0xec, 0, 0], gdt + 0x38);
      bench.ram.set([0xff, 0xff], task + 6);
      expect(endOf(bench)).toBe(end);
      expect(bench.cpu.get('esp') >>> 0).toBe(0x12340000 + upper);
    }
  },
);

test('what only the most privileged may do faults in ring 3', () => {
  for (const instruction of ['f4', '0f20c0', 'fa', 'e460', '0f01163000']) {
    const bench = protectedBench('6a33 680070 6a2b 680002 cb');
    bench.put(0x200, instruction);
    expect(endOf(bench)).toBe(13);
    expect(dwords(bench, 3)).toEqual([0, 0x200, 0x2b]);
  }
});

/** Nine dwords for IRETD (gs fs ds es ss esp eflags cs eip), into virtual 8086 mode at 2500:0010; then iretd. */
const intoVirtual = [0, 0, 0x3000, 0x4000, 0x5000, 0x100, 0x20002, 0x2500, 0x10]
  .map((value) => `6668${[0, 8, 16, 24].map((n) => ((value >> n) & 255).toString(16).padStart(2, '0')).join('')}`)
  .concat('66cf')
  .join('');

test('virtual 8086 mode runs as real mode does, and its monitor sees what it may not do', () => {
  const bench = protectedBench(intoVirtual);
  // 2500:0010: mov ax,ds; mov [5],ax; push ax; hlt
  bench.ram.set([0x8c, 0xd8, 0xa3, 5, 0, 0x50, 0xf4], 0x25010);
  expect(endOf(bench)).toBe(13);
  expect([bench.ram[0x30005], bench.ram[0x30006], bench.ram[0x500fe], bench.ram[0x500ff]]).toEqual([0, 0x30, 0, 0x30]);
  expect(dwords(bench, 10)).toEqual([0, 0x16, 0x2500, 0x30002, 0xfe, 0x5000, 0x4000, 0x3000, 0, 0]);
  expect(bench.cpu.get('ds')).toBe(0);
});

/** add sp,4 (the code); push bp; mov bp,sp; add word [bp+2],LENGTH; pop bp; iretd */
function skipper(length: number): string {
  return `83c404 55 89e5 834602${length.toString(16).padStart(2, '0')} 5d 66cf`;
}

describe.for([1, Number.POSITIVE_INFINITY])(
  'compiled after %d, a handler that has taken the code of a fault',
  (after) => {
    test('ends its context by its return', () => {
      // mov ax,38; mov ds,ax; mov cx,20; L: mov ax,[1ff]; loop L; hlt
      const bench = protectedBench('b83800 8ed8 b91400 a1ff01 e2fb f4', { compileAfter: after });
      bench.descriptor(0x38, 0x10000, 0x1ff, readOnly);
      bench.gate(13, 0x300);
      bench.put(0x300, skipper(3));
      expect(endOf(bench)).toBe(0x10d);
      expect(bench.cpu.contexts).toHaveLength(1);
    });

    test('ends it where the return leads to another stack', () => {
      // push 33; push 7000; push 2b; push 200; retf; 200: mov cx,20; L: cli; loop L; jmp $
      const bench = protectedBench('6a33 680070 6a2b 680002 cb', { compileAfter: after });
      bench.put(0x200, 'b91400 fa e2fd ebfe');
      bench.gate(13, 0x300);
      bench.put(0x300, skipper(1));
      bench.cpu.run(500);
      expect([bench.cpu.get('cx'), bench.cpu.get('eip')]).toEqual([0, 0x206]);
      expect(bench.cpu.contexts).toHaveLength(1);
    });

    test('ends it where the return leads to virtual 8086 mode', () => {
      const bench = protectedBench(intoVirtual, { compileAfter: after });
      // mov cx,20; L: cli; loop L; jmp $
      bench.ram.set([0xb9, 0x14, 0, 0xfa, 0xe2, 0xfd, 0xeb, 0xfe], 0x25010);
      bench.gate(13, 0x300);
      bench.put(0x300, skipper(1));
      bench.cpu.run(500);
      expect([bench.cpu.get('cx'), bench.cpu.get('eip')]).toEqual([0, 0x16]);
      expect(bench.cpu.contexts).toHaveLength(1);
    });
  },
);

test('a task is left and come back to', () => {
  // call 40:0 (a task); mov bx,ax; hlt. The task: mov ax,77; iret
  const bench = protectedBench('9a00004000 89c3 f4');
  const other = 0x23000;
  bench.descriptor(0x40, other, 0x67, task32);
  bench.put(0x500, 'b87700 cf');
  const dword = (at: number, value: number) => bench.ram.set([value, value >> 8, value >> 16, value >> 24], other + at);
  dword(0x20, 0x500);
  dword(0x24, 2);
  dword(0x38, 0xa000);
  for (const [at, selector] of [
    [0x48, 0x10],
    [0x4c, 8],
    [0x50, 0x10],
    [0x54, 0x10],
  ] as const)
    dword(at, selector);
  bench.cpu.set('ax', 0x11);
  expect(endOf(bench)).toBe(0x107);
  expect([bench.cpu.get('bx'), bench.cpu.get('esp')]).toEqual([0x11, 0x9000]);
  // Its own registers stayed in its segment.
  expect(bench.ram[other + 0x28]).toBe(0x77);
});

test('the 486 knows more instructions, and the 80386 refuses them', () => {
  // mov eax,12345678; bswap eax; mov ecx,5; mov edx,7; xadd ecx,edx; mov ebx,7; cmpxchg ecx,ebx
  const text = '66b878563412 660fc8 66b905000000 66ba07000000 660fc0d1 660fb1d9 f4';
  const bench = protectedBench(text.replace('660fc0d1', '660fc1d1'), { model: '486' });
  endOf(bench);
  expect([bench.cpu.get('eax'), bench.cpu.get('ecx'), bench.cpu.get('edx')]).toEqual([12, 12, 5]);
  expect(endOf(protectedBench(text))).toBe(6);
});

const callPage = (at: number) => `e8${(0x8000 - at - 3).toString(16).match(/../g)?.reverse().join('')} 01c3`;

describe.for([1, Number.POSITIVE_INFINITY])('compiled after %d', (compileAfter) => {
  test('code whose page is put elsewhere is read anew, though nobody read it as data', () => {
    // call 8000; add bx,ax; mov dword [es:41060],61007; mov eax,cr3; mov cr3,eax; the same back; loop; hlt
    const entry = (value: string) => `266766c70560100400 ${value} 0f20d8 0f22d8`;
    const text = `${callPage(0x100)} ${entry('07100600')} ${callPage(0x118)} ${entry('07000600')} e2ce f4`;
    const bench = pagedBench(text, compileAfter);
    expect(endOf(bench)).toBe(0x132);
    expect(bench.cpu.get('bx')).toBe(60);
  });

  test('two page directories have their own code at one address, and keep it', () => {
    // call 8000; add bx,ax; mov eax,42000; mov cr3,eax; call 8000; add bx,ax; mov eax,40000; mov cr3,eax; loop; hlt
    const directory = (value: string) => `66b8 ${value} 0f22d8`;
    const text = `${callPage(0x100)} ${directory('00200400')} ${callPage(0x10e)} ${directory('00000400')} e2e2 f4`;
    const bench = pagedBench(text, compileAfter);
    expect(endOf(bench)).toBe(0x11e);
    expect(bench.cpu.get('bx')).toBe(60);
    expect([...bench.cpu.graph.blocks].filter(({ alive }) => !alive)).toEqual([]);
  });

  test('an access that reaches into a second page goes to both', () => {
    // mov dword [es:17ffe],44332211; mov eax,[es:17ffe]; hlt
    const bench = pagedBench('266766c705fe7f010011223344 266766a1fe7f0100 f4', compileAfter);
    endOf(bench);
    const { ram, cpu } = bench;
    expect([ram[0x17ffe], ram[0x17fff], ram[0x60000], ram[0x60001]]).toEqual([0x11, 0x22, 0x33, 0x44]);
    expect(cpu.get('eax') | 0).toBe(0x44332211);
    expect((ram[0x41000 + 0x17 * 4] ?? 0) & 0x60).toBe(0x60);
  });
});

/** push 33; push 9000; push 2B; push 8000; retf: to ring 3 at linear 18000. */
const toUsersCode = '6a33 680090 6a2b 680080 cb';
const entryOfPage18 = 0x41060;

test.each([Number.POSITIVE_INFINITY, 1])(
  'users cannot run code on pages of the system, though it can (compiled after %s)',
  (compileAfter) => {
    // call 8000, where the system's code lies, and then the same as a user.
    const bench = pagedBench(`e8fd7e ${toUsersCode}`, compileAfter);
    bench.ram[entryOfPage18] = 0x03;
    expect(endOf(bench)).toBe(14);
    expect([dwords(bench, 3), bench.cpu.get('ax'), bench.cpu.get('cr2')]).toEqual([[5, 0x8000, 0x2b], 1, 0x18000]);
  },
);

test('a page that is taken from users while they run on it is a fault at the next instruction', () => {
  const bench = pagedBench(toUsersCode, 1);
  // int 1e; nop. The system's part: mov ax,18; mov es,ax; mov byte [es:41060],63; iretd
  bench.ram.set([0xcd, 0x1e, 0x90], 0x60000);
  bench.gate(0x1e, 0x4500, 8, 0xee);
  bench.put(0x4500, 'b81800 8ec0 2667c60560100400 63 66cf');
  expect(endOf(bench)).toBe(14);
  expect([dwords(bench, 3), bench.cpu.get('cr2')]).toEqual([[5, 0x8002, 0x2b], 0x18002]);
});

test.each([
  ['80386', 0x107],
  ['486', 14],
] as const)(
  'the system writes to a page that is read-only on an %s with WP in CR0, unless that knows the bit',
  (model, end) => {
    // mov [es:18000],al; hlt
    const bench = pagedBench('2667a200800100 f4', Number.POSITIVE_INFINITY, model);
    bench.ram[entryOfPage18] = 5;
    bench.cpu.set('esp', 0x7000);
    bench.cpu.set('cr0', 0x8001_0011 | 0);
    expect(endOf(bench)).toBe(end);
  },
);

test('SMSW stores two bytes of memory, whatever the operand size', () => {
  // o32 smsw [9000]; hlt
  const bench = protectedBench('660f01260090 f4');
  bench.put(0x9000, 'aaaaaaaa');
  expect(endOf(bench)).toBe(0x106);
  expect([...bench.ram.subarray(0x19000, 0x19004)]).toEqual([0x11, 0, 0xaa, 0xaa]);
});

test('so do STR and SLDT, which give a register as many bits as it has', () => {
  // o32 str [9000]; mov ecx,-1; mov edx,ecx; o32 str ecx; str dx; hlt
  const bench = protectedBench('660f000e0090 66b9ffffffff 6689ca 660f00c9 0f00ca f4');
  bench.put(0x9000, 'aaaaaaaa');
  expect(endOf(bench)).toBe(0x116);
  expect([...bench.ram.subarray(0x19000, 0x19004)]).toEqual([0x20, 0, 0xaa, 0xaa]);
  expect([bench.cpu.get('ecx'), bench.cpu.get('edx')]).toEqual([0x20, 0xffff0020]);
});

test.each([
  ['arpl [8000],ax', '63060080', 6],
  ['lldt [8000]', '0f00160080', 6],
  ['verr [8000]', '0f00260080', 6],
  ['lar ax,[8000]', '0f02060080', 6],
  ['lmsw [8000]', '0f01360080', 13],
])('in virtual 8086 mode %s fails before its operand is read', (_, hex, vector) => {
  // To 1000:0700 by IRETD: the operand is on a page that is not there.
  const push = [0, 0, 0x1000, 0x1000, 0x1000, 0xe000, 0x23002, 0x1000, 0x700];
  const pushes = push.map((value) => `6668${Buffer.from(Uint32Array.of(value).buffer).toString('hex')}`).join('');
  const bench = pagedBench(`${pushes}66cf`, Number.POSITIVE_INFINITY);
  bench.put(0x700, hex);
  bench.cpu.set('esp', 0x7000);
  bench.ram[entryOfPage18] = 0;
  expect(endOf(bench)).toBe(vector);
});

test('a fault in the second page of an access is said to be at its beginning', () => {
  // mov eax,[7ffe]
  const bench = pagedBench('66a1fe7f', Number.POSITIVE_INFINITY);
  bench.cpu.set('esp', 0x7000);
  bench.ram[entryOfPage18] = 0;
  expect([endOf(bench), bench.cpu.get('cr2')]).toEqual([14, 0x18000]);
});
