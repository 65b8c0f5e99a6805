/** Every word of the clock. Time is kept in binary, whatever form the registers show it in. */
export const fields = {
  index: 0,
  irq: 1,
  second: 2,
  minute: 3,
  hour: 4,
  /** 1 is Sunday. */
  weekday: 5,
  day: 6,
  month: 7,
  /** With its century. */
  year: 8,
  registerA: 9,
  registerB: 10,
  registerC: 11,
  /** Ticks of 32,768 Hz that have been worked out (two words). */
  ticks: 12,
  /** Ticks into a second at which the divider was set going. */
  phase: 14,
  ram: 16,
} as const;

export const stateWords = 16 + 128;

/** Lengths of what takes more than a word, for a table of state. */
export const lengths: Readonly<Record<string, number>> = { ticks: 2, ram: 128 };

type FieldIndex = (typeof fields)[keyof typeof fields];

export type Mc146818State = Int32Array & { [index in FieldIndex]: number };
