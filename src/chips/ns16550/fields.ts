/** Bytes that wait on the line for their turn. */
export const LINE_BYTES = 1024;

/** Every word of a UART. Counts of instructions take two words; -1 is never. */
export const fields = {
  interruptEnable: 0,
  lineControl: 1,
  modemControl: 2,
  modemStatus: 3,
  scratch: 4,
  divisor: 5,
  fifoControl: 6,
  /** Interrupt sources that a read takes away: the transmitter became empty; the FIFO was left alone. */
  emptied: 7,
  timedOut: 8,
  irq: 9,
  /** The byte in the transmitter's shift register, and when it is out. */
  shifting: 10,
  shiftedAt: 12,
  receivedAt: 14,
  timeoutAt: 16,
  breakSent: 18,
  transmitFifo: 20,
  receiveFifo: 40,
  line: 60,
} as const;

export const stateWords = 1086;

type FieldIndex = (typeof fields)[keyof typeof fields];

export type Ns16550State = Int32Array & { [index in FieldIndex]: number };
