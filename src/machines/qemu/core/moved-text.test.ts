import { expect, test } from 'vitest';
import { movedText } from './moved-text.ts';

const up = 0xffffffff81000000n - 0x200000n;

test.each([
  [
    'x86_64',
    '64',
    '  e8 f0 ff ff ff           callq    0x2abcd7',
    up,
    '  e8 f0 ff ff ff           callq    0xffffffff810abcd7',
  ],
  [
    'x86_64',
    '64',
    '  eb fe                    jmp      0xfffffffffff00000',
    up,
    '  eb fe                    jmp      0xffffffff80d00000',
  ],
  ['x86_64', '64', '  b8 00 00 20 00           movl     $0x200000, %eax', up, undefined],
  ['x86_64', '64', '  ff 25 00 00 20 00        jmpq     *0x200000(%rip)', up, undefined],
  [
    'x86_64',
    '32',
    '  e8 f0 ff ff ff           calll    0x2abcd7',
    0xc0000000n,
    '  e8 f0 ff ff ff           calll    0xc02abcd7',
  ],
  ['x86_64', '16', '  e8 f0 ff                 callw    0xbcd5', 0xf0000n, undefined],
  ['aarch64', '0false', '  97ffffff  bl       #0x2abcd0', 0x40000000n, '  97ffffff  bl       #0x402abcd0'],
  ['aarch64', '0false', '  54000041  b.ne     #0x2abcd0', 0x1000n, '  54000041  b.ne     #0x2accd0'],
  ['aarch64', '0false', '  b0000000  adrp     x0, #0x2ac000', 0x40000000n, '  b0000000  adrp     x0, #0x402ac000'],
  ['aarch64', '0false', '  f8410420  ldr      x0, [x1], #0x10', 0x1000n, undefined],
  ['aarch64', '0false', '  d2800200  movz     x0, #0x10', 0x1000n, undefined],
  ['arm', '0false', '  ebfffffd  bl       #0x2abcd0', 0x40000000n, '  ebfffffd  bl       #0x402abcd0'],
  [
    'riscv64',
    '0false',
    '  00000297          auipc                   t0,0                    # 0x2abcd4',
    0x80000000n,
    '  00000297          auipc                   t0,0                    # 0x802abcd4',
  ],
])('%s, %s: %s', (arch, mode, text, distance, moved) => {
  expect(movedText(arch, mode, text, distance)).toBe(moved ?? text);
});
