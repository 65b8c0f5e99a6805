/** Every word of a coprocessor. Registers are numbered as they are built, whatever lies on top of the stack. */
export const fields = {
  control: 0,
  status: 1,
  /** A bit for each register with something in it. */
  full: 2,
  /** Of the last instruction that computes: its 11 bits, where it stands and where its operand lies. */
  opcode: 3,
  instructionOffset: 4,
  instructionSegment: 5,
  operandOffset: 6,
  operandSegment: 7,
  /** 1 when FSETPM has told an 80287 that addresses are selectors. */
  protectedMode: 8,
  /** Significands, then signs (bit 15) and exponents. */
  low: 9,
  high: 17,
  head: 25,
} as const;

export const stateWords = 33;

export const lengths = { low: 8, high: 8, head: 8 } as const;

export type X87State = Int32Array & { [index in (typeof fields)[keyof typeof fields]]: number };
