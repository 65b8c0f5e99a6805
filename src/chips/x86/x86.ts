import type { X87 } from '../x87/x87.ts';
import { type AddressRange, AddressSet } from './address-set.ts';
import type { CodeAddress, CodeSpace } from './code-space.ts';
import { Core, CpuFault, type InterruptCause, type X86Wires } from './core.ts';
import { debugStatus } from './debug-registers.ts';
import { flag, packFlags, unpackFlags } from './flags.ts';
import type { CodeGraph } from './graph/code-graph.ts';
import type { Context } from './graph/contexts.ts';
import { type CodeFunction, listFunctions } from './graph/functions.ts';
import type { GraphMoment } from './graph/moment.ts';
import type { SavedGraph } from './graph/save.ts';
import type { Instruction } from './instruction.ts';
import type { WatchHit, X86Memory } from './memory.ts';
import type { Model } from './models.ts';
import { attention } from './operations/operation.ts';
import { type PortAccess, watchPorts } from './port-watch.ts';
import { Questions } from './questions.ts';
import { makeCopier, placeOf, readRegister, writeRegister } from './register-access.ts';
import { control, countIn, fields, type RegisterPlace, setCount } from './registers.ts';
import { Repetition } from './repetition.ts';
import { resetState } from './reset-state.ts';
import type { RunEnd } from './run-end.ts';
import { baseOf, findDescriptor } from './segments.ts';
import { dependsOn } from './touches.ts';
import { X86Engine } from './x86-engine.ts';

export interface X86Options {
  readonly model: Model;
  /** `stateWords` words: everything there is to the processor, apart from its graph. */
  readonly state: Int32Array;
  readonly memory: X86Memory;
  readonly wires: X86Wires;
  readonly coprocessor?: X87 | null;
  /** Passes after which a block is compiled; Infinity to interpret everything. What runs is the same. */
  readonly compileAfter?: number;
}

const usualCompileAfter = 500;

const longestSlice = 0x3fffffff;

function isInterrupt(instruction: Instruction | null): boolean {
  return ['int', 'int3', 'int1', 'into'].includes(instruction?.form.mnemonic ?? '');
}

/** An Intel 8086, 80186, 80286 or 80386 in real mode. Its time is the number of instructions it has executed. */
export class X86 {
  readonly #core: Core;
  readonly #engine: X86Engine;
  readonly #hits: WatchHit[] = [];
  #running = false;
  #onInstruction: ((instruction: Instruction) => void) | null = null;
  #stopWhen: (() => number) | null = null;
  #stopDepends: number = dependsOn.anything;
  readonly #questions: Questions;

  /** Called when the graph had grown too large, and begins anew. */
  onGraphFull: (() => void) | null = null;

  readonly #wires: X86Wires;
  /** For those who find out whether a program only waits. */
  readonly repetition: Repetition;

