import { expect, test } from 'vitest';
import { disassemble } from '../disassemble.ts';
import { type Bench, makeBench, setVector } from '../x86-testing.ts';
import { type FlowBlock, flowBlocks } from './flow-blocks.ts';

/** `100: nop; selector x2 -> selector 101 x2`, in the order of addresses. */
function shown({ cpu }: Bench): string[] {
  const name = ({ key }: FlowBlock) => (key & 0xffff).toString(16);
  const blocks = [...flowBlocks(cpu.graph)].sort((a, b) => a.key - b.key);
  return blocks.map((block) => {
    const lines = [...block.nodes.map(disassemble), ...(block.selector ? ['selector'] : [])];
    const ways = block.out.map(({ type, to, count }) => `${type} ${name(to)} x${count}`).sort();
    return `${name(block)}: ${lines.join('; ')} x${block.executions} -> ${ways.join(', ')}`;
  });
}

function ran(hex: string, instructions = 10_000): Bench {
  const bench = makeBench(hex);
  bench.cpu.run(instructions);
  return bench;
}

test('a block is as long as its code', () => {
  const [only, ...others] = shown(ran(`${'40'.repeat(200)} f4`));
  expect(others).toEqual([]);
  expect(only).toBe(`100: ${'inc ax; '.repeat(200)}hlt x1 -> `);
});

test('STI ends a block, CLI begins one, POPF stands alone', () => {
  // nop; sti; nop; cli; nop; pushf; popf; nop; hlt
  expect(shown(ran('90 fb 90 fa 90 9c 9d 90 f4'))).toEqual([
    '100: nop; sti x1 -> normal 102 x1',
    '102: nop x1 -> normal 103 x1',
    '103: cli; nop; pushf x1 -> normal 106 x1',
    '106: popf x1 -> normal 107 x1',
    '107: nop; hlt x1 -> ',
  ]);
});

test('where a jump comes in there is a cut, once it was taken', () => {
  // mov cx,2; (103) nop; (104) nop; loop 104; hlt
  const bench = makeBench('b90200 90 90 e2fd f4');
  bench.cpu.run(3);
  expect(shown(bench)).toEqual(['100: mov cx,2; nop; nop x1 -> ']);
  bench.cpu.run(100);
  expect(shown(bench)).toEqual([
    '100: mov cx,2; nop x1 -> normal 104 x1',
    '104: nop; loop 0x104 x2 -> normal 104 x1, normal 107 x1',
    '107: hlt x1 -> ',
  ]);
});

test('an instruction whose operand changes stays in its block', () => {
  // mov cx,3; (103) mov ax,0; add bx,ax; inc word [104]; loop 103; hlt
  expect(shown(ran('b90300 b80000 01c3 ff060401 e2f5 f4'))).toEqual([
    '100: mov cx,3 x1 -> normal 103 x1',
    '103: mov ax,{0x104}; add bx,ax; inc word [0x104]; loop 0x103 x3 -> normal 103 x2, normal 10e x1',
    '10e: hlt x1 -> ',
  ]);
});

test('an instruction that was changed when it had run stays in its block', () => {
  // nop; (101) inc ax; mov byte [101],90; nop; hlt
  const bench = ran('90 40 c606010190 90 f4');
  expect(shown(bench)).toEqual(['100: nop; inc ax; mov byte [0x101],0x90; nop; hlt x1 -> ']);
  expect(bench.cpu.graph.nodeAt(0x1000, 0x101)).toBeNull();
});

test('a selector ends the block that comes before it', () => {
  // mov cx,4; (103) nop; (104) inc bx; xor byte [104],8; loop 103; hlt
  expect(shown(ran('b90400 90 43 8036040108 e2f7 f4'))).toEqual([
    '100: mov cx,4 x1 -> normal 103 x1',
    '103: nop; selector x4 -> selector 104 x2, selector 104 x2',
    '104: inc bx x2 -> normal 105 x2',
    '104: dec bx x2 -> normal 105 x2',
    '105: xor byte [0x104],8; loop 0x103 x4 -> normal 103 x3, normal 10c x1',
    '10c: hlt x1 -> ',
  ]);
});

