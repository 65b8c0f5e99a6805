import { lowerHex } from '../../../../formats/hex.ts';
import type { Target } from '../target.ts';
import { bitsOf, field, isSet, type TableEntry, type TableScheme, type Translation } from './table-scheme.ts';

const outputBits = 47;
/** Page sizes as TCR says them, for TTBR0 and for TTBR1. */
const granules = [
  { 0: 12, 1: 16, 2: 14 },
  { 1: 14, 2: 12, 3: 16 },
] as const;

/** Of exception levels 0 and 1, from SCTLR, TCR and both TTBR. */
export async function arm64Translation(target: Target): Promise<Translation> {
  const whole = { schemes: [], refuse: () => undefined };
  const mode = bitsOf(await target.value('cpsr'), 3, 0);
  if (isSet(await target.value('cpsr'), 4)) return { ...whole, without: 'the processor runs 32-bit code' };
  if (mode >> 2n > 1n) {
    return { ...whole, without: `the processor is at EL${mode >> 2n}; only the tables of EL1 are known here` };
  }
  if (!isSet(await target.value('sctlr'), 0)) return { ...whole, without: 'the MMU is off (SCTLR_EL1.M is 0)' };
  const tcr = await target.value('tcr_el1');
  const lower = scheme(tcr, 0, await target.value('ttbr0_el1'));
  const upper = scheme(tcr, 1, await target.value('ttbr1_el1'));
  const schemes = [lower, upper].filter((each) => each !== undefined);
  return {
    schemes,
    without: '',
    refuse: (address) => {
      const which = isSet(address, 55) ? 1 : 0;
      const size = Number(bitsOf(tcr, which === 1 ? 21 : 5, which === 1 ? 16 : 0));
      if (which === 1 ? upper === undefined : lower === undefined) {
        return `TCR_EL1 switches the tables of TTBR${which}_EL1 off`;
      }
      // With TBI the highest byte may hold a tag.
      const highest = isSet(tcr, 37 + which) ? 55 : 63;
      const top = bitsOf(address, highest, 64 - size);
      const wanted = which === 1 ? (1n << BigInt(highest - 63 + size)) - 1n : 0n;
      return top === wanted ? undefined : `it lies outside the ${64 - size} bits of TTBR${which}_EL1`;
    },
  };
}

function scheme(tcr: bigint, which: 0 | 1, ttbr: bigint): TableScheme | undefined {
  const size = Number(which === 1 ? bitsOf(tcr, 21, 16) : bitsOf(tcr, 5, 0));
  if (isSet(tcr, which === 1 ? 23 : 7) || size < 16 || size > 48) return undefined;
  const code = Number(which === 1 ? bitsOf(tcr, 31, 30) : bitsOf(tcr, 15, 14));
  const page: number = Reflect.get(granules[which], code) ?? 12;
  const stride = page - 3;
  const virtualBits = 64 - size;
  const count = Math.ceil((virtualBits - page) / stride);
  const root =
    field(ttbr, outputBits, 1) & ~((1n << BigInt(Math.max(6, rootBits(virtualBits, page, stride, count)))) - 1n);
  return {
    title: `AArch64 tables of ${virtualBits} bits with ${1 << (page - 10)} KiB pages at 0x${lowerHex(root, 1)} (ttbr${which}_el1)`,
    root,
    entryBytes: 8,
    base: which === 1 ? (1n << 64n) - (1n << BigInt(virtualBits)) : 0n,
    isSigned: false,
    levels: Array.from({ length: count }, (_, n) => {
      const shift = page + stride * (count - 1 - n);
      return { name: `level ${4 - count + n}`, shift, bits: n === 0 ? virtualBits - shift : stride };
    }),
    entry: (value, level) => entryOf(value, 4 - count + level, page, page + stride * (count - 1 - level)),
  };
}

/** How far the first table is aligned: to its size. */
function rootBits(virtualBits: number, page: number, stride: number, count: number): number {
  return virtualBits - page - stride * (count - 1) + 3;
}

function entryOf(value: bigint, level: number, page: number, shift: number): TableEntry {
  const present = isSet(value, 0);
  const second = isSet(value, 1);
  const leaf = level === 3 || !second;
  const broken = whyBroken(level, page, second);
  if (!present) {
    return { present, leaf, address: 0n, access: { user: false, write: false, execute: false }, words: ['not valid'] };
  }
  const address = field(value, outputBits, leaf ? shift : page);
  if (!leaf) {
    const access = { user: !isSet(value, 61), write: !isSet(value, 62), execute: !isSet(value, 59) };
    const limits = [
      ...(access.user ? [] : ['no user access below']),
      ...(access.write ? [] : ['read-only below']),
      ...(access.execute ? [] : ['no-execute below']),
    ];
    return { present, leaf, address, access, words: ['table', ...limits] };
  }
  const access = { user: isSet(value, 6), write: !isSet(value, 7), execute: !isSet(value, 53) };
  const words = [
    level === 3 ? 'page' : 'block',
    access.write ? 'writable' : 'read-only',
    access.user ? 'user' : 'kernel',
    ...(isSet(value, 53) ? ['PXN'] : []),
    ...(isSet(value, 54) ? ['UXN'] : []),
    ...(isSet(value, 10) ? ['accessed'] : ['access flag 0']),
    `attribute ${bitsOf(value, 4, 2)}`,
  ];
  return { present, leaf, address, access, words, ...(broken !== undefined && { broken }) };
}

function whyBroken(level: number, page: number, second: boolean): string | undefined {
  if (level === 3) return second ? undefined : 'a page on level 3 must end in binary 11';
  const first = page === 12 ? 1 : 2;
  return !second && level < first ? `there are no blocks on level ${level}` : undefined;
}
