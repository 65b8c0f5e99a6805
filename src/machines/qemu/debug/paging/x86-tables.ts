import { lowerHex } from '../../../../formats/hex.ts';
import type { Target } from '../target.ts';
import { bitsOf, field, isSet, type TableEntry, type TableScheme, type Translation } from './table-scheme.ts';

const [present, writable, user, , , accessed, dirty, large, global] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const noExecute = 63;
const names = ['PT', 'PD', 'PDPT', 'PML4', 'PML5'];

interface Mode {
  readonly title: string;
  readonly entryBytes: 4 | 8;
  readonly levels: readonly (readonly [shift: number, bits: number])[];
  /** Bits of the root register that are the address of the first table. */
  readonly root: readonly [high: number, low: number];
}

const long: Omit<Mode, 'title' | 'levels'> = { entryBytes: 8, root: [51, 12] };
const fourLevels = [39, 30, 21, 12].map((shift) => [shift, 9] as const);
const modes: Readonly<Record<'plain' | 'pae' | 'four' | 'five', Mode>> = {
  plain: {
    title: '32-bit x86 tables',
    entryBytes: 4,
    root: [31, 12],
    levels: [
      [22, 10],
      [12, 10],
    ],
  },
  pae: {
    title: 'x86 PAE tables',
    entryBytes: 8,
    root: [31, 5],
    levels: [
      [30, 2],
      [21, 9],
      [12, 9],
    ],
  },
  four: { ...long, title: '4-level x86 tables', levels: fourLevels },
  five: { ...long, title: '5-level x86 tables', levels: [[48, 9], ...fourLevels] },
};

/** From CR0, CR3, CR4 and EFER as they are now. */
export async function x86Translation(target: Target): Promise<Translation> {
  const [cr0, cr3, cr4] = [await target.value('cr0'), await target.value('cr3'), await target.value('cr4')];
  const efer = await target.value('efer');
  if (!isSet(cr0, 31)) return { schemes: [], without: 'paging is off (CR0.PG is 0)', refuse: () => undefined };
  const isLong = isSet(efer, 10);
  const mode = isLong ? (isSet(cr4, 12) ? 'five' : 'four') : isSet(cr4, 5) ? 'pae' : 'plain';
  const { title, entryBytes, levels, root: place } = modes[mode];
  const root = field(cr3, ...place);
  const [top] = levels;
  const half = BigInt((top?.[0] ?? 0) + (top?.[1] ?? 0) - 1);
  const upper = (1n << 64n) - (1n << half);
  const rules = { pae: mode === 'pae', wide: entryBytes === 8, largePages: isLong || mode === 'pae' || isSet(cr4, 4) };
  const scheme: TableScheme = {
    title: `${title} at 0x${lowerHex(root, 1)} (cr3)`,
    root,
    entryBytes,
    base: 0n,
    isSigned: isLong,
    levels: levels.map(([shift, bits], n) => ({ name: names[levels.length - 1 - n] ?? '', shift, bits })),
    entry: (value, level) => entryOf(value, levels.length - 1 - level, levels[level]?.[0] ?? 0, rules),
  };
  return {
    schemes: [scheme],
    without: '',
    refuse: (address) => {
      if (!isLong) return address >= 1n << 32n ? 'addresses have 32 bits in this mode' : undefined;
      const canonical = address < 1n << half || address >= upper;
      return canonical ? undefined : `it is not canonical: bits 63 to ${half} are not all the same`;
    },
  };
}

interface Rules {
  readonly pae: boolean;
  readonly wide: boolean;
  readonly largePages: boolean;
}

/** `height` 0 is the last level. */
function entryOf(value: bigint, height: number, shift: number, { pae, wide, largePages }: Rules): TableEntry {
  // The four entries of the first PAE table have no rights of their own.
  const isRegister = pae && height === 2;
  const isLarge = height > 0 && height <= 2 && !isRegister && largePages && isSet(value, large);
  const leaf = height === 0 || isLarge;
  const access = {
    user: isRegister || isSet(value, user),
    write: isRegister || isSet(value, writable),
    execute: !wide || isRegister || !isSet(value, noExecute),
  };
  const words = isSet(value, present)
    ? [
        'present',
        ...(isRegister ? [] : [access.write ? 'writable' : 'read-only', access.user ? 'user' : 'kernel']),
        ...(access.execute ? [] : ['no-execute']),
        ...(isSet(value, accessed) && !isRegister ? ['accessed'] : []),
        ...(leaf && isSet(value, dirty) ? ['dirty'] : []),
        ...(leaf && isSet(value, global) ? ['global'] : []),
      ]
    : ['not present'];
  return { present: isSet(value, present), leaf, address: addressOf(value, leaf, shift, wide), access, words };
}

function addressOf(value: bigint, leaf: boolean, shift: number, wide: boolean): bigint {
  if (wide) return field(value, 51, leaf ? shift : 12);
  // A page of 4 MiB keeps bits 32 to 39 of its address in bits 13 to 20.
  return leaf && shift === 22 ? field(value, 31, 22) | (bitsOf(value, 20, 13) << 32n) : field(value, 31, 12);
}
