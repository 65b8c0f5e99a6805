/*
 * Loops in which the processor only waits: an iteration leaves registers, flags and memory as they were. Such a loop is followed once,
 * instruction by instruction, and can then be repeated by counting.
 */
import type { SeenBus, Watched } from './observed-instructions.generated.ts';
import { runObservedInstructions } from './observed-instructions.generated.ts';
import { opcodes } from './opcodes.ts';
import { fields, type Mos6510State, stateWords } from './registers.ts';

const PC = fields.pc;
const S = fields.s;
const INSTRUCTION_PC = fields.instructionPc;
const STEP = fields.step;

/** Registers and flags, which are the first words of the state; then the last instruction's address, and cycles so far. */
const REGISTERS = fields.i + 1;
const BEFORE = REGISTERS;
const CYCLES = REGISTERS + 1;
const ROW = REGISTERS + 2;

const MOST_INSTRUCTIONS = 24;
const LONGEST_INSTRUCTION = 7;
const HOME_MASK = 0xff;

/** How many stretches to let pass before the next try, after one that failed. */
const FIRST_PAUSE = 4;
const LONGEST_PAUSE = 128;

/** What an opcode may do to memory; nothing else is followed. */
const effect = { refused: 0, none: 1, storeLow: 2, store: 3, call: 4 } as const;

const refused = new Set(['PHA', 'PHP', 'PLA', 'PLP', 'BRK', 'RTI', 'CLI', 'SEI', 'TXS', 'JAM']);

const effects = Uint8Array.from(opcodes, ({ mnemonic, mode, pattern, documented }) => {
  if (!documented || pattern === 'modify' || refused.has(mnemonic)) return effect.refused;
  if (mnemonic === 'JSR') return effect.call;
  if (pattern !== 'write') return effect.none;
  if (mode === 'zeropage') return effect.storeLow;
  return mode === 'absolute' ? effect.store : effect.refused;
});

/** The register that a store writes, by its opcode. */
const stored = Uint8Array.from(opcodes, ({ mnemonic }) =>
  mnemonic === 'STX' ? fields.x : mnemonic === 'STY' ? fields.y : fields.a,
);

/** One instruction at a time; the processor's port is no memory. */
const single: Watched = {
  code: new Uint8Array(0x10000).fill(1),
  low: new Uint8Array(0x100).fill(1, 0, 2),
  isStackWatched: false,
  passes: undefined,
};

/** Memory as the processor sees it, in the tables of `runInstructions`. */
export interface WaitingMemory {
  readonly bytes: Uint8Array;
  readonly reads: Int32Array;
  readonly unseenWrites: Int32Array;
}

