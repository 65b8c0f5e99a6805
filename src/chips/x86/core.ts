import type { X87 } from '../x87/x87.ts';
import { type CodeSpace, CodeSpaces, realSpace } from './code-space.ts';
import { DebugRegisters } from './debug-registers.ts';
import { faultVectors } from './fault-vectors.ts';
import { flag } from './flags.ts';
import { smallestMemory, type X86Memory } from './memory.ts';
import type { Model } from './models.ts';
import { type ModelRules, rulesOf } from './models.ts';
import { attention } from './operations/operation.ts';
import { PageFault, Paging } from './paging.ts';
import { control, fields, stateWords, toBase, toLimit, toRights } from './registers.ts';
import { allows, rightsBits } from './rights.ts';

/** Thrown by an instruction that the processor cannot complete. Registers are as they were before it. */
export class CpuFault {
  readonly vector: number;
  /** What protected mode pushes with it; -1 for those that push nothing. */
  readonly code: number;
  constructor(vector: number, code = -1) {
    this.vector = vector;
    this.code = code;
  }
}

const noPages = new Int32Array(0);
const { stackFault, generalFault, pageFault, alignment } = faultVectors;
/** Those that push an error code, which is 0 where nobody says another. */
const withCode = new Set([8, 10, 11, stackFault, generalFault, pageFault, alignment]);
const faults = Array.from({ length: 18 }, (_, vector) => new CpuFault(vector, withCode.has(vector) ? 0 : -1));

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
  readonly paging: Paging;
  readonly spaces = new CodeSpaces();
  readonly debug: DebugRegisters;
  wires: X86Wires;
  /** Called when linear addresses may lead elsewhere than before. */
  onRemap: () => void = () => undefined;
  /** What executes escapes; null when its socket is empty. */
  coprocessor: X87 | null = null;
  /** Called when an interrupt is taken, before anything is pushed. */
  onInterrupt: ((vector: number, cause: InterruptCause) => void) | null = null;
  /** The state and its half words and bytes. */
  readonly words: Int32Array;
  readonly halves: Uint16Array;
  readonly bytes: Uint8Array;
  /** Not zero when the loop has to look up after the present instruction. */
  readonly attention = new Int32Array(new ArrayBuffer(4));
  /** Instructions executed before the present one, and the count at which execution has to pause. Each round of a string instruction counts as one. */
  readonly clock = new Float64Array(new ArrayBuffer(16));
  /** What rounds have added to the count, beyond one for each instruction. */
  extraRounds = 0;
  /** Work that the count of instructions does not show, in rounds of a string instruction: about 10 ns each. */
  effort = 0;
  /** How much of it may be done before the loop has to look up. */
  effortLimit = Number.POSITIVE_INFINITY;
  // What follows from the state, so that nobody has to look it up: see `refresh`.
  /** How code is read now. */
  space: CodeSpace = realSpace;
  /** Protected mode, virtual 8086 mode included. */
  isProtected = false;
  isVirtual = false;
  isPaged = false;
  /** Users are bound by more page rights than others. */
  isUser = false;
  /** What lies across its size is a fault: no access goes by without a thought then. */
  checksAlignment = false;
  /** What is known of pages now, for reads and for writes: see `Paging.known`. */
  readPages: Int32Array = noPages;
  writePages: Int32Array = noPages;
  wideStack = false;
  /** Where the task begins that is being entered: its faults come from there. -1 while there is none. */
  arrivingAt = -1;
  /** Top of the stack that a return has just left for another one, as a linear address; -1 where it is still the same. */
  leftStack = -1;
  /** Last offsets that may be read and written without another thought, by the word of a segment's base; -1 for none. */
  readonly readLimits = new Float64Array(fields.gsBase + 1);
  readonly writeLimits = new Float64Array(fields.gsBase + 1);

  constructor(model: Model, state: Int32Array, memory: X86Memory, wires: X86Wires) {
    if (state.length < stateWords) throw new RangeError(`the state needs ${stateWords} words`);
    if (memory.ram.length < smallestMemory) throw new RangeError('too little memory');
    this.rules = rulesOf(model);
    this.memory = memory;
    this.paging = new Paging(memory);
    this.wires = wires;
    this.debug = new DebugRegisters(this);
    this.words = state;
    this.halves = new Uint16Array(state.buffer, state.byteOffset, state.length * 2);
    this.bytes = new Uint8Array(state.buffer, state.byteOffset, state.length * 4);
  }

  /** Takes note of work done. Instructions that call this end with a look at `attention`. */
  tire(rounds: number): void {
    this.effort += rounds;
    if (this.effort >= this.effortLimit) this.attention[0] = this.attention[0] | attention.effort;
  }

  fault(vector: number, code = 0): never {
    throw code === 0 ? faults[vector] : new CpuFault(vector, code);
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

  get privilege(): number {
    return this.words[fields.privilege];
  }

  get ioPrivilege(): number {
    return (this.words[fields.eflags] >> 12) & 3;
  }

  /** Puts everything right that follows from the state. */
  refresh(): void {
    const { words } = this;
    const cr0 = words[fields.cr0];
    this.isProtected = (cr0 & control.protection) !== 0;
    this.isVirtual = this.isProtected && (words[fields.eflags] & flag.virtual8086) !== 0;
    const wasPaged = this.isPaged;
    this.isPaged = this.isProtected && (cr0 & control.paging) !== 0;
    if (this.isPaged !== wasPaged) this.paging.onMap(-1);
    // Changes of the tables meant nothing in between.
    if (this.isPaged && !wasPaged) this.onRemap();
    this.setUser(words[fields.privilege] === 3);
    // The 80386 keeps the bit and does not know it.
    const protects = this.rules.generation >= 4 && (cr0 & control.writeProtect) !== 0;
    if (protects !== this.paging.protectsSupervisor) {
      this.paging.flush();
      this.onRemap();
    }
    this.paging.protectsSupervisor = protects;
    this.directoryChanged();
    for (let index = fields.es; index <= fields.gs; index += 1) this.refreshSegment(index);
    this.refreshSpace();
    this.debug.refresh();
  }

  setUser(user: boolean): void {
    this.isUser = user;
    this.refreshAlignment();
    if (!this.isPaged) return;
    this.readPages = this.paging.known(false, user);
    this.writePages = this.paging.known(true, user);
  }

  /** Alignment is checked where CR0, the flags and the level all ask for it, from the 486 on. */
  refreshAlignment(): void {
    const { words } = this;
    const asks = this.isUser && this.isProtected && this.rules.generation >= 4;
    const isOn = (words[fields.cr0] & control.alignment) !== 0 && (words[fields.eflags] & flag.alignmentCheck) !== 0;
    if ((asks && isOn) === this.checksAlignment) return;
    this.checksAlignment = !this.checksAlignment;
    for (let index = fields.es; index <= fields.gs; index += 1) this.refreshSegment(index);
  }

  /** Which offsets of a segment may be used follows from its limit and rights. */
  refreshSegment(index: number): void {
    const { words, checksAlignment } = this;
    this.readLimits[index + toBase] = checksAlignment ? -1 : this.#lastOffset(index, false);
    this.writeLimits[index + toBase] = checksAlignment ? -1 : this.#lastOffset(index, true);
    if (index !== fields.ss) return;
    this.wideStack = (words[index + toRights] & rightsBits.wide) !== 0;
    words[fields.stackMask] = this.wideStack ? -1 : 0xffff;
  }

  /** Up to which accesses are allowed; -1 for none. */
  #lastOffset(index: number, write: boolean): number {
    const { words } = this;
    const isReal = !this.isProtected || this.isVirtual;
    return isReal || allows(words[index + toRights], write) ? words[index + toLimit] >>> 0 : -1;
  }

  /** CR3 was loaded: with the same directory everything known of it stays, as its tables are watched. */
  directoryChanged(): void {
    const directory = this.words[fields.cr3];
    if (directory === this.paging.directory) return;
    this.paging.flush();
    this.paging.directory = directory;
    this.onRemap();
    if (this.isPaged) this.refreshSpace();
  }

  /** How code is read from now on. */
  refreshSpace(): void {
    const before = this.space;
    this.space = this.#currentSpace();
    if (this.space !== before) this.attention[0] = this.attention[0] | attention.mode;
  }

  #currentSpace(): CodeSpace {
    const { words } = this;
    const base = words[fields.csBase];
    const rights = words[fields.cs + toRights];
    const wide = (rights & rightsBits.wide) !== 0;
    const pages = this.isPaged ? words[fields.cr3] >>> 12 : -1;
    const asReal = (!this.isProtected || this.isVirtual) && base === words[fields.cs] << 4 && !wide;
    if (asReal && !this.isProtected && !this.wideStack) return realSpace;
    return this.spaces.find({
      segmented: asReal,
      base: asReal ? 0 : base >>> 0,
      limit: asReal ? 0xffff : words[fields.cs + toLimit] >>> 0,
      wide,
      wideStack: this.wideStack,
      pages,
      asUser: this.isPaged && this.isUser,
      selector: words[fields.cs],
    });
  }

  /** Loads a segment register as real mode does: its limit stays what it was. */
  setSegment(index: number, selector: number): void {
    this.words[index] = selector & 0xffff;
    this.words[index + toBase] = (selector & 0xffff) << 4;
    if (index === fields.cs && !this.space.plain) this.refreshSpace();
  }

  /** Segment `seg` is the word of its base. */
  read8(seg: number, offset: number): number {
    if (offset > 0xffff || this.isProtected) return this.readLinear(8, this.linear(seg, offset, 1, false));
    const address = this.word(seg) + offset;
    return this.memory.readFlags[address >>> 8] === 0 ? this.memory.ram[address] : this.memory.read8(address);
  }

  read16(seg: number, offset: number): number {
    if (this.isProtected) return this.readLinear(16, this.linear(seg, offset, 2, false));
    const address = this.word(seg) + offset;
    if (offset <= 0xfffe) {
      const { view, readFlags } = this.memory;
      return readFlags[address >>> 8] === 0 ? view.getUint16(address, true) : this.memory.read16(address);
    }
    if (!this.rules.wrapsOffsets || offset > 0xffff) return this.readLinear(16, this.linear(seg, offset, 2, false));
    return this.memory.read8(address) | (this.memory.read8(address - 0xffff) << 8);
  }

  read32(seg: number, offset: number): number {
    if (offset > 0xfffc || this.isProtected) return this.readLinear(32, this.linear(seg, offset, 4, false));
    return this.read16(seg, offset) | (this.read16(seg, offset + 2) << 16);
  }

  write8(seg: number, offset: number, value: number): void {
    if (offset > 0xffff || this.isProtected) {
      this.writeLinear(8, this.linear(seg, offset, 1, true), value);
      return;
    }
    const address = this.word(seg) + offset;
    if (this.memory.writeFlags[address >>> 8] === 0) this.memory.ram[address] = value;
    else this.memory.write8(address, value);
  }

  write16(seg: number, offset: number, value: number): void {
    if (this.isProtected) {
      this.writeLinear(16, this.linear(seg, offset, 2, true), value);
      return;
    }
    const address = this.word(seg) + offset;
    if (offset <= 0xfffe) {
      const { view, writeFlags } = this.memory;
      if (writeFlags[address >>> 8] === 0) view.setUint16(address, value, true);
      else this.memory.write16(address, value);
      return;
    }
    if (!this.rules.wrapsOffsets || offset > 0xffff) {
      this.writeLinear(16, this.linear(seg, offset, 2, true), value);
      return;
    }
    this.memory.write8(address, value);
    this.memory.write8(address - 0xffff, value >> 8);
  }

  write32(seg: number, offset: number, value: number): void {
    if (offset > 0xfffc || this.isProtected) {
      this.writeLinear(32, this.linear(seg, offset, 4, true), value);
      return;
    }
    this.write16(seg, offset, value);
    this.write16(seg, offset + 2, value >> 16);
  }

  /** Reads what will be written back: fails where the write would. */
  change8(seg: number, offset: number): number {
    return this.#change(8, seg, offset);
  }

  change16(seg: number, offset: number): number {
    return this.#change(16, seg, offset);
  }

  change32(seg: number, offset: number): number {
    return this.#change(32, seg, offset);
  }

  #change(width: number, seg: number, offset: number): number {
    const bytes = width >> 3;
    const linear = this.linear(seg, offset, bytes, true);
    if (this.isPaged) this.checkPages(linear, bytes, true, this.isUser);
    return this.readLinear(width, linear);
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

  /** The linear address of an access that its segment allows. */
  linear(seg: number, offset: number, bytes: number, write: boolean): number {
    const last = offset + bytes - 1;
    const most = write ? this.writeLimits[seg] : this.readLimits[seg];
    if (last > most) this.#check(seg, offset, bytes, write);
    return (this.words[seg] + offset) >>> 0;
  }

  #check(seg: number, offset: number, bytes: number, write: boolean): void {
    const last = offset + bytes - 1;
    const isWithin = this.checksAlignment && last <= this.#lastOffset(seg - toBase, write);
    if (!isWithin && !this.#isBelow(seg, offset, last, write)) this.beyond(seg);
    this.checkAlignment((this.words[seg] + offset) >>> 0, bytes);
  }

  /** Of as many bytes as a power of two. */
  checkAlignment(linear: number, bytes: number): void {
    if (this.checksAlignment && (linear & (bytes - 1)) !== 0) this.fault(alignment);
  }

  /** True within a segment that grows downwards. */
  #isBelow(seg: number, offset: number, last: number, write: boolean): boolean {
    const index = seg - toBase;
    const rights = this.words[index + toRights];
    const needed = rightsBits.present | rightsBits.downwards | (write ? rightsBits.writable : 0);
    if (!this.isProtected || this.isVirtual || rights & rightsBits.code || (rights & needed) !== needed) return false;
    return offset > this.words[index + toLimit] >>> 0 && last <= (rights & rightsBits.wide ? 0xffffffff : 0xffff);
  }

  /** An access beyond the limit of a segment. */
  beyond(seg: number): never {
    this.fault(seg === fields.ssBase ? stackFault : generalFault);
  }

  readLinear(width: number, linear: number, asUser = this.isUser): number {
    const { memory } = this;
    if (this.isPaged) return this.#readPaged(width, linear, asUser);
    if (width === 8) return memory.read8(linear);
    return width === 16 ? memory.read16(linear) : memory.read32(linear);
  }

  writeLinear(width: number, linear: number, value: number, asUser = this.isUser): void {
    const { memory } = this;
    if (this.isPaged) this.#writePaged(width, linear, value, asUser);
    else if (width === 8) memory.write8(linear, value);
    else if (width === 16) memory.write16(linear, value);
    else memory.write32(linear, value);
  }

  #readPaged(width: number, linear: number, asUser: boolean): number {
    const { memory } = this;
    const bytes = width >> 3;
    const first = this.translate(linear, false, asUser);
    this.debug.accessed(linear, bytes, false);
    if ((linear & 0xfff) + bytes <= 0x1000) {
      if (width === 8) return memory.read8(first);
      return width === 16 ? memory.read16(first) : memory.read32(first);
    }
    this.translate(nextPage(linear), false, asUser);
    let value = 0;
    for (let n = 0; n < bytes; n += 1) {
      value |= memory.read8(this.translate((linear + n) >>> 0, false, asUser)) << (8 * n);
    }
    return value;
  }

  #writePaged(width: number, linear: number, value: number, asUser: boolean): void {
    const { memory } = this;
    const bytes = width >> 3;
    const first = this.translate(linear, true, asUser);
    this.debug.accessed(linear, bytes, true);
    if ((linear & 0xfff) + bytes <= 0x1000) {
      if (width === 8) memory.write8(first, value);
      else if (width === 16) memory.write16(first, value);
      else memory.write32(first, value);
      return;
    }
    this.translate(nextPage(linear), true, asUser);
    for (let n = 0; n < bytes; n += 1) {
      memory.write8(this.translate((linear + n) >>> 0, true, asUser), value >> (8 * n));
    }
  }

  /** Fails where an access would, before anything is done. */
  checkPages(linear: number, bytes: number, write: boolean, asUser: boolean): void {
    if (!this.isPaged) return;
    this.translate(linear, write, asUser);
    if ((linear & 0xfff) + bytes > 0x1000) this.translate(nextPage(linear), write, asUser);
  }

  /** The physical address of an access that the pages allow. */
  translate(linear: number, write: boolean, asUser: boolean): number {
    try {
      return this.paging.translate(linear, write, asUser);
    } catch (error) {
      if (!(error instanceof PageFault)) throw error;
      this.words[fields.cr2] = error.linear;
      throw new CpuFault(pageFault, error.code);
    }
  }

  /** The physical address, and nothing is changed by it; -1 where there is none, or none for users. Debuggers are bound by nothing. */
  peekPhysical(linear: number, asUser = false): number {
    return this.isPaged ? this.paging.peek(linear, asUser) : linear;
  }

  /** As `peekPhysical`, for code: its page is used, and a change of it will be told. */
  holdPhysical(linear: number): number {
    return this.isPaged ? this.paging.hold(linear) : linear;
  }

  /** A byte of code at a linear address; -1 where its page is not there, or not for users. */
  fetch(linear: number, asUser = false): number {
    if (!this.isPaged) return this.memory.peek8(linear);
    const physical = this.paging.peek(linear, asUser);
    return physical < 0 ? -1 : this.memory.peek8(physical);
  }

  get sp(): number {
    return this.wideStack ? this.words[fields.esp] >>> 0 : this.halves[fields.esp * 2];
  }

  set sp(value: number) {
    if (this.wideStack) this.words[fields.esp] = value;
    else this.halves[fields.esp * 2] = value;
  }

  /** Top of the stack as a linear address. */
  get stackTop(): number {
    return (this.words[fields.ssBase] + this.sp) >>> 0;
  }

  /** The same before so many bytes were taken from it. */
  stackTopBefore(taken: number): number {
    return (this.words[fields.ssBase] + this.stackOffset(this.sp - taken)) >>> 0;
  }

  /** A return is about to go to another stack. */
  leaveStack(): void {
    this.leftStack = this.stackTop;
  }

  /** An offset on the stack. */
  stackOffset(offset: number): number {
    return this.wideStack ? offset >>> 0 : offset & 0xffff;
  }

  push16(value: number): void {
    const sp = this.stackOffset(this.sp - 2);
    this.write16(fields.ssBase, sp, value);
    this.sp = sp;
  }

  push32(value: number): void {
    const sp = this.stackOffset(this.sp - 4);
    this.write32(fields.ssBase, sp, value);
    this.sp = sp;
  }

  push(width: number, value: number): void {
    if (width === 32) this.push32(value);
    else this.push16(value);
  }

  /** What lies on the stack, `offset` bytes from its top. */
  stack(width: number, offset: number): number {
    const at = this.stackOffset(this.sp + offset);
    return width === 32 ? this.read32(fields.ssBase, at) : this.read16(fields.ssBase, at);
  }

  pop(width: number): number {
    const value = this.stack(width, 0);
    this.sp += width >> 3;
    return value;
  }
}

/** Where an access goes on that begins in the page before: what CR2 says of a fault there. */
function nextPage(linear: number): number {
  return ((linear | 0xfff) + 1) >>> 0;
}
