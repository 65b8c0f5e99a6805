import { runAskingInstructions } from '../../../chips/mos6510/asking-instructions.generated.ts';
import { runInstructions } from '../../../chips/mos6510/instructions.generated.ts';
import type { Mos6510 } from '../../../chips/mos6510/mos6510.ts';
import { runObservedInstructions, type Watched } from '../../../chips/mos6510/observed-instructions.generated.ts';
import { fields as cpuFields } from '../../../chips/mos6510/registers.ts';
import { WaitingLoop } from '../../../chips/mos6510/waiting-loop.ts';
import { fields as ciaFields } from '../../../chips/mos6526/fields.ts';
import type { Mos6526 } from '../../../chips/mos6526/mos6526.ts';
import { fields as recFields } from '../../../chips/mos8726/fields.ts';
import { fields as vicFields } from '../../../chips/vic2/fields.ts';
import type { Vic2 } from '../../../chips/vic2/vic2.ts';
import type { Questions } from '../board/commodore-board.ts';
import { AskingWatch, baseOfPlain, type Observation, singleInstruction } from '../board/observation.ts';
import { type BoardClock, placesIn, type StateWords } from '../board/state-words.ts';
import type { TimedPart } from '../board/timed-part.ts';
import { boardFields, c64Layout } from './c64-state.ts';
import type { MemoryView } from './memory-view.ts';

/** A word of a part, counted from the start of the buffer: the wiring of every cycle uses one view of everything. */
const word = placesIn(c64Layout);

const RDY = word('cpu', cpuFields.rdy);
const IRQ_LINE = word('cpu', cpuFields.irqLine);
const NMI_LINE = word('cpu', cpuFields.nmiLine);
const STEP = word('cpu', cpuFields.step);
const PC = word('cpu', cpuFields.pc);
const JAMMED = word('cpu', cpuFields.jammed);
const IRQ_COUNT = word('cpu', cpuFields.irqCount);
const NMI_COUNT = word('cpu', cpuFields.nmiCount);
const PIPE = word('cpu', cpuFields.pipe);
const NMI_LATCH = word('cpu', cpuFields.nmiLatch);
const NMI_SEEN = word('cpu', cpuFields.nmiSeen);
const MASKED = word('cpu', cpuFields.i);
const VIC_CYCLE = word('vic', vicFields.cycle);
const RASTER_LINE = word('vic', vicFields.rasterLine);
const VIC_FREE = word('vic', vicFields.freeUntil);
const BA = word('vic', vicFields.ba);
const VIC_IRQ = word('vic', vicFields.irq);
const CIA1_IRQ = word('cia1', ciaFields.irq);
const CIA2_IRQ = word('cia2', ciaFields.irq);
const REC_DMA = word('rec', recFields.dma);
const REC_IRQ = word('rec', recFields.irq);
const RESTORE = word('board', boardFields.restore);
const CARTRIDGE_NMI = word('board', boardFields.cartridgeNmi);
const CIA_SPAN = word('board', boardFields.ciaSpan);
const CIA_LEFT = word('board', boardFields.ciaLeft);

/** Shorter stretches are left to single cycles. */
const shortestRun = 3;
/** In so many cycles of a line BA does not fall unless there are sprites. */
const lineLead = 10;
const longestInstruction = 7;
/** Who runs for so long without a chip may be waiting. */
const shortestWait = 20;

interface Parts {
  readonly cpu: Mos6510;
  readonly vic: Vic2;
  readonly cia1: Mos6526;
  readonly cia2: Mos6526;
  readonly memory: MemoryView;
  readonly bus: { read(address: number): number; write(address: number, value: number): void };
  readonly timed: readonly TimedPart[];
  /** Reads a chip in so many cycles, if the value is known now and the board sees nothing of it; -1 if not. */
  steadyRead(address: number, cycles: number): number;
}

/**
 * The schematic in time: in each cycle VIC-II, CIAs and what hangs on them, their lines to the processor, the processor.
 * Whatever has nothing to do but count is left alone until somebody asks for it.
 */
export class BoardTime {
  readonly #words: StateWords;
  readonly #clock: BoardClock;
  readonly #eager: boolean;
  readonly #parts: Parts;
  readonly #cpu: Mos6510;
  readonly #vic: Vic2;
  readonly #memory: MemoryView;
  readonly #waiting = new WaitingLoop();
  /** Whether nobody looks on in the run of instructions that goes on. */
  #isUnseen = false;
  /** Lines whose first cycle is a cycle of its own in the run that goes on, by line. */
  #toldLines: Uint8Array | undefined;
  /** Whether it has made an access in its cycle. */
  isTimed = false;
  /** Whether the last run was such a one. */
  #mayWait = false;
  #observation: Observation | undefined;
  /** The same, if any code or memory is marked in it. */
  #marked: Observation | undefined;
  /** Also of runs before: one may end in the very cycle in which an interrupt has been taken. */
  #interruptsSeen = 0;
  /** Whether the instruction that comes next was asked about in the last `runObserved`. */
  hasAsked = false;

