import { isSet } from '../paging/table-scheme.ts';

/** By vector, as the manuals call them. */
const names: Readonly<Record<number, string>> = {
  0: 'division error',
  1: 'debug exception',
  2: 'non-maskable interrupt',
  3: 'breakpoint instruction',
  4: 'overflow',
  5: 'bound range exceeded',
  6: 'invalid opcode',
  7: 'no floating-point unit',
  8: 'double fault',
  10: 'invalid TSS',
  11: 'segment not present',
  12: 'stack-segment fault',
  13: 'general protection fault',
  14: 'page fault',
  16: 'floating-point error',
  17: 'alignment check',
  18: 'machine check',
  19: 'SIMD floating-point error',
  21: 'control protection exception',
};

export function vectorName(vector: number): string {
  return names[vector] ?? `interrupt 0x${vector.toString(16)}`;
}

export const pageFault = 14;
export const doubleFault = 8;

export interface FaultingAccess {
  readonly kind: 'read' | 'write' | 'instruction fetch';
  readonly user: boolean;
  /** The page was there, and its rights were the problem. */
  readonly protection: boolean;
  readonly reserved: boolean;
}

export function faultingAccess(error: bigint): FaultingAccess {
  return {
    kind: isSet(error, 4) ? 'instruction fetch' : isSet(error, 1) ? 'write' : 'read',
    user: isSet(error, 2),
    protection: isSet(error, 0),
    reserved: isSet(error, 3),
  };
}

const tables = ['GDT', 'IDT', 'LDT', 'IDT'] as const;

/** The error code of the exceptions that name a segment or a gate. */
export function selectorError(
  error: bigint,
): { readonly table: 'GDT' | 'IDT' | 'LDT'; readonly index: number } | undefined {
  if (error === 0n) return undefined;
  return { table: tables[Number((error >> 1n) & 3n)] ?? 'GDT', index: Number(error >> 3n) };
}

/** What an error code says in words. */
export function errorWords(vector: number, error: bigint, delivered?: bigint): string {
  if (vector === pageFault) {
    const { kind, user, protection, reserved } = faultingAccess(error);
    const why = reserved
      ? 'a reserved bit is set in a table'
      : protection
        ? 'the page forbids it'
        : 'the page is not present';
    return `${kind} from ${user ? 'user' : 'kernel'} mode, ${why}`;
  }
  const named = [10, 11, 12, 13].includes(vector) ? selectorError(error) : undefined;
  if (!named) return '';
  return named.table === 'IDT'
    ? `because of IDT entry ${delivered ?? named.index}`
    : `because of selector 0x${(named.index * 8).toString(16)} in the ${named.table}`;
}