  constructor({ model, state, memory, wires, coprocessor = null, compileAfter = usualCompileAfter }: X86Options) {
    this.#core = new Core(model, state, memory, wires);
    this.#core.coprocessor = coprocessor;
    this.#wires = wires;
    if (model === '8086') memory.a20 = false;
    this.#engine = new X86Engine(this.#core, compileAfter);
    this.#questions = new Questions(this.#core);
    this.repetition = new Repetition(this.#core, this.#engine, (until) => this.run(until, false));
    memory.onWatch = (hit) => {
      this.#hits.push(hit);
      this.#call(attention.stop);
    };
  }

  get model(): Model {
    return this.#core.rules.model;
  }

  /** Exceptions of the coprocessor are faults, not interrupts from outside. */
  get faultsNumerically(): boolean {
    const { rules, words } = this.#core;
    return rules.generation >= 4 && (words[fields.cr0] & control.numericError) !== 0;
  }

  get coprocessor(): X87 | null {
    return this.#core.coprocessor;
  }

  get memory(): X86Memory {
    return this.#core.memory;
  }

  /** The control-flow graph of everything executed so far. */
  get graph(): CodeGraph {
    this.#engine.settle();
    return this.#engine.graph;
  }

  /** Contexts under way, the program's own first. */
  get contexts(): readonly Context[] {
    return this.#engine.tracker.contexts;
  }

  /** Instructions executed, time spent halted included. */
  get instructions(): number {
    return this.#running ? this.#engine.clock[0] : countIn(this.#core.words);
  }

  /** What rounds of string instructions have added to the count, beyond one for each instruction. */
  get extraRounds(): number {
    return this.#core.extraRounds;
  }

  /** A repeated string instruction is under way: some of its rounds are done, and `pc` still points at it. */
  get isRepeating(): boolean {
    return this.#core.word(fields.repeating) !== 0;
  }

  get halted(): boolean {
    return this.#core.word(fields.halted) !== 0;
  }

  /** Halted by HLT, and not in a callback that is asked again. */
  get isAfterHlt(): boolean {
    return this.#core.word(fields.halted) === 1;
  }

  /** Work done since the last `limitEffort`. */
  get effort(): number {
    return this.#core.effort;
  }

  /** From now on runs end after so much work, in rounds of a string instruction. At first there is no limit. */
  limitEffort(rounds: number): void {
    this.#core.effort = 0;
    this.#core.effortLimit = rounds;
  }

  /** Something that an instruction called has worked as long as so many rounds. */
  tire(rounds: number): void {
    this.#core.tire(rounds);
  }

  /** As after the reset pin: execution begins at FFFF:0000. */
  reset(): void {
    resetState(this.#core);
    this.#engine.forget();
  }

  get(name: string): number {
    return this.getAt(placeOf(name));
  }

  set(name: string, value: number): void {
    this.setAt(placeOf(name), value);
  }

  /** As `get`, for those who have looked the place up. */
  getAt(place: RegisterPlace): number {
    return readRegister(this.#core, place, this.#running);
  }

  /** The state as words, half words and bytes, for generated code. The flags are in `result` and its neighbours: see flags.ts. */
  get views(): { readonly words: Int32Array; readonly halves: Uint16Array; readonly bytes: Uint8Array } {
    const { words, halves, bytes } = this.#core;
    return { words, halves, bytes };
  }

  /** The lower halves of words of the state. */
  copyHalves(from: readonly number[], to: Uint16Array): void {
    const { halves } = this.#core;
    for (let index = 0; index < from.length; index++) to[index] = halves[from[index] * 2];
  }

  /** Copies words of the state to a place in an array, as `getAt` would give them while code runs. */
  copier(from: readonly number[]): (to: Int32Array, at: number) => void {
    return makeCopier(this.#core.words, from);
  }

  setAt(place: RegisterPlace, value: number): void {
    writeRegister(this.#core, place, value, this.#running);
  }

  /** The level of the interrupt line, as the interrupt controller drives it. */
  setInterruptLine(asserted: boolean): void {
    this.#core.words[fields.interruptLine] = asserted ? 1 : 0;
    if (asserted) this.#call(attention.interrupts);
  }

  requestNmi(): void {
    this.#core.words[fields.nmiPending] = 1;
    this.#call(attention.interrupts);
  }

  /** What comes next is an interrupt, and the instruction at `pc` only after it. */
  get interruptIsNext(): boolean {
    const { words } = this.#core;
    if (words[fields.shadow] !== 0) return false;
    if ((words[fields.nmiPending] | words[fields.debugTrap]) !== 0) return true;
    if (words[fields.interruptLine] === 0) return false;
    return words[fields.halted] === 2 || (words[fields.eflags] & flag.interrupt) !== 0;
  }

  /** Ends the present run after the present instruction. */
  stop(): void {
    this.#call(attention.stop);
  }

  get onInstruction(): ((instruction: Instruction) => void) | null {
    return this.#onInstruction;
  }

  /** Called before each instruction while it is set; runs slower then. */
  set onInstruction(hook: ((instruction: Instruction) => void) | null) {
    this.#onInstruction = hook;
    this.#engine.question = this.#questions.of(this.#onInstruction, this.#stopWhen, this.#stopDepends);
  }

  /**
   * Ends runs before the first instruction at which it gives something else than 0; runs slower then. It is asked where
   * that on which it depends may have changed.
   */
  stopWhen(condition: (() => number) | null, depends: number = dependsOn.anything): void {
    this.#stopWhen = condition;
    this.#stopDepends = depends;
    this.#engine.question = this.#questions.of(this.#onInstruction, this.#stopWhen, this.#stopDepends);
  }

  /** Called after each access to a port, with what was read or written; null for none. */
  set onPort(hook: ((access: PortAccess) => void) | null) {
    const wires = this.#wires;
    this.#core.wires = hook === null ? wires : watchPorts(wires, hook);
  }

  /** Called when an interrupt is taken; null for none. A `stop` in there ends the run at the handler's first instruction. */
  set onInterrupt(hook: ((vector: number, cause: InterruptCause) => void) | null) {
    this.#core.onInterrupt = hook;
  }

  /**
   * Linear addresses before which a run stops, if `stops` says so, which is asked each time such an instruction is about to run.
   * A run that begins at one gets past it, unless an interrupt comes first.
   */
  setBreakpoints(ranges: readonly AddressRange[], stops: (linear: number) => boolean = () => true): void {
    const { breakpoints, graph } = this.#engine;
    const before = breakpoints.addresses;
    const after = new AddressSet(ranges);
    breakpoints.stopsAt = stops;
    breakpoints.addresses = after;
    if (before.isEmpty && after.isEmpty) return;
    for (const { nodes } of graph.blocks) {
      for (const node of nodes) if (before.has(node.linear) !== after.has(node.linear)) this.#engine.bind(node);
    }
  }

  step(): RunEnd {
    return this.run(this.instructions + 1);
  }

  /** Runs until so many instructions have been executed since reset, or until something stops it. */
  run(until: number, leaving = true): RunEnd {
    const { words } = this.#core;
    if (this.#engine.isFull) this.#beginGraph();
    this.#engine.clock[0] = countIn(words);
    this.#core.refresh();
    unpackFlags(words, words[fields.eflags]);
    this.#running = true;
    const isLeaving = leaving && !this.interruptIsNext && words[fields.repeating] === 0;
    this.#questions.isLeaving = isLeaving;
    this.#engine.endedBefore = false;
    this.#hits.length = 0;
    this.#engine.settle();
    try {
      return this.#run(until, isLeaving);
    } finally {
      this.#running = false;
      setCount(words, this.#engine.clock[0]);
      unpackFlags(words, packFlags(words));
    }
  }

  /** Memory was changed behind the chip's back (a program was loaded, a snapshot restored). */
  memoryReplaced(first = 0, last = this.memory.ram.length - 1): void {
    this.#core.paging.flush();
    this.#core.refresh();
    this.#core.onRemap();
    this.#engine.settle();
    this.#engine.graph.check(first, last);
  }

  /** Functions called so far, out of the graph. */
  get functions(): CodeFunction[] {
    this.#engine.settle();
    return listFunctions(this.#engine.graph, this.#engine.tracker);
  }

  /** Where contexts began: the program and the handlers of interrupts and faults, by segmented address. */
  get entryKeys(): Iterable<number> {
    return this.#engine.tracker.roots.keys();
  }

  /** A service will enter code at this address when it is done, as a call would: a program, a handler of the guest. */
  expectEntry(cs: number, ip: number): void {
    this.#engine.tracker.expectEntry(cs, ip);
  }

  /** The instruction that ran last; null where that is not known, after a restored state. */
  get lastExecuted(): Instruction | null {
    return this.#engine.lastExecuted;
  }

  /** Begins a new graph. */
  forgetGraph(): void {
    this.#engine.forget();
  }

  /** The graph, contexts and calls as plain data; the processor's state is not part of it. */
  saveGraph(): SavedGraph {
    return this.#engine.save();
  }

  /** Brings a saved graph back, together with the state and memory it was saved with. */
  restoreGraph(saved: SavedGraph): void {
    this.#engine.restore(saved);
  }

  /** What the graph has counted so far, and its contexts and calls: cheap, and good for this processor only. */
  saveMoment(): GraphMoment {
    return this.#engine.saveMoment();
  }

  /** Takes the counts back to a moment, together with the state and memory of then. What the graph has learnt since stays. */
  restoreMoment(moment: GraphMoment): void {
    this.#engine.restoreMoment(moment);
  }

  /** The instruction at an address, decoded from memory; nothing is recorded. */
  decode(cs: number, ip: number, space: CodeSpace = this.#core.space): Instruction {
    return this.#engine.decoder.decode(cs, ip, space);
  }

  /** How code is read now. */
  get space(): CodeSpace {
    return this.#core.space;
  }

  /** Linear address of the next instruction. */
  get pc(): number {
    const { words } = this.#core;
    return (words[fields.csBase] + words[fields.eip]) >>> 0;
  }

  /** Where the next instruction lies. */
  get here(): CodeAddress {
    const { words, space } = this.#core;
    return { cs: words[fields.cs], ip: words[fields.eip] >>> 0, linear: this.pc, space };
  }

  /** Where the segment of a selector begins, as the descriptor tables are now; undefined for none. */
  selectorBase(selector: number): number | undefined {
    try {
      const found = findDescriptor(this.#core, selector);
      return found && baseOf(found) >>> 0;
    } catch (error) {
      if (error instanceof CpuFault) return undefined;
      throw error;
    }
  }

  /** The stack pointer's linear address. */
  get stackTop(): number {
    return this.#core.stackTop;
  }

  /** Linear address at which a segment begins. */
  baseOf(segment: 'cs' | 'ds' | 'es' | 'ss' | 'fs' | 'gs'): number {
    return this.#core.word(fields[`${segment}Base`]) >>> 0;
  }

  get isProtected(): boolean {
    return this.#core.isProtected;
  }

  /** Whether the stack pointer has 32 bits. */
  get isWideStack(): boolean {
    return this.#core.wideStack;
  }

  get isVirtual(): boolean {
    return this.#core.isVirtual;
  }

  get isPaged(): boolean {
    return this.#core.isPaged;
  }

  /** By its number. */
  spaceAt(id: number): CodeSpace {
    return this.#core.spaces.at(id);
  }

  /** What a key of the graph stands for. */
  addressOf(key: number): CodeAddress {
    return this.#core.spaces.addressOf(key);
  }

  /** Called when a linear page was found to lie somewhere, before it is used; with -1 for all of them. */
  set onPage(hook: (page: number) => void) {
    this.#core.paging.onMap = hook;
  }

  /** A byte as the processor sees it, without disturbing anything; 0xff where no page is. */
  peek(linear: number): number {
    const { isPaged, memory } = this.#core;
    if (!isPaged && memory.readFlags[linear >>> 8] === 0 && linear < memory.ram.length) return memory.ram[linear];
    const physical = this.#core.peekPhysical(linear);
    return physical < 0 ? 0xff : this.memory.peek8(physical);
  }

  /** The physical address of a linear one; -1 where no page is. */
  physical(linear: number): number {
    return this.#core.peekPhysical(linear);
  }

  #beginGraph(): void {
    this.#engine.forget();
    this.onGraphFull?.();
  }

  #call(why: number): void {
    this.#core.attention[0] = this.#core.attention[0] | why;
  }

  #run(until: number, leaving: boolean): RunEnd {
    const core = this.#core;
    const { words, attention: pending } = core;
    const { clock } = this.#engine;
    let first = true;
    for (;;) {
      const why = pending[0];
      pending[0] = 0;
      if (why & attention.stop && !first) return this.#stopped();
      const shutdown = this.#acceptInterrupts();
      if (shutdown) return shutdown;
      if (pending[0] & attention.stop) return this.#stopped();
      const left = until - clock[0];
      if (left <= 0) return { reason: 'count' };
      if (why & attention.effort && !first) return { reason: 'effort' };
      if (words[fields.halted] !== 0) {
        if (words[fields.halted] === 1 && !(core.word(fields.eflags) & flag.interrupt)) return { reason: 'halted' };
        clock[0] = until;
        return { reason: 'count' };
      }
      // Where the question was not put it has to be put again, whatever the instruction does.
      const most = first && leaving && this.#stopWhen ? 1 : longestSlice;
      // A small integer for sure: V8 compiles its loops anew when another number comes.
      const stop = this.#slice(Math.ceil(Math.min(left, most)) | 0, first && leaving);
      if (stop) return stop;
      first = false;
    }
  }

  /** Runs on, one instruction at a time when something happens after each of them. */
  #slice(left: number, first: boolean): RunEnd | null {
    const core = this.#core;
    const { words } = core;
    const trapped = (core.word(fields.eflags) & flag.trap) !== 0;
    const shadow = words[fields.shadow];
    words[fields.shadow] = 0;
    const resumed = core.word(fields.eflags) & flag.resume;
    core.debug.isResuming = resumed !== 0;
    if (resumed !== 0) words[fields.eflags] = words[fields.eflags] & ~flag.resume;
    const stop = this.#engine.execute(trapped || shadow !== 0 || resumed !== 0 ? 1 : left, first);
    core.debug.isResuming = false;
    // An instruction that was not let run is still the one before which no interrupt comes.
    if (stop?.reason === 'breakpoint' || this.#engine.endedBefore) {
      words[fields.shadow] = shadow;
      words[fields.eflags] = words[fields.eflags] | resumed;
    } else if (!stop) this.#noteTrap(trapped);
    return stop;
  }

  /** Traps come after the instruction, but for one that loads SS, and for interrupts, which no longer have the flag. */
  #noteTrap(trapped: boolean): void {
    const { words, rules } = this.#core;
    const { lastExecuted, hasFailed } = this.#engine;
    const isEnabling = lastExecuted?.form.mnemonic === 'sti';
    const isHeldOff = words[fields.shadow] !== 0 && !isEnabling;
    const hasLost = rules.generation >= 2 && (hasFailed || isInterrupt(lastExecuted)) && !this.#isTrapping;
    if (trapped && !isHeldOff && !hasLost) words[fields.debugTrap] = words[fields.debugTrap] | debugStatus.step;
    if (words[fields.debugTrap] !== 0 && isEnabling) words[fields.shadow] = 0;
  }

  get #isTrapping(): boolean {
    return (this.#core.word(fields.eflags) & flag.trap) !== 0;
  }

  #acceptInterrupts(): RunEnd | null {
    if (!this.interruptIsNext) return null;
    const { words, wires, debug } = this.#core;
    const trap = words[fields.debugTrap];
    if (trap !== 0) {
      words[fields.debugTrap] = 0;
      debug.report(trap);
      const stop = this.#engine.interrupt(1);
      words[fields.debugTrap] = 0;
      return stop ?? this.#acceptInterrupts();
    }
    if (words[fields.nmiPending] === 0) return this.#engine.interrupt(wires.interruptVector());
    words[fields.nmiPending] = 0;
    return this.#engine.interrupt(2);
  }

  #stopped(): RunEnd {
    if (this.#engine.endedBefore) return { reason: 'condition' };
    const hits = this.#hits.splice(0);
    const by = this.#engine.lookedAt;
    return hits.length > 0 ? { reason: 'watch', hits, by } : { reason: 'stop', by };
  }
}