  /** `clock`: the cycle that it is. `eager`: nothing is ever left alone. */
  constructor(words: StateWords, clock: BoardClock, eager: boolean, parts: Parts) {
    this.#words = words;
    this.#clock = clock;
    this.#eager = eager;
    this.#parts = parts;
    this.#cpu = parts.cpu;
    this.#vic = parts.vic;
    this.#memory = parts.memory;
  }

  /** Leaves the VIC-II's accesses behind: `vic.settle()` has to follow. */
  run(cycles: number): void {
    const words = this.#words;
    const isFree = !this.#eager;
    this.#waiting.forget();
    this.#toldLines = undefined;
    let left = cycles;
    while (left > 0) {
      if (isFree && (words[BA] === 0 || (words[STEP] & 7) === 0)) {
        const passed = this.#passFreely(left, this.#marked);
        left -= passed;
        if (passed > 0) continue;
      }
      this.cycle();
      left -= 1;
    }
  }

  /** Somebody watches, or nobody any more. */
  observe(observation: Observation | undefined): void {
    if (observation?.seesInterrupts !== true) this.#interruptsSeen = this.#interruptsTaken;
    this.#observation = observation;
    this.#marked = observation?.isMarked === true ? observation : undefined;
    this.#memory.watch(observation);
  }

  /**
   * As `run`, but asks before each instruction that is marked, after one that has touched something, and after interrupts;
   * ends there if the answer is true, and is then true itself.
   */
  runObserved(cycles: number, questions: Questions): boolean {
    this.#waiting.forget();
    this.#toldLines = questions.lines?.isMarked;
    return questions.isEach ? this.#runAsking(cycles, questions) : this.#runToMarks(cycles, questions);
  }

