import { type Opcode, opcodes } from '../../../chips/mos6510/opcodes.ts';
import { fields } from '../../../chips/mos6510/registers.ts';
import type { MemoryUse } from '../../../machine/coverage.ts';
import type { CommodoreEngine } from '../machine/commodore-engine.ts';
import { accessesOf } from '../machine/instruction-accesses.ts';
import { PastReader } from './past-reader.ts';
import { placeOfId } from './recorded-graph.ts';

const code = 1;
const read = 2;
const written = 4;
const elsewhere = 0x10000;
/** What is looked at when somebody asks: a second. */
const framesBack = 50;

/** Which memory holds code and which data, found by running the last second again; what was found before stays known. */
export class MemoryUses {
  readonly #engine: CommodoreEngine;
  /** By address; those where something other than RAM answered lie above. */
  readonly #uses = new Uint8Array(2 * elsewhere);
  readonly #past: PastReader;

  constructor(engine: CommodoreEngine) {
    this.#engine = engine;
    this.#past = new PastReader(engine, { framesBack, look: () => this.#look() });
  }

  async map(signal: AbortSignal): Promise<readonly MemoryUse[]> {
    await this.#past.read(signal);
    const ranges: MemoryUse[] = [];
    for (let first = 0; first < this.#uses.length; ) {
      const use = this.#uses[first] as number;
      let last = first;
      while (last + 1 < this.#uses.length && this.#uses[last + 1] === use && (last + 1) % elsewhere !== 0) last += 1;
      if (use !== 0) ranges.push(rangeOf(first, last, use));
      first = last + 1;
    }
    return ranges;
  }

  #look(): void {
    const { board } = this.#engine;
    const { state } = board.cpu;
    const peek = (address: number) => board.peek('cpu', address);
    const pc = state[fields.pc];
    const { length } = opcodes[peek(pc)] as Opcode;
    for (let at = 0; at < length; at += 1) this.#mark('read', (pc + at) & 0xffff, code);
    for (const { kind, address } of accessesOf(state, peek))
      this.#mark(kind, address, kind === 'read' ? read : written);
  }

  #mark(kind: 'read' | 'write', address: number, use: number): void {
    const { reads, writes } = this.#engine.board.memory;
    const isRam = (kind === 'read' ? reads : writes)[address >> 8] === 0 || address < 0x100;
    const id = isRam ? address : address | elsewhere;
    this.#uses[id] = (this.#uses[id] as number) | use;
  }
}

function rangeOf(first: number, last: number, use: number): MemoryUse {
  return {
    first: placeOfId(first),
    last: placeOfId(last),
    isOverRam: first >= elsewhere,
    isCode: (use & code) !== 0,
    isRead: (use & read) !== 0,
    isWritten: (use & written) !== 0,
  };
}
