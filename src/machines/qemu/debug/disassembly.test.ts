import { describe, expect, test } from 'vitest';
import { QemuSymbols } from '../symbols/qemu-symbols.ts';
import { architectureOf } from './architecture.ts';
import { parseDisassembly, withNames } from './disassembly.ts';
import { parseSegments } from './x86-segments.ts';

test.for([
  [
    '0x80000044:  028000ef          jal                     ra,40                   # 0x8000006c',
    4,
    'jal ra,40 # 0x8000006c',
  ],
  ['0x80000044:  4501              li                      a0,0', 2, 'li a0,0'],
  ['0x40100038:  f9000281  str      x1, [x20]', 4, 'str x1, [x20]'],
  ['0xffffffff80007cd2:  e8 05 00 00 00           callq    0xffffffff80007cdc', 5, 'callq 0xffffffff80007cdc'],
  ['0x00007c3b:  a8 01                    testb    $1, %al', 2, 'testb $1, %al'],
  ['0x00001000:  add                      dec', 0, 'add dec'],
  ['0x00005efc:  b  0x5efc', 0, 'b 0x5efc'],
] as const)('%s', ([line, length, text]) => {
  const [parsed] = parseDisassembly(`${line}\n`);
  expect(parsed).toMatchObject({ length, text });
});

test('an instruction too long for its line goes on in the next', () => {
  const lines = parseDisassembly(
    '0x1000:  48 b8 88 77 66 55 44 33  movabsq  $0x1122334455667788, %rax\n0x1008:  22 11\n0x100a:  c3                       retq\n',
  );
  expect(lines).toMatchObject([
    { address: 0x1000n, length: 10, text: 'movabsq $0x1122334455667788, %rax' },
    { address: 0x100an, length: 1, text: 'retq' },
  ]);
});

test('names of instructions that look like code are none where no code is shown', () => {
  const [branch] = parseDisassembly('0x00000000:  be  0x5efc\n0x00000004:  nop\n', false);
  expect(branch).toEqual({ address: 0n, length: 0, text: 'be 0x5efc' });
});

test('addresses have their names, also those written as a distance', () => {
  const symbols = new QemuSymbols();
  symbols.add([
    ['counter', 0x5064n],
    ['level1', 0x1100n],
  ]);
  const at = (text: string) => withNames({ address: 0x100an, bytes: new Uint8Array(6), text }, symbols).text;
  expect(at('callq 0x1104')).toBe('callq 0x1104 <level1+4>');
  expect(at('movl 0x4054(%rip), %eax')).toBe('movl 0x4054(%rip), %eax # 0x5064 <counter>');
  expect(at('leaq -8(%rip), %rax')).toBe('leaq -8(%rip), %rax # 0x1008');
});

test('what is not there has no lines', () => {
  expect(parseDisassembly('0xdead00000000: unable to read memory\n')).toEqual([]);
  expect(parseDisassembly('0x00000000:  Address 0x0 is out of bounds.\n')).toEqual([]);
  expect(parseDisassembly('0x00000000: Asm output not supported on this arch\n')).toEqual([]);
});

describe('calls and returns as the disassemblers write them', () => {
  test.for([
    ['x86_64', 'callq 0xffffffff80007cdc', 'call'],
    ['x86_64', 'callw *0x10(%bp)', 'call'],
    ['x86_64', 'lcallq *(%rax)', 'call'],
    ['x86_64', 'retq', 'return'],
    ['i386', 'iretl', 'return'],
    ['i386', 'lretw', 'return'],
    ['x86_64', 'jmp 0x10', undefined],
    ['x86_64', 'syscall', undefined],
    ['aarch64', 'bl #0x40100054', 'call'],
    ['aarch64', 'blr x3', 'call'],
    ['aarch64', 'b #0x10', undefined],
    ['aarch64', 'blraaz x1', 'call'],
    ['aarch64', 'ret', 'return'],
    ['aarch64', 'retaa', 'return'],
    ['aarch64', 'eret', 'return'],
    ['aarch64', 'br x30', 'return'],
    ['aarch64', 'br x3', undefined],
    ['arm', 'bl #0x40100054', 'call'],
    ['arm', 'blne #0x10', 'call'],
    ['arm', 'blx r3', 'call'],
    ['arm', 'ble #0x10', undefined],
    ['arm', 'bls #0x10', undefined],
    ['arm', 'blt #0x10', undefined],
    ['arm', 'bx lr', 'return'],
    ['arm', 'pop {r4, pc}', 'return'],
    ['arm', 'ldm sp!, {r4, r5, pc}', 'return'],
    ['arm', 'pop {r4, lr}', undefined],
    ['riscv64', 'jal ra,40 # 0x8000006c', 'call'],
    ['riscv64', 'jalr ra,a5,0', 'call'],
    ['riscv32', 'jal t0,8', 'call'],
    ['riscv64', 'j -12 # 0x10', undefined],
    ['riscv64', 'ret', 'return'],
    ['riscv64', 'mret', 'return'],
  ] as const)('%s: %s', ([arch, text, meaning]) => {
    const { call, return: returns } = architectureOf(arch);
    expect([call.test(text), returns.test(text)]).toEqual([meaning === 'call', meaning === 'return']);
  });
});

test('segments from the monitor', () => {
  const real = 'CS =f000 ffff0000 0000ffff 00009b00\nSS =e8a4 000e8a40 0000ffff 00009300\n';
  expect(parseSegments(real, 0xf000n, 0n)).toEqual({
    code: { base: 0xffff0000n, bits: 16 },
    stack: { base: 0xe8a40n },
  });
  const long = 'CS =0008 0000000000000000 00000000 00209a00 DPL=0 CS64 [-R-]\n';
  expect(parseSegments(long, 8n, 16n).code).toEqual({ base: 0n, bits: 64 });
  const protected_ = 'CS =0008 00000000 ffffffff 00cf9b00 DPL=0 CS32 [-RA]\n';
  expect(parseSegments(protected_, 8n, 16n).code.bits).toBe(32);
  expect(parseSegments('nothing', 0x1000n, 0x2000n)).toEqual({
    code: { base: 0x10000n, bits: 16 },
    stack: { base: 0x20000n },
  });
});
