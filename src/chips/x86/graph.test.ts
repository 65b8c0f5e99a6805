import { expect, test } from 'vitest';
import { describe, makeBench, setVector } from './x86-testing.ts';

test('a loop is two blocks, with counted edges', () => {
  // mov cx,5; (103) dec ax; loop 103; hlt
  const { cpu } = makeBench('b90500 48 e2fd f4');
  expect(cpu.run(100)).toEqual({ reason: 'halted' });
  expect(cpu.instructions).toBe(12);
  expect(describe(cpu.graph)).toEqual([
    '100: mov cx,5 x1',
    '100 -> 103 normal x1',
    '103: dec ax; loop 0x103 x5',
    '103 -> 103 normal x4',
    '103 -> 106 normal x1',
    '106: hlt x1',
  ]);
});

test('calls and returns', () => {
  // call 108; call 108; hlt; (108) inc ax; ret
  const { cpu } = makeBench('e80500 e80200 f4 90 40 c3');
  cpu.run(100);
  expect(cpu.get('ax')).toBe(2);
  expect(describe(cpu.graph)).toEqual([
    '100: call 0x108 x1',
    '100 -> 103 call-to-return x1',
    '100 -> 108 call x1',
    '103: call 0x108 x1',
    '103 -> 106 call-to-return x1',
    '103 -> 108 call x1',
    '106: hlt x1',
    '108: inc ax; ret x2',
    '108 -> 103 normal x1',
    '108 -> 106 normal x1',
  ]);
  expect(cpu.contexts[0]?.calls.depth).toBe(0);
});

test('a function that returns elsewhere', () => {
  // call 108; nop; nop; (105) hlt; (108) pop ax; add ax,2; push ax; ret
  const { cpu } = makeBench('e80500 90 90 f4 90 90 58 050200 50 c3');
  cpu.run(100);
  expect(describe(cpu.graph)).toEqual([
    '100: call 0x108 x1',
    '100 -> 105 misaligned-return x1',
    '100 -> 108 call x1',
    '105: hlt x1',
    '108: pop ax; add ax,2; push ax; ret x1',
    '108 -> 105 normal x1',
  ]);
});

test('a return used as a jump leaves the call open', () => {
  // call 104; (103) hlt; (104) mov ax,109; push ax; ret; nop; (109) ret
  const { cpu } = makeBench('e80100 f4 b80901 50 c3 c3');
  cpu.run(100);
  expect(cpu.get('ip')).toBe(0x104);
  expect(describe(cpu.graph)).toContain('100 -> 103 call-to-return x1');
  expect(describe(cpu.graph)).toContain('104 -> 109 normal x1');
});

test('returns that are jumps are counted as jumps, again and again, and the call around them returns', () => {
  // mov cx,9; (103) call 109; loop 103; hlt; (109) mov ax,110; push ax; ret; nop; nop; (110) inc bx; ret
  const { cpu } = makeBench('b90900 e80300 e2fb f4 b81001 50 c3 90 90 43 c3');
  cpu.run(1000);
  expect(cpu.get('bx')).toBe(9);
  expect(describe(cpu.graph)).toEqual([
    '100: mov cx,9 x1',
    '100 -> 103 normal x1',
    '103: call 0x109 x9',
    '103 -> 106 call-to-return x9',
    '103 -> 109 call x9',
    '106: loop 0x103 x9',
    '106 -> 103 normal x8',
    '106 -> 108 normal x1',
    '108: hlt x1',
    '109: mov ax,0x110; push ax; ret x9',
    '109 -> 110 normal x9',
    '110: inc bx; ret x9',
    '110 -> 106 normal x9',
  ]);
  expect(cpu.contexts[0]?.calls.depth).toBe(0);
});

test('an operand that changes is read from memory', () => {
  // mov cx,3; (103) mov ax,0; add bx,ax; inc word [104]; loop 103; hlt
  const { cpu } = makeBench('b90300 b80000 01c3 ff060401 e2f5 f4');
  cpu.run(100);
  expect(cpu.get('bx')).toBe(0 + 1 + 2);
  const node = cpu.graph.nodeAt(0x1000, 0x103);
  expect(node?.wild.map(({ slot }) => slot)).toEqual(['imm']);
  expect(cpu.graph.variantsAt(0x1000, 0x103)).toHaveLength(1);
  expect(cpu.graph.executions(node as NonNullable<typeof node>)).toBe(3);
});

test('an opcode that changes gets a selector, and old bytes their old variant', () => {
  // mov cx,4; (103) inc bx; xor byte [103],8; loop 103; hlt: inc bx is 43, dec bx 4b
  const { cpu } = makeBench('b90400 43 8036030108 e2f8 f4');
  cpu.run(100);
  expect(cpu.get('bx')).toBe(0);
  const lines = describe(cpu.graph);
  expect(lines).toContain('103: inc bx x2');
  expect(lines).toContain('103: dec bx x2');
  expect(lines).toContain('103? x4');
  expect(lines).toContain('100 -> 103? normal x1');
  expect(cpu.graph.variantsAt(0x1000, 0x103)).toHaveLength(2);
});

