import { expect, test } from 'vitest';
import { BlockLines } from './block-lines.ts';
import { InstructionTable } from './instruction-table.ts';

function parsed(text: string, pieceChars: number) {
  const found: [string, number][] = [];
  const contents: number[] = [];
  const lines = new BlockLines((high, low, content, bytes) => {
    found.push([((BigInt(high) << 32n) | BigInt(low)).toString(16), bytes]);
    contents.push(content);
  });
  let rest = '';
  for (let at = 0; at < text.length; at += pieceChars) rest += lines.take(text.slice(at, at + pieceChars));
  return { found, contents, rest };
}

const pc = `----------------
IN: start_kernel
0xffffffff81000040:  48 8d 25 f9 3f 60 01     leaq     0x1603ff9(%rip), %rsp
0xffffffff81000047:  48 c7 05 a9 5f 60 01 01  movq     $1, 0x1605fa9(%rip)
0xffffffff8100004f:  00 00 00
0xffffffff81000052:  c3                       retq

`;

test.each([1, 7, 10_000])('blocks are taken out of a log that comes in pieces of %i characters', (size) => {
  const log = `CPU Reset (CPU 0)\nEAX=00000000\n${pc}     0: v=0e e=0002 i=0 cpl=0\n----------------\nOP:\n`;
  const { found, rest } = parsed(log, size);
  expect(found).toEqual([
    ['ffffffff81000040', 7],
    ['ffffffff81000047', 11],
    ['ffffffff81000052', 1],
  ]);
  expect(rest).toBe('CPU Reset (CPU 0)\nEAX=00000000\n     0: v=0e e=0002 i=0 cpl=0\n----------------\nOP:\n');
});

test('words, halfwords, and processors whose bytes QEMU does not show', () => {
  const block = (...lines: readonly string[]) => `----------------\nIN: \n${lines.join('\n')}\n\n`;
  const riscv = block('Priv: 3; Virt: 0', '0x0000000000001000:  00000297          auipc  t0,0  # 0x1000');
  const thumb = block('0x00000100:  b510       push     {r4, lr}', '0x00000102:  f000 f801  bl       #0x108');
  const m68k = block('0x00000400:  movew #9984,%sr', '0x00000404:  bcc 0x410');
  expect(parsed(riscv + thumb + m68k, 10_000).found).toEqual([
    ['1000', 4],
    ['100', 2],
    ['102', 4],
    ['400', 4],
    ['404', 1],
  ]);
});

test('other code at the same address is another instruction, the same code is not', () => {
  const changed = pc.replace('c3 ', 'cf ');
  const { contents } = parsed(pc + changed + pc, 10_000);
  expect(new Set([contents[2], contents[5]]).size).toBe(2);
  expect(contents[8]).toBe(contents[2]);
  const table = new InstructionTable();
  expect([1, 2, 1].map((content) => table.numberOf(1, 2, content, 3))).toEqual([0, 1, 0]);
});

test('a line without an end is let through and not kept', () => {
  const { found, rest } = parsed(`----------------\nIN: \n${'0'.repeat(5000)}\n${pc}`, 1000);
  expect(rest).toHaveLength(5001);
  expect(found).toHaveLength(3);
});

test('the table grows, knows every instruction again, and says when it is full', () => {
  const table = new InstructionTable(20_000);
  const number = (n: number) => table.numberOf(0xffffffff, n * 3, n, (n % 15) + 1);
  expect(Array.from({ length: 20_000 }, (_, n) => number(n)).every((each, n) => each === n)).toBe(true);
  expect(number(20_000)).toBe(-1);
  for (let n = 0; n < 20_000; n += 777) {
    expect(number(n)).toBe(n);
    expect([table.addressOf(n), table.bytesOf(n)]).toEqual([0xffffffff00000000n + BigInt(n * 3), (n % 15) + 1]);
  }
  expect([table.count, table.isFull]).toEqual([20_000, true]);
});
