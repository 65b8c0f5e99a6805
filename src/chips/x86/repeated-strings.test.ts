import { expect, test } from 'vitest';
import { fields } from './registers.ts';
import { type Bench, makeBench, setVector } from './x86-testing.ts';

const tiers = [1, Number.POSITIVE_INFINITY];

function runTo({ cpu }: Bench, count: number, piece: number): void {
  while (cpu.instructions < count && !cpu.halted) cpu.run(Math.min(count, cpu.instructions + piece));
}

test.for(tiers)('each round takes the time of an instruction (compiled after %d)', (compileAfter) => {
  for (const piece of [1, 7, 5000]) {
    // L: mov di,2000; mov cx,100; rep stosb; mov cx,0; rep stosb; dec bx; jnz L; hlt
    const bench = makeBench('bf0020 b96400 f3aa b90000 f3aa 4b 75f0 f4', { compileAfter });
    bench.cpu.set('bx', 10);
    runTo(bench, 5000, piece);
    expect(bench.cpu.instructions).toBe(10 * (2 + 100 + 4) + 1);
    expect(bench.cpu.get('di')).toBe(0x2000 + 100);
    const executions = [...bench.cpu.graph.blocks].flatMap(({ nodes }) =>
      nodes.map((node) => bench.cpu.graph.executions(node)),
    );
    expect(executions.reduce((sum, count) => sum + count, 0) + bench.cpu.extraRounds).toBe(bench.cpu.instructions);
  }
});

test.for(tiers)('it ends after so many rounds of a scan (compiled after %d)', (compileAfter) => {
  // L: mov di,2000; mov cx,100; mov al,5; repne scasb; dec bx; jnz L; hlt
  const bench = makeBench('bf0020 b96400 b005 f2ae 4b 75f3 f4', { compileAfter });
  bench.put(0x2000, '0000000005');
  bench.cpu.set('bx', 10);
  runTo(bench, 5000, 5000);
  expect(bench.cpu.instructions).toBe(10 * (3 + 5 + 2) + 1);
});

test.for(tiers)('interrupts come between rounds, and the rest follows their handlers (compiled after %d)', (after) => {
  const bench = makeBench('fb 90 bf0020 b96400 b0aa f3aa f4', { compileAfter: after });
  setVector(bench, 8, 0x300);
  // mov [4000],cx; mov [4002],di; iret
  bench.put(0x300, '890e0040 893e0240 cf');
  bench.cpu.run(5 + 40);
  expect([bench.cpu.isRepeating, bench.cpu.get('cx'), bench.cpu.get('ip')]).toEqual([true, 60, 0x10a]);
  bench.cpu.setInterruptLine(true);
  bench.cpu.run(bench.cpu.instructions + 1);
  bench.cpu.setInterruptLine(false);
  while (!bench.cpu.halted) bench.cpu.step();
  expect([...bench.ram.subarray(0x14000, 0x14004)]).toEqual([60, 0, 0x28, 0x20]);
  expect([bench.cpu.get('cx'), bench.cpu.get('di')]).toEqual([0, 0x2064]);
  expect(bench.cpu.instructions).toBe(5 + 100 + 3 + 1);
  expect(bench.cpu.contexts).toHaveLength(1);
});

test('breakpoints, conditions and watchers are asked once, however often it pauses', () => {
  const play = (piece: number) => {
    // nop; mov cx,50; rep lodsb; nop; hlt
    const bench = makeBench('90 b93200 f3ac 90 f4');
    const { cpu } = bench;
    const met: string[] = [];
    cpu.onInstruction = ({ ip }) => met.push(`saw ${ip.toString(16)}`);
    cpu.setBreakpoints([{ first: 0x10104, last: 0x10104 }]);
    cpu.stopWhen(() => Number(cpu.get('cx') < 20 && cpu.get('cx') > 10));
    let leaving = true;
    for (let n = 0; n < 200 && !cpu.halted; n += 1) {
      const { reason } = cpu.run(cpu.instructions + piece, leaving);
      leaving = reason !== 'count';
      if (reason !== 'count' && reason !== 'halted') met.push(reason);
    }
    return met;
  };
  const whole = play(1000);
  expect(whole.filter((text) => text === 'breakpoint')).toHaveLength(1);
  expect(whole).not.toContain('condition');
  expect(play(1)).toEqual(whole);
  expect(play(13)).toEqual(whole);
});