test('code that is replaced needs no selector where each way leads to one variant', () => {
  // call 200; mov byte [200],48; call 200; hlt; 200: inc ax (40) -> dec ax (48); ret
  const bench = makeBench('e8fd00 c606000248 e8f500 f4');
  bench.put(0x200, '40 c3');
  const { cpu } = bench;
  cpu.run(100);
  expect(cpu.get('ax')).toBe(0);
  expect(cpu.graph.selectors).toEqual([]);
  const lines = describe(cpu.graph);
  expect(lines).toContain('200: inc ax x1 (dead)');
  expect(lines).toContain('200: dec ax x1');
  expect(lines).toContain('201: ret x2');
});

test('code that is changed before it runs leaves nothing behind', () => {
  // mov byte [105],90; (105) hlt -> nop; inc ax; hlt
  const { cpu } = makeBench('c606050190 f4 40 f4');
  cpu.run(100);
  expect(cpu.get('ax')).toBe(1);
  expect(describe(cpu.graph)).toEqual([
    '100: mov byte [0x105],0x90 x1',
    '100 -> 105 normal x1',
    '105: nop; inc ax; hlt x1',
  ]);
});

test('bytes that come back revive the old variant', () => {
  const { cpu, memory } = makeBench('40 40 ebfc');
  cpu.run(30);
  memory.write8(0x10101, 0x48);
  memory.write8(0x10101, 0x40);
  cpu.run(60);
  expect(cpu.get('ax')).toBe(40);
  expect(cpu.graph.variantsAt(0x1000, 0x101)).toHaveLength(1);
  expect(cpu.graph.nodeAt(0x1000, 0x101)?.live).toBe(true);
});

test('an interrupt runs in a context of its own', () => {
  const bench = makeBench('fb 40 40 40 40 f4');
  const { cpu } = bench;
  setVector(bench, 8, 0x200);
  bench.put(0x200, 'e80100 cf 43 c3');
  cpu.run(3);
  cpu.setInterruptLine(true);
  cpu.run(4);
  cpu.setInterruptLine(false);
  expect(cpu.contexts.map(({ cause, vector }) => [cause, vector])).toEqual([
    ['start', -1],
    ['interrupt', 8],
  ]);
  expect(cpu.contexts[1]?.calls.frames()).toHaveLength(1);
  expect(cpu.contexts[0]?.calls.frames()).toHaveLength(0);
  cpu.run(7);
  expect(cpu.contexts).toHaveLength(1);
  expect(cpu.get('ip')).toBe(0x103);
  cpu.run(10);
  expect(describe(cpu.graph)).toEqual([
    '100: sti; inc ax; inc ax; inc ax; inc ax; hlt x1',
    '200: call 0x204 x1',
    '200 -> 203 call-to-return x1',
    '200 -> 204 call x1',
    '203: iret x1',
    '204: inc bx; ret x1',
    '204 -> 203 normal x1',
  ]);
});

test('an interrupt ends at its IRET also where the stack pointer wraps', () => {
  // mov sp,2; sti; nop; nop; hlt
  const bench = makeBench('bc0200 fb 90 90 f4');
  setVector(bench, 8, 0x200);
  bench.put(0x200, 'cf');
  const { cpu } = bench;
  cpu.run(3);
  cpu.setInterruptLine(true);
  cpu.run(4);
  cpu.setInterruptLine(false);
  cpu.run(10);
  expect(cpu.contexts).toHaveLength(1);
  expect(describe(cpu.graph).filter((line) => line.includes('->'))).toEqual([]);
});

test('a fault has an edge and a context', () => {
  // mov cl,0; div cl; hlt; handler: mov cl,1; iret
  const bench = makeBench('b100 f6f1 f4');
  setVector(bench, 0, 0x200);
  bench.put(0x200, 'b101 cf');
  const { cpu } = bench;
  cpu.run(3);
  expect(cpu.contexts.at(-1)?.cause).toBe('fault');
  cpu.run(10);
  expect(cpu.contexts).toHaveLength(1);
  expect(describe(cpu.graph)).toEqual([
    '100: mov cl,0 x1',
    '100 -> 102 normal x1',
    '102: div cl x2',
    '102 -> 102 call-to-return x1',
    '102 -> 104 normal x1',
    '102 -> 200 cpu-fault x1',
    '104: hlt x1',
    '200: mov cl,1; iret x1',
    '200 -> 102 normal x1',
  ]);
});

/** Puts INT 60h (or what `opcode` says) and RETF onto the stack, calls them, then uses the same bytes for numbers. */
function codeOnTheStack(opcode: string): ReturnType<typeof makeBench> {
  // (100) mov bp,8000; (103) mov word [bp],60cd; mov byte [bp+2],cb; push cs; push 118; push cs; push bp; retf
  // (118) inc di; mov [bp],di; mov [bp+1],di; jmp 103
  const bench = makeBench(`bd0080 c74600${opcode} c64602cb 0e 681801 0e 55 cb`);
  bench.put(0x118, '47 897e00 897e01 ebe2');
  setVector(bench, 0x60, 0x200);
  bench.put(0x200, '42 cf');
  return bench;
}