export class WaitingLoop {
  readonly #trial = new Int32Array(stateWords) as Mos6510State;
  readonly #rows = new Int32Array((MOST_INSTRUCTIONS + 1) * ROW);
  /** What is not memory is not followed. */
  readonly #bus: SeenBus = {
    readAt: () => this.#refuse(),
    writeAt: () => this.#refuse(),
    readBackAt: () => this.#refuse(),
    writeAfter: () => this.#refuse(),
    baseOfUnwanted: () => -1,
    passTo: () => {},
  };
  /** Addresses of instructions in loops that have waited before, by their lower half. */
  readonly #homes = new Int32Array(HOME_MASK + 1).fill(-1);
  #count = 0;
  #period = 0;
  /** The loop has to be followed again before it is repeated. */
  #isStale = true;
  #isRefused = false;
  #interrupts = 0;
  #pause = FIRST_PAUSE;
  #patience = FIRST_PAUSE;

  /** Whether the processor was in such a loop when it was last asked, and is in it unless an interrupt has come. */
  get isWaiting(): boolean {
    return !this.#isStale;
  }

  /** Memory may have changed, or anything else. */
  forget(): void {
    this.#isStale = true;
  }

  /**
   * Repeats the loop that the processor is in, if it waits, up to the last whole instruction within `budget` cycles, and says how many
   * that took. For the caller to see to: as with `runInstructions`; and that nothing but the processor changes memory until `forget`.
   */
  repeat(state: Mos6510State, memory: WaitingMemory, budget: number): number {
    const pc = state[PC];
    if (this.#homes[pc & HOME_MASK] !== pc) {
      if (--this.#patience > 0) return 0;
      return this.#begin(state, memory) ? this.#advance(state, 0, budget) : 0;
    }
    let row = this.#isStale || this.#interrupts !== interruptsTaken(state) ? -1 : this.#rowAt(pc);
    if (row < 0) {
      if (!this.#begin(state, memory)) return 0;
      row = 0;
    }
    return this.#advance(state, row, budget);
  }

  #begin(state: Mos6510State, memory: WaitingMemory): boolean {
    if (this.#follow(state, memory)) {
      this.#interrupts = interruptsTaken(state);
      for (let row = 0, at: number = PC; row < this.#count; row++, at += ROW) {
        this.#homes[this.#rows[at] & HOME_MASK] = this.#rows[at];
      }
      return true;
    }
    this.#patience = this.#pause;
    if (this.#pause < LONGEST_PAUSE) this.#pause *= 2;
    return false;
  }

  #advance(state: Mos6510State, from: number, budget: number): number {
    const rows = this.#rows;
    let left = budget % this.#period;
    let row = from;
    for (;;) {
      const cycles = rows[(row + 1) * ROW + CYCLES] - rows[row * ROW + CYCLES];
      if (cycles > left) break;
      left -= cycles;
      row = row + 1 === this.#count ? 0 : row + 1;
    }
    if (left === budget) return 0;
    const at = row * ROW;
    for (let word = 0; word < REGISTERS; word++) state[word as typeof PC] = rows[at + word];
    state[INSTRUCTION_PC] = rows[at + BEFORE];
    state[STEP] = 0;
    return budget - left;
  }

  #rowAt(pc: number): number {
    const rows = this.#rows;
    for (let row = 0, at: number = PC; row < this.#count; row++, at += ROW) if (rows[at] === pc) return row;
    return -1;
  }

  /** Through one iteration, in which nothing changes but the registers of the trial. */
  #follow(state: Mos6510State, memory: WaitingMemory): boolean {
    const trial = this.#trial;
    trial.set(state);
    this.#isRefused = false;
    this.#count = 0;
    this.#isStale = true;
    const start = state[PC];
    let cycles = 0;
    for (let row = 0; row < MOST_INSTRUCTIONS; row++) {
      if (row > 0 && this.#isPassed(trial[PC], row)) return false;
      this.#keep(row, cycles);
      if (!this.#leavesMemory(memory)) return false;
      const ran = runObservedInstructions(
        trial,
        memory.bytes,
        memory.reads,
        memory.unseenWrites,
        LONGEST_INSTRUCTION,
        this.#bus,
        single,
      );
      if (ran === 0 || this.#isRefused) return false;
      cycles += ran;
      if (trial[PC] !== start) continue;
      if (!this.#isAsBefore(state)) return false;
      this.#keep(row + 1, cycles);
      this.#rows[BEFORE] = trial[INSTRUCTION_PC];
      this.#count = row + 1;
      this.#period = cycles;
      this.#isStale = false;
      return true;
    }
    return false;
  }

  #keep(row: number, cycles: number): void {
    const rows = this.#rows;
    const at = row * ROW;
    for (let word = 0; word < REGISTERS; word++) rows[at + word] = this.#trial[word as typeof PC];
    rows[at + BEFORE] = this.#trial[INSTRUCTION_PC];
    rows[at + CYCLES] = cycles;
  }

  /** An address that comes twice in an iteration would not say where in it the processor is. */
  #isPassed(pc: number, rows: number): boolean {
    for (let at: number = PC; at < rows * ROW; at += ROW) if (this.#rows[at] === pc) return true;
    return false;
  }

  #isAsBefore(state: Mos6510State): boolean {
    for (let word = 0; word < REGISTERS; word++) {
      if (state[word as typeof PC] !== this.#trial[word as typeof PC]) return false;
    }
    return true;
  }

  /** Whether the next instruction writes nothing, or what is there already. */
  #leavesMemory({ bytes, reads, unseenWrites }: WaitingMemory): boolean {
    const trial = this.#trial;
    const pc = trial[PC];
    const base = reads[pc >> 8];
    // Operands that may lie elsewhere.
    if (base < 0 || (pc & 0xff) > 0xfc) return false;
    const at = base + pc;
    const opcode = bytes[at];
    switch (effects[opcode]) {
      case effect.none:
        return true;
      case effect.storeLow: {
        const address = bytes[at + 1];
        return address > 1 && bytes[address] === trial[stored[opcode] as typeof PC];
      }
      case effect.store: {
        const address = bytes[at + 1] | (bytes[at + 2] << 8);
        const to = unseenWrites[address >> 8];
        return to >= 0 && bytes[to + address] === trial[stored[opcode] as typeof PC];
      }
      case effect.call: {
        const s = trial[S];
        const back = pc + 2;
        return bytes[0x100 | s] === back >> 8 && bytes[0x100 | ((s - 1) & 0xff)] === (back & 0xff);
      }
      default:
        return false;
    }
  }

  #refuse(): number {
    this.#isRefused = true;
    return 0;
  }
}

function interruptsTaken(state: Mos6510State): number {
  return state[fields.irqCount] + state[fields.nmiCount];
}
