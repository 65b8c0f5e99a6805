/**
 * Where each word of the processor's state lies. Flags are kept apart as the micro-ops want them: `n` is a byte whose
 * bit 7 is the flag, `z` a byte that is zero when the flag is set, the others are 0 or 1.
 */
export const fields = {
  a: 0,
  x: 1,
  y: 2,
  s: 3,
  pc: 4,
  n: 5,
  z: 6,
  c: 7,
  v: 8,
  d: 9,
  i: 10,
  /** Inputs, written by the board before each tick: `rdy` 1 = may run; the lines 1 = asserted. */
  rdy: 11,
  irqLine: 12,
  nmiLine: 13,
  /** The next micro-op: opcode * 8 + cycle; cycle 0 of any opcode means that the next tick fetches an opcode. */
  step: 14,
  /** Address of the instruction in progress, or of the next one when `step` is at cycle 0. */
  instructionPc: 15,
  jammed: 16,
  /** Bits 0-2: unmasked IRQ as sampled in this and the two cycles before; bits 8-10: the same of the NMI latch. */
  pipe: 17,
  nmiLatch: 18,
  nmiSeen: 19,
  /** What a taken branch saw in its first cycle: such a branch does not look again. */
  held: 20,
  /** The micro-op that was last held up by RDY: ANE, LXA and the SH* stores behave differently then. */
  stalled: 21,
  address: 22,
  pointer: 23,
  data: 24,
  crossing: 25,
  vector: 26,
  /** The analogue constants of ANE and LXA: they differ from chip to chip. */
  aneMagic: 27,
  aneStalledMagic: 28,
  lxaMagic: 29,
  /** Interrupts taken so far, for whoever keeps a log: IRQ and BRK, NMI, reset. */
  irqCount: 30,
  nmiCount: 31,
} as const;

/** Words of state a processor needs. */
export const stateWords = 32;

/** The state with its fixed words known to the compiler. */
export type Mos6510State = Int32Array & Record<(typeof fields)[keyof typeof fields], number>;

/** Rows after the 256 opcodes of the micro-op table. */
export const interruptRow = 256;
export const resetRow = 257;

/** Between two instructions: whether an interrupt comes before the one at `pc`, as was decided when the last one ended. */
export function isInterruptNext(state: Mos6510State): boolean {
  return (state[fields.step] & 7) === 0 && (state[fields.pipe] & 0x202) !== 0;
}

/** The status register as PHP pushes it: bit 5 set, bit 4 (B) set. */
export function getStatus(state: Mos6510State): number {
  const { n, v, d, i, z, c } = fields;
  const low = (state[d] << 3) | (state[i] << 2) | (state[z] === 0 ? 2 : 0) | state[c];
  return (state[n] & 128) | (state[v] << 6) | 48 | low;
}

export function setStatus(state: Mos6510State, value: number): void {
  const { n, v, d, i, z, c } = fields;
  state[n] = value & 128;
  state[v] = (value >> 6) & 1;
  state[d] = (value >> 3) & 1;
  state[i] = (value >> 2) & 1;
  state[z] = value & 2 ? 0 : 1;
  state[c] = value & 1;
}
