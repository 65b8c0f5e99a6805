/**
 * Where each word of the processor's state lies. General registers come first, in the order of their encoding, so that
 * 16- and 8-bit views of the same buffer name their parts. `zero` stays 0: it is the base or index an address lacks.
 */
export const fields = {
  eax: 0,
  ecx: 1,
  edx: 2,
  ebx: 3,
  esp: 4,
  ebp: 5,
  esi: 6,
  edi: 7,
  zero: 8,
  es: 9,
  cs: 10,
  ss: 11,
  ds: 12,
  fs: 13,
  gs: 14,
  /** Linear addresses at which the segments begin. */
  esBase: 15,
  csBase: 16,
  ssBase: 17,
  dsBase: 18,
  fsBase: 19,
  gsBase: 20,
  eip: 21,
  eflags: 22,
  /** The arithmetic flags while code runs: see flags.ts. Outside they repeat what `eflags` says. */
  result: 23,
  auxiliary: 24,
  carry: 25,
  overflow: 26,
  /** 0 runs, 1 halted, 2 waits in a callback (as HLT with interrupts on). */
  halted: 27,
  /** 1 while the next instruction runs before any interrupt (after STI, MOV SS, POP SS). */
  shadow: 28,
  /** Instructions executed, as two words. */
  countLow: 29,
  countHigh: 30,
  interruptLine: 31,
  nmiPending: 32,
  cr0: 33,
  cr2: 34,
  cr3: 35,
  dr0: 36,
  dr1: 37,
  dr2: 38,
  dr3: 39,
  /** Bits of DR6 for a trap that is due after the instruction before. */
  debugTrap: 40,
  dr6: 42,
  dr7: 43,
  tr6: 44,
  tr7: 45,
  gdtBase: 46,
  gdtLimit: 47,
  idtBase: 48,
  idtLimit: 49,
  /** Last offsets of the segments, and their rights: see rights.ts. */
  esLimit: 50,
  csLimit: 51,
  ssLimit: 52,
  dsLimit: 53,
  fsLimit: 54,
  gsLimit: 55,
  esRights: 56,
  csRights: 57,
  ssRights: 58,
  dsRights: 59,
  fsRights: 60,
  gsRights: 61,
  ldt: 62,
  ldtBase: 63,
  ldtLimit: 64,
  task: 65,
  taskBase: 66,
  taskLimit: 67,
  taskRights: 68,
  /** The current privilege level. */
  privilege: 69,
  /** Bits of ESP that count: 16, or all of them on a stack of 32 bits. */
  stackMask: 70,
  /** 1 while a repeated string instruction is under way: some of its rounds are done, and `eip` still points at it. */
  repeating: 71,
} as const;

/** Bits of CR0. */
export const control = {
  protection: 1,
  monitor: 2,
  emulation: 4,
  taskSwitched: 8,
  extension: 0x10,
  numericError: 0x20,
  writeProtect: 0x10000,
  alignment: 0x40000,
  paging: -0x80000000,
} as const;

/** Words of state a processor needs. */
export const stateWords = 72;

/** Instructions executed, out of a state. */
export function countIn(words: Int32Array): number {
  return (words[fields.countLow] >>> 0) + words[fields.countHigh] * 0x100000000;
}

export function setCount(words: Int32Array, count: number): void {
  words[fields.countLow] = count;
  words[fields.countHigh] = count / 0x100000000;
}

/** Segment registers in the order of their encoding. */
export const segmentNames = ['es', 'cs', 'ss', 'ds', 'fs', 'gs'] as const;

export const firstSegment = fields.es;
/** From the word of a segment register to the word of its base. */
export const toBase = fields.esBase - fields.es;
export const toLimit = fields.esLimit - fields.es;
export const toRights = fields.esRights - fields.es;

const wide = ['eax', 'ecx', 'edx', 'ebx', 'esp', 'ebp', 'esi', 'edi'] as const;
const low = ['al', 'cl', 'dl', 'bl', 'ah', 'ch', 'dh', 'bh'] as const;

/** Names of the general registers of a width, in the order of their encoding. */
export const generalNames: Readonly<Record<8 | 16 | 32, readonly string[]>> = {
  8: low,
  16: wide.map((name) => name.slice(1)),
  32: wide,
};

/** Where an 8-bit register lies in the byte view of the state. */
export function byteIndex(register: number): number {
  return register < 4 ? register * 4 : (register - 4) * 4 + 1;
}

/** The widths and places of registers that can be named, for debuggers. `ip` and `flags` are 16 bits of their words. */
export interface RegisterPlace {
  readonly word: number;
  readonly bits: 8 | 16 | 32;
  readonly shift: 0 | 8;
}

export const registerPlaces: ReadonlyMap<string, RegisterPlace> = new Map([
  ...wide.map((name, word): [string, RegisterPlace] => [name, { word, bits: 32, shift: 0 }]),
  ...wide.map((name, word): [string, RegisterPlace] => [name.slice(1), { word, bits: 16, shift: 0 }]),
  ...low.map((name, index): [string, RegisterPlace] => [name, { word: index & 3, bits: 8, shift: index < 4 ? 0 : 8 }]),
  ...segmentNames.map((name): [string, RegisterPlace] => [name, { word: fields[name], bits: 16, shift: 0 }]),
  ...(['eip', 'eflags', 'cr0', 'cr2', 'cr3', 'dr0', 'dr1', 'dr2', 'dr3', 'dr6', 'dr7'] as const).map(
    (name): [string, RegisterPlace] => [name, { word: fields[name], bits: 32, shift: 0 }],
  ),
  ['ip', { word: fields.eip, bits: 16, shift: 0 }],
  ['flags', { word: fields.eflags, bits: 16, shift: 0 }],
]);
