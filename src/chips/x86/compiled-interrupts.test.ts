import { expect, test } from 'vitest';
import type { Model } from './models.ts';
import { type Bench, type BenchOptions, describe, makeBench, setVector } from './x86-testing.ts';

const vectors = 0x30;
const trapHandler = 0x2100;
const handler = 0x2000;

function everything({ cpu, state, ram }: Bench) {
  const contexts = cpu.contexts.map(({ cause, vector, calls }) => [cause, vector, calls.depth]);
  return { graph: describe(cpu.graph), state: [...state], ram: Buffer.from(ram).toString('latin1'), contexts };
}

/** The same interpreted, compiled, and compiled in short runs: `play` runs it so many instructions further. */
function inAllWays(options: BenchOptions, play: (bench: Bench, run: (count: number) => void) => void, code: string) {
  const ways = [Number.POSITIVE_INFINITY, 2, 2].map((compileAfter, way) => {
    const bench = makeBench(code, { ...options, compileAfter });
    for (let vector = 0; vector < vectors; vector += 1) setVector(bench, vector, trapHandler);
    bench.put(trapHandler, 'cf');
    play(bench, (count) => {
      const until = bench.cpu.instructions + count;
      while (bench.cpu.instructions < until) {
        bench.cpu.run(way === 2 ? Math.min(until, bench.cpu.instructions + 7) : until);
      }
    });
    return everything(bench);
  });
  return ways as [(typeof ways)[0], (typeof ways)[0], (typeof ways)[0]];
}

test.for(['8086', '80286', '80386', '486'] as const satisfies Model[])(
  'INT and IRET of a compiled %s load and store all flags, at any place of the stack, as interpreted ones',
  (model) => {
    // again: add ax,1357h; mov sp,bx; push ax; popf; int 21h; pushf; pop dx; xor si,dx; add di,si; dec bx; dec bx; jmp again
    const code = '055713 89dc 50 9d cd21 9c 5a 31d6 01f7 4b 4b ebed';
    const [interpreted, compiled, inPieces] = inAllWays(
      { model },
      (bench, run) => {
        setVector(bench, 0x21, handler);
        // push bp; mov bp,sp; xor [bp+6],di; pop bp; pushf; pop cx; add di,cx; iret
        bench.put(handler, '55 89e5 317e06 5d 9c 59 01cf cf');
        bench.cpu.set('ebx', 0x40);
        run(20_000);
        // Elsewhere from now on.
        setVector(bench, 0x21, trapHandler);
        run(500);
        // Somebody listens.
        let heard = 0;
        bench.cpu.onInterrupt = (vector) => {
          if (vector === 0x21) heard += 1;
        };
        run(500);
        expect(heard).toBeGreaterThan(10);
      },
      code,
    );
    expect(compiled).toEqual(interpreted);
    expect(inPieces).toEqual(interpreted);
  },
);

test('code that is made on the stack again and again, and that interrupts write over, runs compiled as interpreted', () => {
  // again: push bp; sub sp,4; mov bp,sp; mov word [bp],21cdh; mov byte [bp+2],0cbh; push cs; mov bx,back; push bx; push ss; push bp; retf
  // back: add sp,4; pop bp; inc word [4000h]; jmp again
  const code = '55 83ec04 89e5 c74600cd21 c64602cb 0e bb1701 53 16 55 cb 83c404 5d ff060040 ebdf';
  const [interpreted, compiled, inPieces] = inAllWays(
    {},
    (bench, run) => {
      setVector(bench, 0x21, handler);
      // inc cx; iret
      bench.put(handler, '41 cf');
      bench.cpu.set('esp', 0x8000);
      bench.cpu.set('flags', 0x202);
      for (let round = 0; round < 60; round += 1) {
        run(97 + round);
        bench.cpu.setInterruptLine(true);
        run(1);
        bench.cpu.setInterruptLine(false);
      }
      expect(bench.memory.peek16(0x14000)).toBeGreaterThan(300);
    },
    code,
  );
  expect(compiled).toEqual(interpreted);
  expect(inPieces).toEqual(interpreted);
});

test('bytes of code that are written as they are leave it alone, and others do not', () => {
  // again: mov word [200h],9040h; mov byte [202h],cl; call 200h; jmp again
  const bench = makeBench('c70600024090 880e0202 e8f300 ebf1', { compileAfter: 2 });
  bench.put(0x200, '40 90 c3');
  bench.cpu.set('ecx', 0xc3);
  bench.cpu.run(700);
  expect(bench.cpu.get('ax')).toBe(100);
  // push ax; pop ax; ret comes after it
  bench.put(0x203, '58 c3');
  bench.cpu.memoryReplaced(0x10203, 0x10204);
  bench.cpu.set('ecx', 0x50);
  bench.cpu.run(700 + 90);
  expect(bench.cpu.get('ax')).toBe(110);
  expect(bench.cpu.graph.variantsAt(0x1000, 0x202)).toHaveLength(2);
});
