/** Every word of one 8259A. `int` is 1 while the chip asks the processor (or the master) for attention. */
export const fields = {
  int: 0,
  /** Request, in-service and mask registers; a bit for each IR input. */
  irr: 1,
  isr: 2,
  imr: 3,
  /** Levels of the IR pins. */
  lines: 4,
  /** The input with the lowest priority; the one above it (mod 8) has the highest. */
  lowest: 5,
  vectorBase: 6,
  icw3: 7,
  icw4: 8,
  levelTriggered: 9,
  single: 10,
  /** The ICW expected next on A0 = 1, 0 when initialised. */
  expects: 11,
  readsIsr: 12,
  polls: 13,
  specialMask: 14,
  rotatesOnAutoEoi: 15,
} as const;

export const stateWords = 16;

type FieldIndex = (typeof fields)[keyof typeof fields];

export type I8259State = Int32Array & { [index in FieldIndex]: number };
