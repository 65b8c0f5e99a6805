/** Every word of a CIA's state. Levels are 1 = high; `irq` is 1 while the chip pulls its /IRQ pin low. */
export const fields = {
  irq: 0,
  /** What the chip drives onto its ports: 1 also where a pin is an input. Timer outputs on PB6 and PB7 included. */
  paOut: 1,
  pbOut: 2,
  /** What the outside does to the port pins: 0 where something pulls a pin low. */
  paIn: 3,
  pbIn: 4,
  pra: 5,
  prb: 6,
  paDdr: 7,
  pbDdr: 8,
  cra: 9,
  crb: 10,
  counterA: 11,
  counterB: 12,
  latchA: 13,
  latchB: 14,
  /** Flip-flops behind PB6 and PB7 in toggle mode. */
  toggleA: 15,
  toggleB: 16,
  /** Everything that is a cycle or two under way (see pipeline.ts), and what control bits feed into it each cycle. */
  pipeline: 17,
  feed: 18,
  /** ICR: sources seen, sources enabled, sources set in this very cycle, sources to clear when the read is through. */
  flags: 19,
  mask: 20,
  newFlags: 21,
  acknowledged: 22,
  sdr: 23,
  /** The shift register proper, the half bits left in it, whether SDR holds a byte that waits, and delays. */
  shifter: 24,
  halfBits: 25,
  sdrWaiting: 26,
  serialPipeline: 27,
  serialForceFinish: 28,
  /** Pins: levels from outside (cntLine, spLine, flagLine) and driven by the chip. */
  cntLine: 29,
  spLine: 30,
  flagLine: 31,
  cntOut: 32,
  spOut: 33,
  /** /PC: 0 in the cycle after an access to port B. */
  pc: 34,
  todTenths: 35,
  todSeconds: 36,
  todMinutes: 37,
  todHours: 38,
  alarmTenths: 39,
  alarmSeconds: 40,
  alarmMinutes: 41,
  alarmHours: 42,
  latchTenths: 43,
  latchSeconds: 44,
  latchMinutes: 45,
  latchHours: 46,
  todLatched: 47,
  todStopped: 48,
  todDivider: 49,
  /** Mains: the board sets clock rate and frequency (0: no mains); the rest counts down to the next wave. */
  clockHz: 50,
  mainsHz: 51,
  mainsCountdown: 52,
  mainsRemainder: 53,
  /** Timers that underflowed in the last cycle: 1 = A, 2 = B. */
  underflow: 54,
} as const;

export const stateWords = 55;

type FieldIndex = (typeof fields)[keyof typeof fields];

/** The board's Int32Array, with every field known to be there. */
export type Mos6526State = Int32Array & { [index in FieldIndex]: number };