  /** The same where every instruction is marked. */
  #runAsking(cycles: number, questions: Questions): boolean {
    const words = this.#words;
    const observation = this.#observation;
    const isFree = !this.#eager;
    const { asks, lines } = questions;
    const single = observation?.single ?? singleInstruction;
    const isMomentary = questions.isMomentary === true;
    const asking = asks && new AskingWatch(observation, isMomentary ? undefined : asks);
    const watched = asking ?? single;
    let line = words[RASTER_LINE];
    let isAsked = questions.isAsked && (words[STEP] & 7) === 0;
    /** What was asked about last is not the case. */
    let isFalse = false;
    let gates = asking && questions.gates?.();
    for (let left = cycles; left > 0; ) {
      const isAtBorder = (words[STEP] & 7) === 0;
      const isHeld = words[BA] === 0;
      const cycle = words[VIC_CYCLE];
      let isGated = false;
      if (isAtBorder && !isAsked) {
        const isInterrupted = this.#takeInterrupt();
        isGated = gates?.isAlways === true && asking?.pass(gates, this.#memory.reads, cycle) === true;
        const isShut = isGated && asking?.isOpen(this.#cpu.state, this.#memory.bytes) === false;
        isFalse = isShut || asks?.() === false;
        const hasReason =
          isInterrupted ||
          watched.code[words[PC]] !== 0 ||
          (asks !== undefined && !isFalse) ||
          observation?.isStopWanted === true;
        if (hasReason) {
          if (questions.ask()) return true;
          gates = asking && questions.gates?.();
          isGated = false;
        }
        // Not again while the VIC-II keeps the processor from fetching it.
        isAsked = true;
      }
      let passed = 0;
      if (isFree && (isAtBorder || isHeld)) {
        // What waits for the bus runs no instruction.
        if (asking && !isGated && !isHeld) {
          isGated = asking.pass(isFalse || gates?.isAlways === true ? gates : undefined, this.#memory.reads, cycle);
        }
        passed = this.#passFreely(left, isMomentary && asking && !isGated ? single : watched);
      }
      if (passed > 0) {
        left -= passed;
        if (!isHeld) isAsked = false;
        continue;
      }
      this.cycle();
      left -= 1;
      if ((words[STEP] & 7) !== 0) isAsked = false;
      if (lines === undefined || words[RASTER_LINE] === line) continue;
      line = words[RASTER_LINE];
      if (lines.isMarked[line] !== 0 && lines.began()) {
        this.hasAsked = isAsked;
        return true;
      }
    }
    this.hasAsked = isAsked;
    return false;
  }

  /** The same where only what is marked is asked about, and what a chip does. */
  #runToMarks(cycles: number, questions: Questions): boolean {
    const words = this.#words;
    const observation = this.#observation;
    const marked = this.#marked;
    const isFree = !this.#eager;
    const { lines } = questions;
    let line = words[RASTER_LINE];
    let isAsked = questions.isAsked && (words[STEP] & 7) === 0;
    for (let left = cycles; left > 0; ) {
      const isAtBorder = (words[STEP] & 7) === 0;
      if (isAtBorder && !isAsked) {
        const isInterrupted = this.#takeInterrupt();
        const isMarked = marked !== undefined && marked.code[words[PC]] !== 0 && marked.passes?.(words[PC]) !== true;
        if (isInterrupted || isMarked || observation?.isStopWanted === true) {
          if (questions.ask()) return true;
          this.#waiting.forget();
        }
        isAsked = true;
      }
      const isHeld = words[BA] === 0;
      const passed = isFree && (isAtBorder || isHeld) ? this.#passFreely(left, marked) : 0;
      if (passed > 0) {
        left -= passed;
        if (!isHeld) isAsked = false;
        continue;
      }
      this.cycle();
      left -= 1;
      if ((words[STEP] & 7) !== 0) isAsked = false;
      if (lines === undefined || words[RASTER_LINE] === line) continue;
      line = words[RASTER_LINE];
      if (lines.isMarked[line] !== 0 && lines.began()) {
        this.hasAsked = isAsked;
        return true;
      }
    }
    this.hasAsked = isAsked;
    return false;
  }

  /** Whether an interrupt has been taken of which somebody wants to know, and has not been told. */
  #takeInterrupt(): boolean {
    if (this.#observation?.seesInterrupts !== true) return false;
    const taken = this.#interruptsTaken;
    if (taken === this.#interruptsSeen) return false;
    this.#interruptsSeen = taken;
    return true;
  }

  /** Through the next instruction, or to the end of the one in progress; `vic.settle()` has to follow. */
  step(): void {
    const words = this.#words;
    const isAtBorder = (words[STEP] & 7) === 0;
    this.#toldLines = undefined;
    if (isAtBorder && !this.#eager && words[BA] !== 0) {
      const single = this.#observation?.single ?? singleInstruction;
      if (this.#passFreely(longestInstruction, single) > 0) return;
    }
    // While the VIC-II has the bus no instruction begins.
    let hasBegun = !isAtBorder;
    do {
      this.cycle();
      hasBegun ||= (words[STEP] & 7) !== 0;
    } while (!hasBegun || ((words[STEP] & 7) !== 0 && words[JAMMED] === 0));
  }

  get #interruptsTaken(): number {
    return this.#words[IRQ_COUNT] + this.#words[NMI_COUNT];
  }

  /** One cycle; `vic.settle()` has to follow. */
  cycle(): void {
    const words = this.#words;
    if (words[VIC_CYCLE] < words[VIC_FREE]) words[VIC_CYCLE] += 1;
    else this.#vic.tick();
    const left = words[CIA_LEFT];
    if (left > 0) words[CIA_LEFT] = left - 1;
    else this.#tickCias();
    this.#sampleLines();
    if (words[REC_DMA] === 0) this.#cpu.tick();
    else this.#cpu.tickDetached();
    this.#clock[0] += 1;
  }

  /** The lines to the processor. */
  #sampleLines(): void {
    const words = this.#words;
    words[RDY] = words[BA] & ~words[REC_DMA];
    words[IRQ_LINE] = words[VIC_IRQ] | words[CIA1_IRQ] | words[REC_IRQ];
    words[NMI_LINE] = words[CIA2_IRQ] | words[RESTORE] | words[CARTRIDGE_NMI];
  }

  /**
   * Many cycles at once, while no chip has anything to do with the processor: whole instructions, or the wait for the bus.
   * The answer is how many cycles have passed, at most `limit`.
   */
  #passFreely(limit: number, watched: Watched | undefined): number {
    const words = this.#words;
    let vicFree = words[VIC_FREE] - words[VIC_CYCLE];
    const mayLead = vicFree <= lineLead || this.#waiting.isWaiting;
    const toldLines = this.#toldLines;
    if (
      mayLead &&
      words[BA] !== 0 &&
      (toldLines === undefined || toldLines[words[RASTER_LINE] + 1] === 0) &&
      this.#vic.isNextLinePlain
    ) {
      vicFree += lineLead;
    }
    const free = Math.min(limit, vicFree, words[CIA_LEFT]);
    if (free < shortestRun) return 0;
    this.#sampleLines();
    if (words[BA] !== 0) return this.#runInstructions(free, watched);
    if (!this.#cpu.isHeld) return 0;
    this.#pass(free);
    this.#clock[0] += free;
    return free;
  }

  /** The CIAs and the VIC have nothing to do for so many cycles, except that a new line may begin. */
  #pass(cycles: number): void {
    const words = this.#words;
    words[CIA_LEFT] -= cycles;
    const cycle = words[VIC_CYCLE] + cycles;
    const beyond = cycle - words[VIC_FREE];
    words[VIC_CYCLE] = cycle;
    if (beyond > 0) this.#beginLine(beyond);
  }

