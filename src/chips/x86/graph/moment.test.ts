import { expect, test } from 'vitest';
import { type Bench, makeBench, setVector } from '../x86-testing.ts';

/** What was counted, however the graph is cut into blocks. */
function countsOf({ cpu }: Bench) {
  const { graph } = cpu;
  const instructions = [...graph.blocks]
    .flatMap(({ nodes }) => nodes)
    .map((node): [string, number] => [`${node.ip.toString(16)} ${node.bytes.join()}`, graph.executions(node)])
    .filter(([, count]) => count > 0);
  const functions = cpu.functions
    .filter(({ calls }) => calls > 0)
    .map(({ key, calls, returns, misalignedReturns }) => [key, calls, returns, misalignedReturns]);
  const calls = cpu.contexts.map(({ entry, calls }) => [entry, calls.frames().map(({ returnKey }) => returnKey)]);
  return { instructions: instructions.sort(), functions: functions.sort(), calls };
}

function save({ cpu, ram, state }: Bench) {
  return { moment: cpu.saveMoment(), ram: ram.slice(), state: state.slice() };
}

function restore({ cpu, ram, state }: Bench, saved: ReturnType<typeof save>): void {
  ram.set(saved.ram);
  state.set(saved.state);
  cpu.memoryReplaced();
  cpu.restoreMoment(saved.moment);
}

const programs: Record<string, (bench: Bench) => void> = {
  // mov cx,5; (103) call 110; loop 103; hlt … (110) inc ax; call 120; ret … (120) pop bx; inc bx; push bx; ret
  'calls and a return to elsewhere': (bench) => {
    bench.put(0x100, 'b90500 e80a00 e2fb f4');
    bench.put(0x110, '40 e80c00 90 c3');
    bench.put(0x120, '5b 43 53 c3');
  },
  // mov cx,6; (103) dec cx; nop; nop; nop; jz 112; test cl,1; jz 105; jmp 104; nop … (112) hlt
  'jumps into the middle of what was one block': (bench) =>
    bench.put(0x100, 'b90600 49 90 90 90 740a f6c101 74f7 ebf4 90 f4'),
  // mov cx,9; (103) inc bx; inc dx; xor byte [103],8; loop 103; hlt
  'code that changes itself': (bench) => bench.put(0x100, 'b90900 43 42 8036030108 e2f7 f4'),
  // mov cx,8; (103) inc word [108]; (107) mov ax,0; loop 103; hlt
  'operands that change': (bench) => bench.put(0x100, 'b90800 ff060801 b80000 e2f7 f4'),
  // sti; mov cx,6; (104) nop; nop; inc ax; loop 104; hlt, and an interrupt handler with a call
  'interrupts between any two instructions': (bench) => {
    bench.put(0x100, 'fb b90600 90 90 40 e2fb f4');
    bench.put(0x140, 'e80d00 cf');
    bench.put(0x150, '42 c3');
    setVector(bench, 8, 0x140);
  },
};

/** One instruction, with an interrupt now and then. */
function step(bench: Bench): void {
  const { cpu } = bench;
  const asks = cpu.instructions % 7 === 5;
  if (asks) cpu.setInterruptLine(true);
  cpu.run(cpu.instructions + 1);
  if (asks) cpu.setInterruptLine(false);
}

test.for(Object.keys(programs))('counts follow time: %s', (name) => {
  for (const compileAfter of [2, 500]) {
    const bench = makeBench('', { compileAfter });
    programs[name]?.(bench);
    const then = [];
    while (bench.cpu.instructions < 60) {
      then.push({ ...save(bench), counts: countsOf(bench) });
      step(bench);
      if (bench.cpu.halted) break;
    }
    expect(then.length).toBeGreaterThan(15);
    // Back to each moment from the end, on for a few instructions, and from there to an earlier one.
    for (let index = then.length - 1; index >= 0; index--) {
      const there = then[index];
      if (!there) continue;
      restore(bench, there);
      expect(countsOf(bench), `at instruction ${index}`).toEqual(there.counts);
      for (let on = 1; on <= 9 && index + on < then.length; on++) {
        step(bench);
        expect(countsOf(bench), `${on} after instruction ${index}`).toEqual(then[index + on]?.counts);
      }
    }
  }
});

test('another graph begins anew', () => {
  const bench = makeBench('40 40 40 ebfb');
  bench.cpu.run(3);
  const saved = save(bench);
  const other = makeBench('40 40 40 ebfb');
  other.cpu.run(8);
  restore(other, saved);
  other.cpu.run(5);
  expect(countsOf(other).instructions.reduce((sum, [, count]) => sum + count, 0)).toBe(2);
});
