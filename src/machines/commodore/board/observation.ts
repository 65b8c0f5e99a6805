import { type Asking, gateAt, leads } from '../../../chips/mos6510/asking-instructions.generated.ts';
import type { Watched } from '../../../chips/mos6510/observed-instructions.generated.ts';
import { fields, type Mos6510State } from '../../../chips/mos6510/registers.ts';
import { byteIndex, type Gates, openTable } from './gates.ts';

const lowBytes = 0x100;
const stackPage = 1;
/** A 6502 has no more addresses. */
const everywhere = new Uint8Array(0x10000).fill(1);
/** The processor's port, which is no memory. */
const portBytes = 2;

/** For a single instruction that nobody watches. */
export const singleInstruction: Watched = {
  code: everywhere,
  low: new Uint8Array(lowBytes).fill(1, 0, portBytes),
  isStackWatched: false,
  passes: undefined,
};

/** What to add to an address for its place in memory, where a write to it is one to plain memory that no chip looks at; else -1. */
export function baseOfPlain(address: number, unseenWrites: Int32Array): number {
  if (address >= lowBytes) return unseenWrites[address >> 8] as number;
  return address < portBytes ? -1 : 0;
}

const nowhere = new Uint8Array(0x10000);

/** The gate that is likely to be shut. */
function leadOf(table: Uint8Array, byte: number): Asking['lead'] {
  if (byte > 0) return leads.byte;
  const isNarrow = (from: number) => table.subarray(from, from + lowBytes).includes(0);
  return !isNarrow(0) && isNarrow(gateAt.cycle) ? leads.cycle : leads.a;
}

/** For runs that stop before instructions which are marked or asked for. */
export class AskingWatch implements Asking {
  readonly code: Uint8Array;
  readonly low: Uint8Array;
  readonly isStackWatched: boolean;
  readonly passes: ((pc: number) => boolean) | undefined;
  readonly asks: (() => boolean) | undefined;
  gate = openTable;
  firstCycle = 0;
  byteAt = 0;
  onlyPc = -1;
  lead: Asking['lead'] = leads.a;
  #led: Gates | undefined;

  constructor(observation: Observation | undefined, asks: (() => boolean) | undefined) {
    const { code, low, isStackWatched, passes } = observation ?? { ...singleInstruction, code: nowhere };
    this.code = code;
    this.low = low;
    this.isStackWatched = isStackWatched;
    this.passes = passes;
    this.asks = asks;
  }

  /** For a run that begins in this cycle of the line; false if nothing is known about what has to be asked in it. */
  pass(gates: Gates | undefined, reads: Int32Array, firstCycle: number): boolean {
    const byte = gates ? byteIndex(gates.byteAt, reads) : -1;
    const isKnown = gates !== undefined && byte >= 0;
    this.gate = isKnown ? gates.table : openTable;
    this.onlyPc = isKnown ? gates.pc : -1;
    this.byteAt = isKnown ? byte : 0;
    this.firstCycle = isKnown ? firstCycle : 0;
    if (isKnown && gates !== this.#led) {
      this.#led = gates;
      this.lead = leadOf(gates.table, byte);
    }
    return isKnown;
  }

  /** Whether something may have to be asked before an instruction, by the last `pass`. */
  isOpen(state: Mos6510State, memory: Uint8Array): boolean {
    const { gate, lead } = this;
    // The others seldom have to be looked at.
    if (lead === leads.byte && gate[(memory[this.byteAt] as number) + gateAt.byte] === 0) return false;
    if (lead === leads.cycle && gate[this.firstCycle + gateAt.cycle] === 0) return false;
    return (
      gate[state[fields.a]] !== 0 &&
      gate[state[fields.x] + gateAt.x] !== 0 &&
      gate[state[fields.y] + gateAt.y] !== 0 &&
      gate[state[fields.s] + gateAt.s] !== 0 &&
      gate[this.firstCycle + gateAt.cycle] !== 0 &&
      gate[(memory[this.byteAt] as number) + gateAt.byte] !== 0 &&
      (this.onlyPc < 0 || this.onlyPc === state[fields.pc])
    );
  }
}

/**
 * What somebody wants to see of what the processor does. Everything else goes at full speed: only marked code ends a run,
 * and only accesses to marked pages are made one by one.
 */
export class Observation implements Watched {
  /** By address: 1 where a run has to stop before an instruction. */
  readonly code: Uint8Array;
  readonly low = new Uint8Array(lowBytes);
  readonly readPages = new Uint8Array(0x100);
  readonly writePages = new Uint8Array(0x100);
  isStackWatched = false;
  /** Whether any code or memory is marked at all. */
  isMarked = false;
  /** Runs end after every interrupt. */
  seesInterrupts = false;
  /** Set by whoever sees an access: the run ends after the instruction. */
  isStopWanted = false;
  /** Whether nobody wants to see such a write to memory after all, whenever in a run it comes. */
  isUnwanted: ((address: number, value: number) => boolean) | undefined;
  /** Whether nobody wants a run to end before the marked instruction there, whenever in it that comes. */
  passes: ((pc: number) => boolean) | undefined;
  /** For a single instruction, with the same accesses seen. */
  readonly single: Watched;

  /** `addresses`: how many the processor has. */
  constructor(addresses: number) {
    const all = this;
    this.code = new Uint8Array(addresses);
    this.single = {
      code: everywhere,
      low: this.low,
      get isStackWatched() {
        return all.isStackWatched;
      },
      passes: undefined,
    };
    this.clear();
  }

  clear(): void {
    this.code.fill(0);
    this.low.fill(0);
    this.low.fill(1, 0, portBytes);
    this.readPages.fill(0);
    this.writePages.fill(0);
    this.isStackWatched = false;
    this.isMarked = false;
  }

  /** Runs end before instructions from the first to the last address. */
  markCode(first: number, last: number): void {
    this.code.fill(1, first, last + 1);
    this.isMarked = true;
  }

  /** Accesses of this kind, from the first to the last address. */
  watch(kind: 'read' | 'write', first: number, last: number): void {
    this.isMarked = true;
    const pages = kind === 'read' ? this.readPages : this.writePages;
    pages.fill(1, first >> 8, (last >> 8) + 1);
    if (first < lowBytes) this.low.fill(1, first, Math.min(last + 1, lowBytes));
    if (pages[stackPage] !== 0) this.isStackWatched = true;
  }
}