test('a selector with more than one way in stands alone', () => {
  // mov cx,4; (103) inc bx; xor byte [103],8; loop 103; hlt
  const lines = shown(ran('b90400 43 8036030108 e2f8 f4'));
  expect(lines).toContain('100: mov cx,4 x1 -> normal 103 x1');
  expect(lines).toContain('103: selector x4 -> selector 103 x2, selector 103 x2');
  expect(lines).toContain('104: xor byte [0x103],8; loop 0x103 x4 -> normal 103 x3, normal 10b x1');
});

test('a selector after STI stands alone', () => {
  // mov cx,2; (103) sti; (104) inc bx; xor byte [104],8; loop 103; hlt
  const lines = shown(ran('b90200 fb 43 8036040108 e2f7 f4'));
  expect(lines).toContain('103: sti x2 -> normal 104 x2');
  expect(lines).toContain('104: selector x2 -> selector 104 x1, selector 104 x1');
});

test('an instruction that faulted ends its block', () => {
  // mov cl,1; (102) div cl; dec cl; jns 102; hlt; handler: mov cl,1; add sp,2; push 108; iret
  const bench = makeBench('b101 f6f1 fec9 79fa f4');
  setVector(bench, 0, 0x200);
  bench.put(0x200, 'b17f 83c402 680801 cf');
  bench.cpu.run(100);
  expect(shown(bench)).toEqual([
    '100: mov cl,1 x1 -> normal 102 x1',
    '102: div cl x2 -> call-to-return 108 x1, cpu-fault 200 x1, normal 104 x1',
    '104: dec cl; jns 0x102 x1 -> normal 102 x1',
    '108: hlt x1 -> ',
    '200: mov cl,0x7f; add sp,2; push 0x108; iret x1 -> normal 108 x1',
  ]);
});

test('where an interrupt came in there is a cut', () => {
  // sti; then nops, and one of them is the handler
  const bench = makeBench('fb 90 90 90 90 90 90 f4');
  setVector(bench, 8, 0x103);
  bench.cpu.run(6);
  expect(shown(bench)).toEqual(['100: sti x1 -> normal 101 x1', '101: nop; nop; nop; nop; nop x1 -> ']);
  bench.cpu.setInterruptLine(true);
  bench.cpu.run(7);
  expect(shown(bench)).toEqual([
    '100: sti x1 -> normal 101 x1',
    '101: nop; nop x1 -> normal 103 x1',
    '103: nop; nop; nop x2 -> ',
  ]);
  expect(flowBlocks(bench.cpu.graph).map(({ entries }) => entries)).toEqual([1, 0, 1]);
});

test('a way to what has not run yet is not shown', () => {
  // jmp 103; nop; (103) nop; hlt
  const bench = ran('eb01 90 90 f4', 1);
  expect(shown(bench)).toEqual(['100: jmp 0x103 x1 -> ']);
  bench.cpu.run(2);
  expect(shown(bench)).toEqual(['100: jmp 0x103 x1 -> normal 103 x1', '103: nop x1 -> ']);
});

test('the same code is the same blocks, however it was run', () => {
  const program = `b9c800 ${'40'.repeat(90)} 43 8036 5d01 08 fb 90 fa e2 9b f4`;
  const whole = makeBench(program);
  whole.cpu.run(40_000);
  expect(whole.cpu.halted).toBe(true);
  const stepped = makeBench(program, { compileAfter: Number.POSITIVE_INFINITY });
  while (!stepped.cpu.halted) stepped.cpu.step();
  expect(shown(stepped)).toEqual(shown(whole));
  const saved = makeBench(program);
  saved.cpu.run(777);
  saved.cpu.restoreGraph(saved.cpu.saveGraph());
  saved.cpu.run(40_000);
  expect(shown(saved)).toEqual(shown(whole));
});
