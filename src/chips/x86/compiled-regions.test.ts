import { expect, test } from 'vitest';
import type { Region } from './compile.ts';
import { type Bench, describe, makeBench } from './x86-testing.ts';

function regionsOf({ cpu }: Bench): Region[] {
  return [...cpu.graph.blocks].flatMap(({ region }) => region ?? []);
}

test('what machines with the same program compile has a text of its own, so that V8 does not share it', () => {
  // again: inc ax; add bx,ax; jmp again
  const texts = Array.from({ length: 4 }, () => {
    const bench = makeBench('40 01c3 ebfb', { compileAfter: 2 });
    bench.cpu.run(1000);
    return String(regionsOf(bench)[0]?.run);
  });
  expect(texts[0]).toContain('budget');
  expect(new Set(texts).size).toBe(4);
});

test('a compiled program with its stack on the page of its code, into which it also pushes, does as an interpreted one', () => {
  // again: mov sp,180h; push ax; push bx; inc ax; add bx,ax; call work; test al,3fh; jnz again
  const often = 'bc8001 50 53 40 01c3 e81000 a83f 75f1';
  // mov sp,116h; push ax, which writes the operand of: mov cx,1234h; add bx,cx; jmp again; nop; work: inc bx; ret
  const seldom = 'bc1601 50 b93412 01cb ebe6 90 43 c3';
  const [interpreted, compiled] = [Number.POSITIVE_INFINITY, 2].map((compileAfter) => {
    const bench = makeBench(`${often} ${seldom}`, { compileAfter });
    let compiledRuns = 0;
    for (let until = 97; until < 30_000; until += 97) {
      bench.cpu.run(until);
      compiledRuns += regionsOf(bench).length > 0 ? 1 : 0;
    }
    const { cpu, state, ram } = bench;
    const what = { graph: describe(cpu.graph), state: [...state], ram: Buffer.from(ram).toString('latin1') };
    return { what, compiledRuns };
  });
  expect(interpreted?.compiledRuns).toBe(0);
  expect(compiled?.compiledRuns).toBeGreaterThan(100);
  expect(compiled?.what).toEqual(interpreted?.what);
});
