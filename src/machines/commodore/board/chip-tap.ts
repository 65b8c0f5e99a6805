/** Sees the processor's accesses that reach a chip, not those that end in memory at the same addresses. */
export interface ChipTap {
  /** After the chip has answered. */
  read(address: number, value: number): void;
  /** Before the chip takes the value. */
  write(address: number, value: number): void;
}
