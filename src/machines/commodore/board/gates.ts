import { gateAt } from '../../../chips/mos6510/asking-instructions.generated.ts';

/** What has to be the case before a condition has to be asked. */
export interface Gates {
  /** See `Asking` of the processor. */
  readonly table: Uint8Array;
  /** The only address of an instruction that passes, or -1. */
  readonly pc: number;
  /** The address of the byte, or -1. */
  readonly byteAt: number;
  /** They tell whenever nothing has to be asked; else only once it has been asked, as long as a run goes on. */
  readonly isAlways: boolean;
}

/** The index of a byte in all memory, or -1 where no plain memory answers there. Zero page and stack are always RAM. */
export function byteIndex(address: number, reads: Int32Array): number {
  if (address < 0x200) return Math.max(address, 0);
  const base = reads[address >> 8] as number;
  return base < 0 ? -1 : base + address;
}

/** Nothing is kept out. */
export const openTable: Uint8Array = new Uint8Array(gateAt.cycle + 0x100).fill(1);
