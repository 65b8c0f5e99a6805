/** Where each word of the controller's state lies. */
export const fields = {
  status: 0,
  command: 1,
  /** Where the transfer stands: address in the computer, the lower 16 bits of that in the expansion, its bank, bytes left. */
  host: 2,
  expansion: 3,
  bank: 4,
  length: 5,
  interruptMask: 6,
  control: 7,
  /** What was written to the same registers last: autoload puts it back. */
  hostLoaded: 8,
  expansionLoaded: 9,
  bankLoaded: 10,
  lengthLoaded: 11,
  /** 1 while it pulls DMA: the processor is off the bus. */
  dma: 12,
  /** 1 while it waits for a write to $FF00. */
  armed: 13,
  /** 1 while it pulls IRQ. */
  irq: 14,
  /** BA in this cycle (bit 0) and the ones before, 1 = low. */
  busHistory: 15,
  /** Bytes of this transfer that are through. */
  done: 16,
  /** 1 between the two halves of a swap, and in the cycle that a failed comparison costs. */
  halfway: 17,
  /** The transfer is over: the bus is given back with the next cycle. */
  ending: 18,
  /** The two bytes of a swap. */
  fromExpansion: 19,
  fromHost: 20,
  /** What was last on the way to or from the chips: it is read where there are none. */
  latch: 21,
} as const;

export const stateWords = 22;

export type Mos8726State = Int32Array & Record<(typeof fields)[keyof typeof fields], number>;
