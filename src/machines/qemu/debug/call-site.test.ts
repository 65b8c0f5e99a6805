import { expect, test } from 'vitest';
import { type CallEncoding, callSite } from './call-site.ts';

const upper = 0xffffffff80007ce5n;

/** Eight bytes that end with the call. */
function before(...call: number[]): Uint8Array {
  const bytes = new Uint8Array(8);
  bytes.set(call, 8 - call.length);
  return bytes;
}

test.for<[string, CallEncoding, bigint, readonly number[], bigint, bigint | undefined]>([
  ['x86: call near', 'x86', upper, [0xe8, 2, 0, 0, 0], 5n, upper + 2n],
  ['x86: call backwards', 'x86', upper, [0xe8, 0xf0, 0xff, 0xff, 0xff], 5n, upper - 16n],
  ['x86: call *%rax', 'x86', upper, [0xff, 0xd0], 2n, undefined],
  ['x86: call *8(%rbx)', 'x86', upper, [0xff, 0x53, 8], 3n, undefined],
  ['x86: call *(%rax,%rbx,8)', 'x86', upper, [0xff, 0x14, 0xd8], 3n, undefined],
  ['x86: call *disp32(%rip)', 'x86', upper, [0xff, 0x15, 1, 2, 3, 4], 6n, undefined],
  ['x86: call *disp32(,%rax,8)', 'x86', upper, [0xff, 0x94, 0xc5, 1, 2, 3, 4], 7n, undefined],
  ['real mode: call near, around the end of the segment', 'x86-16', 0xfff0n, [0xe8, 0x20, 0], 3n, 0x10n],
  ['aarch64: bl', 'aarch64', 0x40100030n, [0x0a, 0, 0, 0x94], 4n, 0x40100054n],
  ['aarch64: bl backwards', 'aarch64', 0x40100030n, [0xff, 0xff, 0xff, 0x97], 4n, 0x40100028n],
  ['aarch64: blr x8', 'aarch64', 0x40100030n, [0x00, 0x01, 0x3f, 0xd6], 4n, undefined],
  ['aarch64: blraa', 'aarch64', 0x40100030n, [0x01, 0x09, 0x3f, 0xd7], 4n, undefined],
  ['arm: bl', 'arm', 0x40100030n, [0x08, 0, 0, 0xeb], 4n, 0x40100054n],
  ['arm: blx r3', 'arm', 0x40100030n, [0x33, 0xff, 0x2f, 0xe1], 4n, undefined],
  ['thumb: bl', 'thumb', 0x8004n, [0x00, 0xf0, 0x01, 0xf8], 4n, 0x8006n],
  ['thumb: bl backwards', 'thumb', 0x40100030n, [0xff, 0xf7, 0xe8, 0xff], 4n, 0x40100000n],
  ['thumb: blx', 'thumb', 0x8006n, [0x00, 0xf0, 0x04, 0xe8], 4n, 0x800cn],
  ['thumb: blx r3', 'thumb', 0x8004n, [0x98, 0x47], 2n, undefined],
  ['riscv: jal ra', 'riscv64', 0x80000048n, [0xef, 0x00, 0x80, 0x02], 4n, 0x8000006cn],
  ['riscv: jalr ra', 'riscv64', 0x80000048n, [0xe7, 0x80, 0x05, 0x00], 4n, undefined],
  ['riscv: c.jalr a5', 'riscv64', 0x80000048n, [0x82, 0x97], 2n, undefined],
  [
    'riscv: call far',
    'riscv64',
    0x80000048n,
    [0x97, 0x10, 0x00, 0x00, 0xe7, 0x80, 0x00, 0xff],
    8n,
    0x80000040n + 0x1000n - 16n,
  ],
  ['riscv32: c.jal', 'riscv32', 0x800000ben, [0x85, 0x3f], 2n, 0x8000002cn],
])('%s', ([, encoding, returnAddress, call, length, target]) => {
  const site = callSite(encoding, returnAddress, before(...call));
  expect(site?.from).toBe(returnAddress - length);
  expect(site?.target).toBe(target);
});

test.for<[CallEncoding, readonly number[]]>([
  ['x86', [0x90, 0x90]],
  ['x86', [0xff, 0x25, 0, 0, 0, 0]],
  ['aarch64', [0x1f, 0x20, 0x03, 0xd5]],
  ['arm', [0x00, 0x00, 0xa0, 0xe1]],
  ['riscv64', [0x6f, 0x00, 0x80, 0x02]],
  ['riscv64', [0x67, 0x80, 0x00, 0x00]],
  ['riscv64', [0x85, 0x3f]],
])('%s %j is no call', ([encoding, bytes]) => {
  expect(callSite(encoding, 0x80000048n, before(...bytes))).toBeUndefined();
});