  /** So many cycles beyond the last one of a line, the first of which begins the next. */
  #beginLine(beyond: number): void {
    const words = this.#words;
    words[VIC_CYCLE] = words[VIC_FREE];
    this.#vic.tick();
    words[VIC_CYCLE] += beyond - 1;
  }

  #runInstructions(budget: number, watched: Watched | undefined): number {
    const words = this.#words;
    const memory = this.#memory;
    const isInterrupted =
      (words[PIPE] | words[NMI_LATCH]) !== 0 ||
      words[NMI_LINE] !== words[NMI_SEEN] ||
      (words[IRQ_LINE] !== 0 && words[MASKED] === 0);
    if (isInterrupted || memory.isLowSeen) return 0;
    const start = this.#clock[0];
    const mayWait = this.#mayWait || this.#waiting.isWaiting;
    this.isTimed = false;
    this.#isUnseen = watched === undefined;
    const { state } = this.#cpu;
    let ran: number;
    if (watched === undefined) {
      ran = mayWait ? this.#waiting.repeat(state, memory, budget) : 0;
      if (ran === 0) ran = runInstructions(state, memory.bytes, memory.reads, memory.unseenWrites, budget, this);
    } else {
      const isObserved = this.#observation !== undefined;
      const reads = isObserved ? memory.watchedReads : memory.reads;
      const writes = isObserved ? memory.watchedWrites : memory.unseenWrites;
      ran =
        watched instanceof AskingWatch
          ? runAskingInstructions(state, memory.bytes, reads, writes, budget, this, watched)
          : runObservedInstructions(state, memory.bytes, reads, writes, budget, this, watched);
    }
    this.#mayWait = ran >= shortestWait && !this.isTimed;
    if (!this.isTimed) this.#pass(ran);
    this.#clock[0] = start + ran;
    return ran;
  }

  /** An access in the given cycle of the instructions that are being run; there is no other in that run. */
  readAt(address: number, cycle: number): number {
    if (this.#isUnseen) {
      const value = this.#parts.steadyRead(address, cycle);
      if (value >= 0) return value;
    }
    this.#goTo(cycle);
    return this.#parts.bus.read(address);
  }

  writeAt(address: number, value: number, cycle: number): void {
    this.#goTo(cycle);
    this.#parts.bus.write(address, value);
  }

  readBackAt(address: number, cycle: number): number {
    this.#goTo(cycle - 2);
    const value = this.#parts.bus.read(address);
    this.writeAfter(address, value);
    return value;
  }

  writeAfter(address: number, value: number): void {
    this.#pass(1);
    this.#clock[0] += 1;
    this.#parts.bus.write(address, value);
  }

  baseOfUnwanted(address: number, value: number): number {
    const base = baseOfPlain(address, this.#memory.unseenWrites);
    return base >= 0 && this.#observation?.isUnwanted?.(address, value) === true ? base : -1;
  }

  passTo(cycle: number): void {
    this.#goTo(cycle);
  }

  #goTo(cycle: number): void {
    this.isTimed = true;
    this.#pass(cycle);
    this.#clock[0] += cycle - 1;
  }

  /** A cycle in which a CIA has something to do besides counting, or something else wants one. */
  #tickCias(): void {
    this.catchUpCias();
    const { cia1, cia2, timed } = this.#parts;
    cia1.tick();
    cia2.tick();
    for (const part of timed) part.tick();
    this.#planCias();
  }

  /** Brings the CIAs up to the present; they are then ticked every cycle until the next plan is made. */
  catchUpCias(): void {
    const words = this.#words;
    const elapsed = words[CIA_SPAN] - words[CIA_LEFT];
    words[CIA_SPAN] = 0;
    words[CIA_LEFT] = 0;
    if (elapsed > 0) {
      this.#parts.cia1.catchUp(elapsed);
      this.#parts.cia2.catchUp(elapsed);
    }
  }

  #planCias(): void {
    const { cia1, cia2, timed } = this.#parts;
    let span = this.#eager ? 0 : Number.MAX_SAFE_INTEGER;
    // A transfer by DMA keeps its part busy in each of its cycles.
    for (const part of timed) if (span > 0) span = Math.min(span, part.quietCycles());
    if (span > 0) span = Math.min(span, cia1.quietCycles(), cia2.quietCycles());
    this.#words[CIA_SPAN] = span;
    this.#words[CIA_LEFT] = span;
  }
}
