import type { X87 } from '../x87/x87.ts';
import { smallestMemory, type X86Memory } from './memory.ts';
import type { Model } from './models.ts';
import { type ModelRules, rulesOf } from './models.ts';
import { attention } from './operations/operation.ts';
import { fields, stateWords, toBase } from './registers.ts';

/** Thrown by an instruction that the processor cannot complete. Registers are as they were before it. */
export class CpuFault {
  readonly vector: number;
  constructor(vector: number) {
    this.vector = vector;
  }
}

const faults = Array.from({ length: 17 }, (_, vector) => new CpuFault(vector));

/** Stops a run: what was asked for is beyond this chip. */
export class Unsupported {
  readonly what: string;
  constructor(what: string) {
    this.what = what;
  }
}

/** Where an interrupt came from: INT and the like, the interrupt line, or an instruction that failed. */
export type InterruptCause = 'software' | 'hardware' | 'fault';

/** What the processor is connected to. */
export interface X86Wires {
  in(port: number, width: 8 | 16 | 32): number;
  out(port: number, width: 8 | 16 | 32, value: number): void;
  /** A service of the machine: `wait` runs it again after the next interrupt, `jump` means that it has set cs:ip. */
  callback(number: number): 'done' | 'wait' | 'jump';
  /** Acknowledges the interrupt line: the vector to go through. */
  interruptVector(): number;
}

/** Registers, memory by segment and the stack: what instructions are made of. */
export class Core {
  readonly rules: ModelRules;
  readonly memory: X86Memory;
  wires: X86Wires;
  /** What executes escapes; null when its socket is empty. */
  coprocessor: X87 | null = null;
  /** Called when an interrupt is taken, before anything is pushed. */
  onInterrupt: ((vector: number, cause: InterruptCause) => void) | null = null;
  /** The state and its half words and bytes. */
  readonly words: Int32Array;
  readonly halves: Uint16Array;
  readonly bytes: Uint8Array;
  /** Not zero when the loop has to look up after the present instruction. */
  readonly attention = new Int32Array(1);
  /** Work that the count of instructions does not show, in rounds of a string instruction: about 10 ns each. */
  effort = 0;
  /** How much of it may be done before the loop has to look up. */
  effortLimit = Number.POSITIVE_INFINITY;

  constructor(model: Model, state: Int32Array, memory: X86Memory, wires: X86Wires) {
    if (state.length < stateWords) throw new RangeError(`the state needs ${stateWords} words`);
    if (memory.ram.length < smallestMemory) throw new RangeError('too little memory');
    this.rules = rulesOf(model);
    this.memory = memory;
    this.wires = wires;
    this.words = state;
    this.halves = new Uint16Array(state.buffer, state.byteOffset, state.length * 2);
    this.bytes = new Uint8Array(state.buffer, state.byteOffset, state.length * 4);
  }

  /** Takes note of work done. Instructions that call this end with a look at `attention`. */
  tire(rounds: number): void {
    this.effort += rounds;
    if (this.effort >= this.effortLimit) this.attention[0] = this.attention[0] | attention.effort;
  }

  fault(vector: number): never {
    throw faults[vector];
  }

  word(index: number): number {
    return this.words[index];
  }

  half(index: number): number {
    return this.halves[index];
  }

  byte(index: number): number {
    return this.bytes[index];
  }

  setSegment(index: number, selector: number): void {
    this.words[index] = selector & 0xffff;
    this.words[index + toBase] = (selector & 0xffff) << 4;
  }

  /** Segment `seg` is the word of its base. */
  read8(seg: number, offset: number): number {
    if (offset > 0xffff) this.beyond(seg);
    const address = this.word(seg) + offset;
    return this.memory.readFlags[address >>> 8] === 0 ? this.memory.ram[address] : this.memory.read8(address);
  }

  read16(seg: number, offset: number): number {
    const address = this.word(seg) + offset;
    if (offset <= 0xfffe) {
      const { ram, readFlags } = this.memory;
      if (readFlags[address >>> 8] !== 0) return this.memory.read16(address);
      return ram[address] | (ram[address + 1] << 8);
    }
    if (!this.rules.wrapsOffsets || offset > 0xffff) this.beyond(seg);
    return this.memory.read8(address) | (this.memory.read8(address - 0xffff) << 8);
  }

  read32(seg: number, offset: number): number {
    if (offset > 0xfffc) this.beyond(seg);
    return this.read16(seg, offset) | (this.read16(seg, offset + 2) << 16);
  }

  write8(seg: number, offset: number, value: number): void {
    if (offset > 0xffff) this.beyond(seg);
    const address = this.word(seg) + offset;
    if (this.memory.writeFlags[address >>> 8] === 0) this.memory.ram[address] = value;
    else this.memory.write8(address, value);
  }

  write16(seg: number, offset: number, value: number): void {
    const address = this.word(seg) + offset;
    if (offset <= 0xfffe) {
      const { ram, writeFlags } = this.memory;
      if (writeFlags[address >>> 8] === 0) {
        ram[address] = value;
        ram[address + 1] = value >> 8;
      } else this.memory.write16(address, value);
      return;
    }
    if (!this.rules.wrapsOffsets || offset > 0xffff) this.beyond(seg);
    this.memory.write8(address, value);
    this.memory.write8(address - 0xffff, value >> 8);
  }

  write32(seg: number, offset: number, value: number): void {
    if (offset > 0xfffc) this.beyond(seg);
    this.write16(seg, offset, value);
    this.write16(seg, offset + 2, value >> 16);
  }

  read(width: number, seg: number, offset: number): number {
    if (width === 8) return this.read8(seg, offset);
    return width === 16 ? this.read16(seg, offset) : this.read32(seg, offset);
  }

  write(width: number, seg: number, offset: number, value: number): void {
    if (width === 8) this.write8(seg, offset, value);
    else if (width === 16) this.write16(seg, offset, value);
    else this.write32(seg, offset, value);
  }

  /** An access beyond the limit of a segment. */
  beyond(seg: number): never {
    this.fault(seg === fields.ssBase ? 12 : 13);
  }

  get sp(): number {
    return this.half(fields.esp * 2);
  }

  set sp(value: number) {
    this.halves[fields.esp * 2] = value;
  }

  push16(value: number): void {
    const sp = (this.sp - 2) & 0xffff;
    this.write16(fields.ssBase, sp, value);
    this.sp = sp;
  }

  push32(value: number): void {
    const sp = (this.sp - 4) & 0xffff;
    this.write32(fields.ssBase, sp, value);
    this.sp = sp;
  }

  push(width: number, value: number): void {
    if (width === 32) this.push32(value);
    else this.push16(value);
  }

  /** What lies on the stack, `offset` bytes from its top. */
  stack(width: number, offset: number): number {
    const at = (this.sp + offset) & 0xffff;
    return width === 32 ? this.read32(fields.ssBase, at) : this.read16(fields.ssBase, at);
  }

  pop(width: number): number {
    const value = this.stack(width, 0);
    this.sp += width >> 3;
    return value;
  }
}
