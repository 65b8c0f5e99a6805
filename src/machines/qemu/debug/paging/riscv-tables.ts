import { lowerHex } from '../../../../formats/hex.ts';
import type { Target } from '../target.ts';
import { bitsOf, everything, isSet, type TableEntry, type TableScheme, type Translation } from './table-scheme.ts';

const [valid, read, write, execute, user, global, accessed, dirty] = [0, 1, 2, 3, 4, 5, 6, 7];
const machineMode = 3n;
/** By the number in SATP, of processors with 64 bits. */
const modes: Readonly<Record<number, number>> = { 8: 3, 9: 4, 10: 5 };

/** From SATP and the mode the processor is in. */
export async function riscvTranslation(target: Target): Promise<Translation> {
  const wide = target.names.pc?.bits === 64;
  const satp = await target.value('satp');
  const levels = wide ? modes[Number(satp >> 60n)] : isSet(satp, 31) ? 2 : undefined;
  const whole = { schemes: [], refuse: () => undefined };
  if (levels === undefined) return { ...whole, without: 'translation is off (the mode in satp is 0)' };
  if ((await target.value('priv')) === machineMode) {
    return { ...whole, without: 'the processor is in machine mode, which uses physical addresses' };
  }
  const bits = wide ? 9 : 10;
  const virtualBits = 12 + bits * levels;
  const root = bitsOf(satp, wide ? 43 : 21, 0) << 12n;
  const lower: TableScheme = {
    title: `Sv${virtualBits} tables at 0x${lowerHex(root, 1)} (satp)`,
    root,
    entryBytes: wide ? 8 : 4,
    base: 0n,
    isSigned: wide,
    levels: Array.from({ length: levels }, (_, n) => {
      const height = levels - 1 - n;
      return { name: `level ${height}`, shift: 12 + bits * height, bits };
    }),
    entry: (value, level) => entryOf(value, levels - 1 - level, wide, bits),
  };
  const half = BigInt(virtualBits - 1);
  return {
    schemes: [lower],
    without: '',
    refuse: (address) => {
      if (!wide || address < 1n << half || address >= (1n << 64n) - (1n << half)) return undefined;
      return `bits 63 to ${half} are not all the same, as Sv${virtualBits} wants them`;
    },
  };
}

function entryOf(value: bigint, height: number, wide: boolean, bits: number): TableEntry {
  const leaf = isSet(value, read) || isSet(value, execute);
  const present = isSet(value, valid);
  const address = bitsOf(value, wide ? 53 : 31, 10) << 12n;
  const flags = [
    [read, 'R'],
    [write, 'W'],
    [execute, 'X'],
    [user, 'U'],
    [global, 'G'],
    [accessed, 'A'],
    [dirty, 'D'],
  ] as const;
  const letters = flags.flatMap(([bit, letter]) => (isSet(value, bit) ? [letter] : [])).join('');
  const misaligned = leaf && bitsOf(address, 12 + bits * height - 1, 0) !== 0n;
  const broken = whyBroken({
    present,
    leaf,
    misaligned,
    last: height === 0,
    writeOnly: !isSet(value, read) && isSet(value, write),
  });
  return {
    present,
    leaf,
    address,
    access: leaf
      ? { user: isSet(value, user), write: isSet(value, write), execute: isSet(value, execute) }
      : everything,
    words: [present ? 'valid' : 'not valid', ...(letters === '' ? [] : [letters])],
    ...(broken !== undefined && { broken }),
  };
}

interface Doubts {
  readonly present: boolean;
  readonly leaf: boolean;
  readonly misaligned: boolean;
  readonly last: boolean;
  readonly writeOnly: boolean;
}

function whyBroken({ present, leaf, misaligned, last, writeOnly }: Doubts): string | undefined {
  if (!present) return undefined;
  if (writeOnly) return 'it is writable but not readable, which is reserved';
  if (misaligned) return 'it is a large page whose address is not aligned to its size';
  return last && !leaf ? 'it is on the last level and leads to another table' : undefined;
}
