/** One of the three counters. Ticks take two words each. */
export const counterFields = {
  out: 0,
  gate: 1,
  mode: 2,
  bcd: 3,
  /** 1 low byte, 2 high byte, 3 low then high. */
  access: 4,
  /** The count register, in binary, 1 to 65536 (10000 in BCD); 0: nothing written since the control word. */
  reload: 5,
  /** The low byte that waits for its high one, and whether it does. */
  lowByte: 6,
  lowWritten: 7,
  /** The next byte read is the high one. */
  highNext: 8,
  latched: 9,
  latch: 10,
  statusLatched: 11,
  status: 12,
  /** Loaded and counting: `count` is the counting element's value at tick `base`. */
  counting: 13,
  count: 14,
  /** The terminal count was met (one-shot modes) */
  fired: 15,
  /** A new count waits for the end of this period (modes 2, 3). */
  pending: 16,
  base: 18,
} as const;

export const COUNTER_WORDS = 20;

/** Counters 0 to 2, one after the other. */
export const stateWords = COUNTER_WORDS * 3;

/** The words' names for a table of state. */
export const fields: Readonly<Record<string, number>> = Object.fromEntries(
  [0, 1, 2].flatMap((counter) =>
    Object.entries(counterFields).map(([name, index]) => [
      `counter${counter}.${name}`,
      counter * COUNTER_WORDS + index,
    ]),
  ),
);

type FieldIndex = (typeof counterFields)[keyof typeof counterFields];

export type CounterState = Int32Array & { [index in FieldIndex]: number };
