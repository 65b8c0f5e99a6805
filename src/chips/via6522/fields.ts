/** Every word of a VIA's state. Levels are 1 = high; `irq` is 1 while the chip pulls its /IRQ pin low. */
export const fields = {
  irq: 0,
  /** What the chip drives onto its ports: 1 also where a pin is an input. Timer 1 on PB7 included. */
  paOut: 1,
  pbOut: 2,
  /** What the outside does to the port pins: 0 where something pulls a pin low. */
  paIn: 3,
  pbIn: 4,
  /** Outputs CA2 and CB2, high while they are inputs. */
  ca2Out: 5,
  cb2Out: 6,
  /** Input pins as last seen. */
  ca1: 7,
  ca2: 8,
  cb1: 9,
  cb2: 10,
  ora: 11,
  orb: 12,
  ddra: 13,
  ddrb: 14,
  acr: 15,
  pcr: 16,
  ifr: 17,
  ier: 18,
  sr: 19,
  t1Counter: 20,
  t1Latch: 21,
  /** 1: the next time-out sets its flag. */
  t1Armed: 22,
  t1Pb7: 23,
  t2Counter: 24,
  t2LatchLow: 25,
  t2Armed: 26,
  /** 1: timer 2 counts cycles, 0: pulses. It follows the ACR a cycle later. */
  t2Counts: 27,
  /** What the port pins were when CA1 and CB1 had their edge, while latching is on. */
  paLatched: 28,
  pbLatched: 29,
  /** PB6 as last seen. */
  pb6: 30,
  /** CB1 as the shift register drives it, high where it does not. */
  cb1Out: 31,
  /** Half bits that have gone through the shift register: 16 when a byte is complete. */
  halfBits: 32,
  /** Cycles until the system clock begins to shift. */
  shiftDelay: 33,
  /** What the next cycle has to do besides counting: see `pending`. */
  pending: 34,
} as const;

export const stateWords = 36;

/** Bits of the word `pending`. */
export const pending = {
  /** CA2 or CB2 goes high again. */
  endCa2: 1,
  endCb2: 2,
  /** Timer 1 takes its latch. */
  load1: 4,
  /** Timer 2 was written and begins to count a cycle later. */
  load2: 8,
  /** Timer 2 changes between counting cycles and pulses. */
  mode2: 16,
  /** PB6 has fallen, which timer 2 counts. */
  pulse2: 32,
  /** The low byte of timer 2 has gone from $00 to $FF while it clocks the shift register. */
  wrap2: 64,
  /** Timer 2 clocks the shift register. */
  shift: 128,
  /** The system clock shifts, or is about to. */
  clock: 256,
} as const;

type FieldIndex = (typeof fields)[keyof typeof fields];

export type Via6522State = Int32Array & { [index in FieldIndex]: number };
