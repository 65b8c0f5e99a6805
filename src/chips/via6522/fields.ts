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
  /** 1: the counter takes its latch in the next cycle. */
  t1Load: 22,
  /** 1: the next time-out sets its flag. */
  t1Armed: 23,
  t1Pb7: 24,
  t2Counter: 25,
  t2LatchLow: 26,
  /** 1: the counter was written and begins to count a cycle later. */
  t2Load: 27,
  t2Armed: 28,
  /** What the port pins were when CA1 and CB1 had their edge, while latching is on. */
  paLatched: 29,
  pbLatched: 30,
  /** Outputs that go high again in the next cycle: 1 = CA2, 2 = CB2. */
  pulses: 31,
  /** 1: timer 2 counts cycles, 0: pulses. It follows the ACR a cycle later. */
  t2Counts: 32,
  /** 1: the low byte of timer 2 has just gone from $00 to $FF by counting. */
  t2Wrapped: 33,
  /** PB6 as last seen, and 1 if it has fallen since the last cycle. */
  pb6: 34,
  pb6Fell: 35,
  /** CB1 as the shift register drives it, high where it does not. */
  cb1Out: 36,
  /** Half bits that have gone through the shift register: 16 when a byte is complete. */
  halfBits: 37,
  /** 1: timer 2 clocks the shift register in the next cycle. */
  shiftDue: 38,
  /** Cycles until the system clock begins to shift. */
  shiftDelay: 39,
} as const;

export const stateWords = 40;

type FieldIndex = (typeof fields)[keyof typeof fields];

export type Via6522State = Int32Array & { [index in FieldIndex]: number };
