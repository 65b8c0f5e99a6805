import { bytesToValue } from './register-bytes.ts';

export type CallEncoding = 'x86-16' | 'x86' | 'aarch64' | 'arm' | 'thumb' | 'riscv32' | 'riscv64';

export interface CallSite {
  readonly from: bigint;
  /** For direct calls. */
  readonly target?: bigint;
}

/** How many bytes before a return address are looked at. */
export const callSiteBytes = 8;

/** The call that returns to this address, if the eight bytes before it hold one. */
export function callSite(encoding: CallEncoding, returnAddress: bigint, before: Uint8Array): CallSite | undefined {
  return finders[encoding](returnAddress, before);
}

type Finder = (returnAddress: bigint, before: Uint8Array) => CallSite | undefined;

const finders: Readonly<Record<CallEncoding, Finder>> = {
  'x86-16': (to, before) => {
    if (before[5] === 0xe8) return { from: to - 3n, target: BigInt.asUintN(16, to + little(before, 6, 2)) };
    return x86Indirect(to, before);
  },
  x86: (to, before) => {
    if (before[3] !== 0xe8) return x86Indirect(to, before);
    return { from: to - 5n, target: BigInt.asUintN(64, to + signed(little(before, 4, 4), 32)) };
  },
  aarch64: (to, before) => {
    const word = little(before, 4, 4);
    const from = to - 4n;
    if ((word & 0xfc000000n) === 0x94000000n) {
      return { from, target: BigInt.asUintN(64, from + signed(word & 0x3ffffffn, 26) * 4n) };
    }
    const indirect = (word & 0xfffffc1fn) === 0xd63f0000n || (word & 0xfefff800n) === 0xd63f0800n;
    return indirect ? { from } : undefined;
  },
  arm: (to, before) => {
    const word = little(before, 4, 4);
    const from = to - 4n;
    if ((word & 0x0f000000n) === 0x0b000000n) {
      return { from, target: BigInt.asUintN(32, from + 8n + signed(word & 0xffffffn, 24) * 4n) };
    }
    const other = (word & 0xfe000000n) === 0xfa000000n || (word & 0x0ffffff0n) === 0x012fff30n;
    return other ? { from } : undefined;
  },
  thumb: (to, before) => {
    const [first, second] = [little(before, 4, 2), little(before, 6, 2)];
    const long = (first & 0xf800n) === 0xf000n && (second & 0xc000n) === 0xc000n;
    if (long) return { from: to - 4n, target: thumbTarget(to, first, second) };
    return (second & 0xff87n) === 0x4780n ? { from: to - 2n } : undefined;
  },
  riscv32: (to, before) => {
    const half = little(before, 6, 2);
    if ((half & 0xe003n) !== 0x2001n) return riscv(to, before);
    return { from: to - 2n, target: BigInt.asUintN(32, to - 2n + compressedOffset(half)) };
  },
  riscv64: (to, before) => riscv(to, before),
};

function riscv(to: bigint, before: Uint8Array): CallSite | undefined {
  const word = little(before, 4, 4);
  const links = ((word >> 7n) & 0x1fn) === 1n || ((word >> 7n) & 0x1fn) === 5n;
  if ((word & 0x7fn) === 0x6fn && links) {
    return { from: to - 4n, target: BigInt.asUintN(64, to - 4n + jalOffset(word)) };
  }
  if ((word & 0x707fn) === 0x67n && links) return farCall(to, little(before, 0, 4), word);
  const half = word >> 16n;
  return (half & 0xf07fn) === 0x9002n && (half & 0x0f80n) !== 0n ? { from: to - 2n } : undefined;
}

/** `auipc` and `jalr`, as `call` is assembled when the way may be far; alone, `jalr` goes where a register says. */
function farCall(to: bigint, auipc: bigint, jalr: bigint): CallSite {
  const sameRegister = ((auipc >> 7n) & 0x1fn) === ((jalr >> 15n) & 0x1fn);
  if ((auipc & 0x7fn) !== 0x17n || !sameRegister) return { from: to - 4n };
  const offset = signed(auipc & 0xfffff000n, 32) + signed(jalr >> 20n, 12);
  return { from: to - 8n, target: BigInt.asUintN(64, to - 8n + offset) };
}

/** `FF /2` in each of its lengths. */
function x86Indirect(to: bigint, before: Uint8Array): CallSite | undefined {
  for (const length of [2, 3, 4, 6, 7]) {
    const at = before.length - length;
    const mode = before[at + 1] ?? 0;
    if (before[at] === 0xff && (mode & 0x38) === 0x10 && x86Length(mode, before[at + 2] ?? 0) === length)
      return { from: to - BigInt(length) };
  }
  return undefined;
}

function x86Length(mode: number, scale: number): number {
  const [how, base] = [mode >> 6, mode & 7];
  if (how === 3) return 2;
  const scaled = base === 4 ? 1 : 0;
  if (how === 0) return 2 + scaled + ((scaled ? scale & 7 : base) === 5 ? 4 : 0);
  return 2 + scaled + (how === 1 ? 1 : 4);
}

function jalOffset(word: bigint): bigint {
  const offset =
    (((word >> 31n) & 1n) << 20n) |
    (((word >> 12n) & 0xffn) << 12n) |
    (((word >> 20n) & 1n) << 11n) |
    (((word >> 21n) & 0x3ffn) << 1n);
  return signed(offset, 21);
}

/** Of `c.jal`: the bits of the distance, from the lowest on, lie all over the instruction. */
function compressedOffset(half: bigint): bigint {
  const bits = [3n, 4n, 5n, 11n, 2n, 7n, 6n, 9n, 10n, 8n, 12n];
  return signed(bits.reduce((sum, from, n) => sum | (((half >> from) & 1n) << BigInt(n)), 0n) << 1n, 12);
}

/** Of `bl`, and of `blx`, which goes to ARM code at a multiple of four. */
function thumbTarget(to: bigint, first: bigint, second: bigint): bigint {
  const sign = (first >> 10n) & 1n;
  const bit = (at: bigint) => 1n ^ ((second >> at) & 1n) ^ sign;
  const high = (sign << 24n) | (bit(13n) << 23n) | (bit(11n) << 22n) | ((first & 0x3ffn) << 12n);
  const toArm = (second & 0x1000n) === 0n;
  const offset = signed(high | ((second & 0x7ffn) << 1n), 25);
  return BigInt.asUintN(32, toArm ? (to & ~3n) + (offset & ~3n) : to + offset);
}

function little(bytes: Uint8Array, at: number, length: number): bigint {
  return bytesToValue(bytes.subarray(at, at + length), false);
}

function signed(value: bigint, bits: number): bigint {
  return BigInt.asIntN(bits, value);
}
