export const aciaFields = {
  command: 0,
  control: 1,
  status: 2,
  /** The byte received last; the one to be sent next, and whether there is one. */
  received: 3,
  toSend: 4,
  hasToSend: 5,
  /** The byte being sent, and how many cycles that still takes (0: none is). */
  sending: 6,
  sendLeft: 7,
  /** The IRQ output: 1 = pulled. */
  irq: 8,
} as const;

export const aciaWords = 10;

export type AciaState = Int32Array & Record<(typeof aciaFields)[keyof typeof aciaFields], number>;