test('code that changes again and again is compared when it is entered, and its page is not watched', () => {
  const bench = codeOnTheStack('cd60');
  const { cpu, memory } = bench;
  cpu.run(4000);
  const page = (0x10000 + 0x8000) >> 8;
  expect(memory.writeFlags[page]).toBe(0);
  // 14 instructions a round, one of them in the handler.
  expect(Math.abs(cpu.get('dx') - cpu.get('di'))).toBeLessThanOrEqual(1);
  expect(cpu.get('dx')).toBeGreaterThan(200);
  const [node] = cpu.graph.variantsAt(0x1000, 0x8000);
  expect(cpu.graph.executions(node as NonNullable<typeof node>)).toBe(cpu.get('dx'));
});

test('what such code has become is what runs', () => {
  const bench = codeOnTheStack('cd60');
  const { cpu } = bench;
  cpu.run(4000);
  const before = cpu.get('dx');
  // inc si; nop instead of int 60
  bench.put(0x106, '4690');
  cpu.memoryReplaced(0x10106, 0x10107);
  cpu.run(4200);
  expect(cpu.get('dx')).toBeLessThanOrEqual(before + 1);
  expect(cpu.get('si')).toBeGreaterThan(10);
  expect(cpu.graph.variantsAt(0x1000, 0x8000)).toHaveLength(2);
});

test('code that has stayed as it is for long is watched and compiled again', () => {
  // (100) mov cx,6; (103) xor byte [200],7f; xor byte [200],7f; call 200; loop 103; (112) call 200; jmp 112 … (200) inc ax; ret
  const bench = makeBench('b90600 803600027f 803600027f e8f000 e2f1 e8eb00 ebfb');
  bench.put(0x200, '40 c3');
  const { cpu, memory } = bench;
  cpu.run(60);
  expect(memory.codeBytes[0x10200]).toBe(0);
  cpu.run(60_000);
  expect(memory.codeBytes[0x10200]).toBe(1);
});

test.for([
  // mov cx,100; (103) int 60; test cl,7; jnz 111; xor word [es:180],10; (111) loop 103; hlt … (200) inc bx; iret … (210) inc dx; iret
  ['a vector that changes', 'b90001 cd60 f6c107 7507 26813680011000 e2f0 f4', '43 cf', '42 cf'],
  // mov cx,100; (103) int 60; nop; loop 103; hlt … (200) push bp; mov bp,sp; test cl,3; jnz +3; inc word [bp+2]; pop bp; iret
  ['a handler that returns elsewhere', 'b90001 cd60 90 e2fb f4', '55 89e5 f6c103 7503 ff4602 5d cf', ''],
  // mov cx,100; (103) sub sp,4; mov bp,sp; mov word [bp],60cd; mov byte [bp+2],cb; push cs; push 118; push ss; push bp; retf; (118) add sp,4; loop 103; hlt
  ['code on the stack', 'b90001 83ec04 89e5 c74600cd60 c64602cb 0e 681801 16 55 cb 83c404 e2e6 f4', '42 cf', ''],
] as const)('%s: compiled code draws the same graph', ([, program, handler, other]) => {
  const run = (compileAfter: number) => {
    const bench = makeBench(program, { compileAfter });
    const { cpu } = bench;
    setVector(bench, 0x60, 0x200);
    bench.put(0x200, handler);
    bench.put(0x210, other);
    cpu.set('es', 0);
    const end = cpu.run(10_000);
    const registers = ['bx', 'cx', 'dx', 'sp', 'eip'].map((name) => cpu.get(name));
    return { end, registers, graph: describe(cpu.graph), depth: cpu.contexts[0]?.calls.depth };
  };
  const interpreted = run(Number.POSITIVE_INFINITY);
  expect(interpreted).toMatchObject({ end: { reason: 'halted' }, depth: 0 });
  expect(run(10)).toEqual(interpreted);
});

test('code that was written over and is what it was again gets the compiled function it had', () => {
  // (100) call 200; jmp 100 … (200) inc ax; ret
  const bench = makeBench('e8fd00 ebfb', { compileAfter: 20 });
  bench.put(0x200, '40 c3');
  const { cpu, memory } = bench;
  const runOn = (instructions: number) => {
    cpu.run(cpu.instructions + instructions);
    return cpu.graph.nodeAt(0x1000, 0x200)?.block?.region ?? null;
  };
  const changeAndBack = () => {
    memory.write8(0x10200, 0x41);
    memory.write8(0x10200, 0x40);
    return runOn(300_000);
  };
  runOn(300_000);
  // The first change cuts the block in two.
  const first = changeAndBack();
  const second = changeAndBack();
  expect(first).not.toBeNull();
  expect(second).not.toBe(first);
  expect(second?.run).toBe(first?.run);
});
