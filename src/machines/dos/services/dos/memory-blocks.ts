import { DosError } from '../../drives/dos-error.ts';
import type { GuestMemory } from '../guest.ts';
import { linear } from './far-pointer.ts';
import { at, dosSegment } from './layout.ts';

const inChain = 0x4d;
const lastInChain = 0x5a;

export interface MemoryBlock {
  /** Of its control block; the memory itself starts one paragraph later. */
  readonly control: number;
  readonly owner: number;
  readonly paragraphs: number;
  readonly last: boolean;
  readonly name: string;
}

/** Bits of the allocation strategy: only upper memory, upper memory before conventional. */
const highOnly = 0x40;
const highFirst = 0x80;
const noUpper = 0xffff;
const systemOwner = 8;

/** Conventional memory, and upper memory after it, as a chain of control blocks that lies in that memory itself. */
export class MemoryBlocks {
  readonly #memory: GuestMemory;
  readonly #first: number;

  constructor(memory: GuestMemory, first: number) {
    this.#memory = memory;
    this.#first = first;
  }

  /** From the first to the last; throws where the chain is broken. */
  *walk(from = this.#first): Generator<MemoryBlock> {
    let control = from;
    for (;;) {
      const block = this.read(control);
      yield block;
      if (block.last) return;
      control += block.paragraphs + 1;
    }
  }

  /** All there are, those of upper memory too when they are not linked. */
  *walkAll(): Generator<MemoryBlock> {
    yield* this.walk();
    const upper = this.upperHead;
    if (upper !== undefined && !this.linked) yield* this.walk(upper);
  }

  /** The control block that covers what lies between conventional and upper memory; undefined without upper memory. */
  get upperHead(): number | undefined {
    const head = this.#memory.read16(linear(dosSegment, at.upperHead));
    return head === noUpper ? undefined : head;
  }

