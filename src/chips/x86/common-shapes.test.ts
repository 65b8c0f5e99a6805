import { expect, test } from 'vitest';
import { CommonShapes } from './common-shapes.ts';
import { pagedBench, protectedBench } from './protected-testing.ts';
import { bytesOf, describe } from './x86-testing.ts';

const [wideCode, wideStack] = [0x38, 0x40];
const top = 0x100;

/** Of 32-bit code, with EDI at 5000: registers, memory with and without EDI, the stack, flags. */
const instructions = [
  '01d8 11c2 19d3 29d1 31c8 21d0 09ca 39c3 85db',
  '8b05d4500000 894500 0307 2b4704 330f 3b5708 8907 895704 014708 294f0c 31470c 11570c 834708fb 816704ff00ff00',
  '8807 8a4705 004706 3a4707 2a05d1500000 80470911 c6470a40 c7470c78563412 c7059050000001000000',
  '40 4b 41 ff4710 fe4711 ff0590500000 f7db f6d4 f717 f65f12 d1e0 d1fb c1e004 c1eb03 c1f905 d1d2',
  '0fb6c8 0fb65701 0fb7d8 0fb74f02 0fbed1 0fbe5f03 0fbfc3 8d4c8704 8d443b04 91 87da 98 99 90 f8 f9 f5',
  '50 53 6878563412 6a80 ff37 59 5a 5b 58 b012 bb44332211 a81f a90f00f000 a190500000 a394500000',
  'f7c101000000 f60711 f7470800010000 668b4702 66894f04 66014706 6640 662d3412 0fafc3 6bd305 0f95c0 9c 9d',
].flatMap((line) => line.split(' '));

/** `top: mov esp,9000; mov edi,5000; mov ebp,5000; …; dec dword [6ff0]; jnz top; hlt`, and a function `inc eax; ret` before it. */
function randomProgram(seed: number): string {
  let value = seed;
  const random = (below: number) => {
    value = (Math.imul(value, 1103515245) + 12345) >>> 0;
    return (value >>> 8) % below;
  };
  const dword = (number: number) => Buffer.from(new Int32Array([number]).buffer).toString('hex');
  let text = 'bc00900000 bf00500000 bd00500000'.replaceAll(' ', '');
  const length = () => text.length / 2;
  for (let n = 0; n < 60; n += 1) {
    const next = instructions[random(instructions.length)] as string;
    const kind = random(8);
    if (kind === 0) text += (0x70 + random(16)).toString(16) + (next.length / 2).toString(16).padStart(2, '0');
    if (kind === 1) text += `0f${(0x80 + random(16)).toString(16)}${dword(next.length / 2)}`;
    if (kind === 2) text += `e8${dword(-2 - length() - 5)}`;
    text += next;
  }
  return `40c3${text}ff0df06f0000 0f85${dword(-length() - 12)} f4`;
}

test.each(['protected', 'paged'] as const)(
  '%s 32-bit code runs the same in one piece, in many, and compiled',
  (mode) => {
    for (let seed = 1; seed <= 6; seed += 1) {
      const play = (piece: number, compileAfter: number) => {
        const bench = mode === 'paged' ? pagedBench('', compileAfter) : protectedBench('', { compileAfter });
        const { cpu, ram, state, descriptor, put } = bench;
        descriptor(wideCode, 0x10000, 0xffff, 0x9a, 0x40);
        descriptor(wideStack, 0x10000, 0xffff, 0x92, 0x40);
        put(top - 2, randomProgram(seed));
        put(0x6ff0, '28');
        for (let n = 0; n < 0x100; n += 1) ram[0x15000 + n] = (n * seed * 7) & 0xff;
        cpu.set('cs', wideCode);
        cpu.set('ss', wideStack);
        cpu.set('eip', top);
        let reason = 'count';
        while (reason === 'count' && cpu.instructions < 20_000) ({ reason } = cpu.run(cpu.instructions + piece));
        expect(reason).toBe('halted');
        return { state: [...state], ram: Buffer.from(ram.subarray(0x15000, 0x19000)), graph: describe(cpu.graph) };
      };
      const whole = play(20_000, Number.POSITIVE_INFINITY);
      for (const other of [play(1, Number.POSITIVE_INFINITY), play(37, Number.POSITIVE_INFINITY), play(20_000, 2)]) {
        expect(other.state).toEqual(whole.state);
        expect(other.ram.equals(whole.ram)).toBe(true);
        expect(other.graph).toEqual(whole.graph);
      }
    }
  },
);

test.each(['protected', 'paged'] as const)('the loop itself does what compilers write, in %s 32-bit code', (mode) => {
  const code = '8b4708 890424 0fb607 83f805 0f8400000000 7400 d1e0 50 6a05 5a 8d448704 f60701 ff4704 e800000000 90';
  const bench = mode === 'paged' ? pagedBench('', 500) : protectedBench('');
  const { cpu, descriptor, put } = bench;
  descriptor(wideCode, 0x10000, 0xffff, 0x9a, 0x40);
  descriptor(wideStack, 0x10000, 0xffff, 0x92, 0x40);
  put(top, code);
  cpu.set('cs', wideCode);
  cpu.set('ss', wideStack);
  const shapes = CommonShapes.of('80386');
  const known = new Set<number>();
  let ip = top;
  while (ip < top + bytesOf(code).length) {
    const instruction = cpu.decode(wideCode, ip);
    const number = shapes.codeOf(instruction);
    expect([instruction.form.mnemonic, number > 0]).toEqual([instruction.form.mnemonic, true]);
    known.add(number);
    ip = instruction.next;
  }
  expect(known.size).toBeGreaterThan(12);
});
