import { expect, test } from 'vitest';
import { fields } from './registers.ts';
import { type Bench, makeBench, setVector } from './x86-testing.ts';

const tiers = [1, Number.POSITIVE_INFINITY];

function dword(value: number): string {
  return [0, 8, 16, 24].map((shift) => ((value >>> shift) & 0xff).toString(16).padStart(2, '0')).join('');
}

/** mov eax,value; mov DRn,eax */
function set(register: number, value: number): string {
  return `66b8${dword(value)} 0f23${(0xc0 + register * 8).toString(16)}`;
}

/** Where the handler was come from: it stores the offset, counts in BP, notes DR6 and goes back. */
function withHandler(bench: Bench): Bench {
  setVector(bench, 1, 0x800);
  // inc bp; push ax; push bx; mov bx,sp; mov ax,[ss:bx+4]; mov [4000],ax; mov eax,dr6; mov [4004],eax; xor eax,eax; mov dr6,eax; pop bx; pop ax; iret
  bench.put(0x800, '45 50 53 89e3 368b4704 a30040 0f21f0 66a30440 6631c0 0f23f0 5b 58 cf');
  return bench;
}

function seen({ ram, cpu }: Bench): [from: number, status: number, times: number] {
  const view = new DataView(ram.buffer, ram.byteOffset + 0x14000, 8);
  return [view.getUint16(0, true), view.getUint16(4, true) & 0xf00f, cpu.get('bp')];
}

function runOut({ cpu }: Bench): void {
  while (!cpu.halted && cpu.instructions < 5000) cpu.run(5000);
  expect(cpu.halted).toBe(true);
}

test.for(tiers)('a write of a watched word traps after the instruction (compiled after %d)', (compileAfter) => {
  const prepare = `${set(0, 0x13000)} ${set(7, 0x50001)}`;
  // mov si,20; L: mov [3000],al; mov al,[3000]; mov [3002],al; dec si; jnz L; hlt
  const bench = withHandler(makeBench(`${prepare} be1400 a20030 a00030 a20230 4e 75f4 f4`, { compileAfter }));
  runOut(bench);
  const after = 0x100 + 18 + 3 + 3;
  expect(seen(bench)).toEqual([after, 1, 20]);
});

test.for(tiers)('reads count where they are asked for, also by wider accesses (compiled after %d)', (compileAfter) => {
  const prepare = `${set(1, 0x13003)} ${set(7, 0x300004)}`;
  // mov si,20; L: mov eax,[3000]; mov al,[3002]; mov [3004],al; dec si; jnz L; hlt
  const bench = withHandler(makeBench(`${prepare} be1400 66a10030 a00230 a20430 4e 75f3 f4`, { compileAfter }));
  runOut(bench);
  expect(seen(bench)).toEqual([0x100 + 18 + 3 + 4, 2, 20]);
});

test.for(tiers)('an instruction with a breakpoint fails before it runs (compiled after %d)', (compileAfter) => {
  // mov si,20; L: inc di; dec si; jnz L; (then the breakpoint at INC DI); mov si,5; again; hlt
  const loop = 'be1400 47 4e 75fc';
  const target = 0x10100 + 18 + loop.replaceAll(' ', '').length / 2 + 3;
  const bench = makeBench(`${'90'.repeat(18)} ${loop} be0500 47 4e 75fc f4`, { compileAfter });
  setVector(bench, 1, 0x800);
  // The handler switches it off: mov [4000],di; xor eax,eax; mov dr7,eax; iret
  bench.put(0x800, '893e0040 6631c0 0f23f8 cf');
  bench.put(0x100, `${set(3, target)} ${set(7, 0x40)}`);
  runOut(bench);
  expect([bench.ram[0x14000], bench.cpu.get('di'), bench.cpu.get('dr6') & 0xf]).toEqual([20, 25, 8]);
});

test.for(tiers)('an IRETD with the resume flag passes it once (compiled after %d)', (compileAfter) => {
  // mov si,5; L: inc di; dec si; jnz L; hlt
  const prepare = `${set(0, 0x10115)} ${set(7, 2)}`;
  const bench = makeBench(`${prepare} be0500 47 4e 75fc f4`, { compileAfter });
  setVector(bench, 1, 0x800);
  // inc bp; pop ax; pop bx; pop cx; push dword 10002; push 0; push bx; push 0; push ax; iretd (66cf)
  bench.put(0x800, '45 58 5b 59 666802000100 6a00 53 6a00 50 66cf');
  runOut(bench);
  expect([bench.cpu.get('bp'), bench.cpu.get('di')]).toEqual([5, 5]);
});

test('with the guard on, using a debug register fails, and the handler may', () => {
  const bench = makeBench(`${set(7, 0x2000)} 0f21c3 f4`);
  setVector(bench, 1, 0x800);
  bench.put(0x800, '0f21f1 0f21fa f4');
  runOut(bench);
  expect([bench.cpu.get('ecx') & 0xe000, bench.cpu.get('edx') & 0x2000, bench.state[fields.dr7]]).toEqual([
    0x2000, 0, 0,
  ]);
});

test('single steps say so in DR6, and are held off by a load of SS', () => {
  // pushf; pop ax; or ah,1; push ax; popf; mov ss,bx; nop; nop; hlt
  const bench = withHandler(makeBench('9c 58 80cc01 50 9d 8ed3 90 90 f4'));
  bench.cpu.set('bx', 0x1000);
  bench.cpu.setBreakpoints([{ first: 0x10109, last: 0x10109 }]);
  expect(bench.cpu.run(100).reason).toBe('breakpoint');
  expect(bench.cpu.get('bp')).toBe(0);
  bench.cpu.setBreakpoints([{ first: 0x1010a, last: 0x1010a }]);
  expect(bench.cpu.run(200).reason).toBe('breakpoint');
  expect(seen(bench)).toEqual([0x10a, 0x4000, 1]);
});

test.for([
  ['8086', 2],
  ['80386', 1],
] as const)('after an INT there is a trap on an %s only', ([model, times]) => {
  // pushf; pop ax; or ah,1; push ax; popf; int 40h; nop. The handler of 40h: iret
  const bench = makeBench('9c 58 80cc01 50 9d cd40 90 90 f4', { model });
  setVector(bench, 1, 0x800);
  bench.put(0x800, '45 cf');
  setVector(bench, 0x40, 0x900);
  bench.put(0x900, 'cf');
  bench.cpu.setBreakpoints([{ first: 0x1010a, last: 0x1010a }]);
  expect(bench.cpu.run(100).reason).toBe('breakpoint');
  expect(bench.cpu.get('bp')).toBe(times);
});

test.for(tiers)(
  'a repeated string instruction traps after the round that touched it (compiled after %d)',
  (compileAfter) => {
    const prepare = `${set(2, 0x13004)} ${set(7, 0x5000010)}`;
    const bench = withHandler(makeBench(`${prepare} bf0030 b91000 f3aa f4`, { compileAfter }));
    // It also notes CX: mov [4008],cx before everything.
    bench.put(0x7fc, '890e0840');
    setVector(bench, 1, 0x7fc);
    runOut(bench);
    expect([...seen(bench), bench.ram[0x14008]]).toEqual([0x100 + 18 + 6, 4, 2, 10]);
  },
);