  get linked(): boolean {
    return (this.#memory.read8(linear(dosSegment, at.upperLink)) & 1) !== 0;
  }

  set linked(on: boolean) {
    const upper = this.upperHead;
    if (upper === undefined) throw new DosError('invalidFunction');
    for (const block of this.walk()) {
      if (block.control + block.paragraphs + 1 !== upper) continue;
      this.write(block.control, block.owner, block.paragraphs, !on);
      break;
    }
    this.#memory.write8(linear(dosSegment, at.upperLink), on ? 1 : 0);
  }

  /** Upper memory from its first segment to `end`, free; the last paragraph below `top` bridges the gap. */
  installUpper(top: number, first: number, end: number): void {
    this.write(top - 1, systemOwner, first - top, false);
    this.setOwner(top, systemOwner, 'SC');
    this.write(first, 0, end - first - 1, true);
    this.#memory.write16(linear(dosSegment, at.upperHead), top - 1);
  }

  withoutUpper(): void {
    this.#memory.write16(linear(dosSegment, at.upperHead), noUpper);
  }

  read(control: number): MemoryBlock {
    const address = linear(control, 0);
    const type = this.#memory.read8(address);
    const paragraphs = this.#memory.read16(address + 3);
    if ((type !== inChain && type !== lastInChain) || control + paragraphs >= 0x10000) {
      throw new DosError('blocksDestroyed');
    }
    const name = new TextDecoder('latin1').decode(this.#memory.bytes(address + 8, 8)).replace(/\0.*$/s, '');
    return { control, owner: this.#memory.read16(address + 1), paragraphs, last: type === lastInChain, name };
  }

  write(control: number, owner: number, paragraphs: number, last: boolean): void {
    const address = linear(control, 0);
    this.#memory.write8(address, last ? lastInChain : inChain);
    this.#memory.write16(address + 1, owner);
    this.#memory.write16(address + 3, paragraphs);
  }

  setOwner(segment: number, owner: number, name?: string): void {
    const address = linear(segment - 1, 0);
    this.#memory.write16(address + 1, owner);
    if (name === undefined) return;
    for (let i = 0; i < 8; i++) this.#memory.write8(address + 8 + i, i < name.length ? name.charCodeAt(i) : 0);
  }

  /** The largest number of paragraphs that could be had, at least so many where there is a choice of places. */
  largest(strategy = 0, least = 0): number {
    let largest = 0;
    for (const start of this.#starts(strategy)) {
      if (largest > 0 && largest >= least) break;
      for (const block of this.#mergedFree(start)) largest = Math.max(largest, block.paragraphs);
    }
    return largest;
  }

  /** Segment of a new block. Strategy 0 takes the first that fits, 1 the smallest, 2 the last; more bits say where. */
  allocate(paragraphs: number, owner: number, strategy = 0): number {
    let best: MemoryBlock | undefined;
    for (const start of this.#starts(strategy)) best ??= this.#fitting(start, paragraphs, strategy & 3);
    if (best === undefined) throw new DosError('insufficientMemory');
    if (best.paragraphs === paragraphs) {
      this.write(best.control, owner, paragraphs, best.last);
      return best.control + 1;
    }
    const rest = best.paragraphs - paragraphs - 1;
    if ((strategy & 3) === 2) {
      const control = best.control + rest + 1;
      this.write(best.control, 0, rest, false);
      this.write(control, owner, paragraphs, best.last);
      return control + 1;
    }
    this.write(best.control + paragraphs + 1, 0, rest, best.last);
    this.write(best.control, owner, paragraphs, false);
    return best.control + 1;
  }

  free(segment: number): void {
    const block = this.#find(segment);
    this.write(block.control, 0, block.paragraphs, block.last);
  }

  freeAllOf(owner: number): void {
    for (const block of [...this.walkAll()]) {
      if (block.owner === owner) this.write(block.control, 0, block.paragraphs, block.last);
    }
    this.#joinFree();
  }

  /** How large the block is afterwards. When there is too little room it gets all there is, as in DOS. */
  resize(segment: number, paragraphs: number): number {
    let block = this.#find(segment);
    while (block.paragraphs < paragraphs && !block.last) {
      const next = this.read(block.control + block.paragraphs + 1);
      if (next.owner !== 0) break;
      this.write(block.control, block.owner, block.paragraphs + next.paragraphs + 1, next.last);
      block = this.read(block.control);
    }
    if (block.paragraphs <= paragraphs) return block.paragraphs;
    this.write(block.control + paragraphs + 1, 0, block.paragraphs - paragraphs - 1, block.last);
    this.write(block.control, block.owner, paragraphs, false);
    this.#joinFree();
    return paragraphs;
  }

  #joinFree(): void {
    const upper = this.upperHead;
    for (const start of upper === undefined ? [this.#first] : [this.#first, upper]) {
      for (const _ of this.#mergedFree(start));
    }
  }

  #find(segment: number): MemoryBlock {
    for (const block of this.walkAll()) {
      if (block.control + 1 === segment) return block;
    }
    throw new DosError('invalidBlock');
  }

  /** Where searches with this strategy begin, one after the other. */
  #starts(strategy: number): readonly number[] {
    const upper = this.upperHead;
    if (!(strategy & (highOnly | highFirst)) || upper === undefined || !this.linked) return [this.#first];
    return strategy & highFirst ? [upper, this.#first] : [upper];
  }

  #fitting(start: number, paragraphs: number, fit: number): MemoryBlock | undefined {
    let best: MemoryBlock | undefined;
    for (const block of this.#mergedFree(start)) {
      if (block.paragraphs < paragraphs) continue;
      if (best === undefined || fit === 2 || (fit === 1 && block.paragraphs < best.paragraphs)) best = block;
    }
    return best;
  }

  /** Free blocks, neighbours joined on the way. */
  *#mergedFree(start: number): Generator<MemoryBlock> {
    let control = start;
    for (;;) {
      let block = this.read(control);
      while (block.owner === 0 && !block.last) {
        const next = this.read(control + block.paragraphs + 1);
        if (next.owner !== 0) break;
        this.write(control, 0, block.paragraphs + next.paragraphs + 1, next.last);
        block = this.read(control);
      }
      if (block.owner === 0) yield block;
      if (block.last) return;
      control += block.paragraphs + 1;
    }
  }
}