test('with TF set each round is followed by a trap', () => {
  // pushf; pop ax; or ah,1; push ax; popf; rep stosb; nop; hlt. The handler: inc bx; iret
  const bench = makeBench('9c 58 80cc01 50 9d f3aa 90 f4');
  setVector(bench, 1, 0x300);
  bench.put(0x300, '43 cf');
  bench.cpu.set('cx', 5);
  bench.cpu.set('di', 0x2000);
  bench.cpu.setBreakpoints([{ first: 0x10109, last: 0x10109 }]);
  expect(bench.cpu.run(60).reason).toBe('breakpoint');
  expect([bench.cpu.get('bx'), bench.cpu.get('cx')]).toEqual([5, 0]);
});

test('what has written over itself goes on as it was read, wherever it is paused', () => {
  const play = (piece: number) => {
    // rep stosb from 100 on: over itself, and over the HLT at 110
    const bench = makeBench('f3aa 90 90 f4');
    bench.put(0x110, 'f4');
    bench.cpu.set('di', 0x100);
    bench.cpu.set('cx', 16);
    bench.cpu.set('al', 0x90);
    runTo(bench, 1000, piece);
    return [bench.cpu.instructions, bench.cpu.get('cx'), bench.cpu.get('ip')];
  };
  const whole = play(1000);
  expect(whole.slice(1)).toEqual([0, 0x111]);
  expect(play(1)).toEqual(whole);
  expect(play(3)).toEqual(whole);
});

test.for(tiers)('a fault leaves the rounds done, and their time (compiled after %d)', (compileAfter) => {
  // rep lodsw from FFFA: the fourth crosses the segment's end
  const bench = makeBench('90 f3ad f4', { compileAfter });
  setVector(bench, 13, 0x300);
  bench.put(0x300, 'f4');
  bench.cpu.set('si', 0xfff9);
  bench.cpu.set('cx', 10);
  expect(bench.cpu.run(1000).reason).toBe('halted');
  expect([bench.cpu.get('cx'), bench.cpu.get('si'), bench.cpu.instructions]).toEqual([7, 0xffff, 1 + 3 + 1 + 1]);
});

test('an 8086 goes back to the last prefix alone, later ones to all of them', () => {
  const play = (model: '8086' | '80186') => {
    // sti; nop; rep es: lodsb (26 last); nop; hlt
    const bench = makeBench('fb 90 f326ac 90 f4', { model });
    setVector(bench, 8, 0x300);
    bench.put(0x300, 'cf');
    bench.cpu.set('cx', 10);
    bench.cpu.run(2 + 4);
    bench.cpu.setInterruptLine(true);
    bench.cpu.run(bench.cpu.instructions + 1);
    bench.cpu.setInterruptLine(false);
    bench.cpu.run(100);
    expect(bench.cpu.halted).toBe(true);
    return bench.cpu.get('cx');
  };
  expect([play('8086'), play('80186')]).toEqual([6, 0]);
});

test('a state between two rounds is a state like any other', () => {
  const bench = makeBench('b90a00 f3aa b90a00 f3aa f4');
  bench.cpu.set('di', 0x2000);
  bench.cpu.run(5);
  const kept = Int32Array.from(bench.state);
  const graph = structuredClone(bench.cpu.saveGraph());
  bench.cpu.run(1000);
  const end = Int32Array.from(bench.state);
  bench.state.set(kept);
  bench.cpu.restoreGraph(graph);
  expect(bench.state[fields.repeating]).toBe(1);
  bench.cpu.run(1000);
  expect(bench.state).toEqual(end);
});
