import type { Acia6551 } from '../../../chips/acia6551/acia6551.ts';
import { aciaFields } from '../../../chips/acia6551/fields.ts';
import { runAskingInstructions } from '../../../chips/mos6510/asking-instructions.generated.ts';
import { runInstructions } from '../../../chips/mos6510/instructions.generated.ts';
import type { Mos6510 } from '../../../chips/mos6510/mos6510.ts';
import { runObservedInstructions, type Watched } from '../../../chips/mos6510/observed-instructions.generated.ts';
import { fields as cpuFields } from '../../../chips/mos6510/registers.ts';
import { fields as tedFields } from '../../../chips/ted/fields.ts';
import type { Ted } from '../../../chips/ted/ted.ts';
import type { Questions } from '../board/commodore-board.ts';
import { AskingWatch, baseOfPlain, type Observation, singleInstruction } from '../board/observation.ts';
import { type BoardClock, placesIn, type StateWords } from '../board/state-words.ts';
import type { Datasette } from '../drive/datasette.ts';
import type { DriveSet } from '../drive/drive-set.ts';
import type { MemoryMap } from './memory-map.ts';
import { boardFields, plus4Layout } from './plus4-state.ts';

/** A word of a part, counted from the start of the buffer: the wiring of every cycle uses one view of everything. */
const word = placesIn(plus4Layout);

const IRQ_LINE = word('cpu', cpuFields.irqLine);
const RDY = word('cpu', cpuFields.rdy);
const STEP = word('cpu', cpuFields.step);
const PC = word('cpu', cpuFields.pc);
const JAMMED = word('cpu', cpuFields.jammed);
const IRQ_COUNT = word('cpu', cpuFields.irqCount);
const PIPE = word('cpu', cpuFields.pipe);
const MASKED = word('cpu', cpuFields.i);
const HORIZONTAL = word('ted', tedFields.horizontal);
const SINGLE = word('ted', tedFields.single);
const TED_IRQ = word('ted', tedFields.irq);
const CLOCKED = word('ted', tedFields.clocked);
const MAY_READ = word('ted', tedFields.rdy);
const DMA_STEP = word('ted', tedFields.dmaStep);
const ACIA_IRQ = word('acia', aciaFields.irq);
const TIMED_SPAN = word('board', boardFields.timedSpan);
const TIMED_LEFT = word('board', boardFields.timedLeft);
const TAPE_READ = word('board', boardFields.tapeRead);
const TAPE_RISE = word('board', boardFields.tapeRise);

const longestPlan = 1_000_000;
/** Shorter stretches are left to single cycles. */
const shortestRun = 3;

interface Parts {
  readonly cpu: Mos6510;
  readonly ted: Ted;
  readonly memory: MemoryMap;
  readonly bus: { read(address: number): number; write(address: number, value: number): void };
  readonly drives: DriveSet;
  readonly tape: Datasette;
  readonly acia: Acia6551 | undefined;
}

/**
 * The schematic in time. What is counted are half cycles of the single clock: in each the TED, what hangs on the bus and has a time
 * of its own, and the processor if the TED gives it a cycle: in even halves always, in odd ones while the clock is doubled.
 */
export class BoardTime {
  readonly #words: StateWords;
  readonly #clock: BoardClock;
  readonly #eager: boolean;
  readonly #parts: Parts;
  readonly #cpu: Mos6510;
  readonly #ted: Ted;
  readonly #memory: MemoryMap;
  #observation: Observation | undefined;
  /** Half cycles that the TED is behind, and how many it may be before somebody has to look again. */
  #lag = 0;
  #quiet = 0;
  #rate = 1;
  isTimed = false;
  /** Whether the instruction that comes next was asked about in the last `runObserved`. */
  hasAsked = false;

  /** `clock`: the half cycle that it is. `eager`: nothing is ever left alone. */
  constructor(words: StateWords, clock: BoardClock, eager: boolean, parts: Parts) {
    this.#words = words;
    this.#clock = clock;
    this.#eager = eager;
    this.#parts = parts;
    this.#cpu = parts.cpu;
    this.#ted = parts.ted;
    this.#memory = parts.memory;
  }

  run(cycles: number): void {
    for (let left = cycles; left > 0; ) {
      const passed = this.#eager ? 0 : this.#passFreely(left, this.#observation);
      if (passed === 0) this.cycle();
      left -= Math.max(1, passed);
    }
    this.catchUpTed();
  }

  /** Somebody watches, or nobody any more. */
  observe(observation: Observation | undefined): void {
    this.#observation = observation;
    this.#memory.watch(observation);
  }

  /**
   * As `run`, but asks before each instruction that is marked, after one that has touched something, and after interrupts;
   * ends there if the answer is true, and is then true itself.
   */
  runObserved(cycles: number, questions: Questions): boolean {
    const words = this.#words;
    const observation = this.#observation;
    const asks = questions.isEach ? questions.asks : undefined;
    const each = asks ? new AskingWatch(observation, asks) : (observation?.single ?? singleInstruction);
    const watched = questions.isEach ? each : observation;
    let isAsked = questions.isAsked && this.#isAtBorder;
    let taken = words[IRQ_COUNT];
    for (let left = cycles; left > 0; ) {
      if (watched !== undefined && !isAsked && this.#isAtBorder) {
        const isInterrupted = observation?.seesInterrupts === true && words[IRQ_COUNT] !== taken;
        taken = words[IRQ_COUNT];
        const isMarked = watched.code[words[PC]] !== 0;
        if (isMarked || isInterrupted || asks?.() === true || observation?.isStopWanted === true) {
          this.catchUpTed();
          if (questions.ask()) return true;
        }
        // Not again while the TED keeps the processor from fetching it.
        isAsked = true;
      }
      const isHeld = words[MAY_READ] === 0;
      const passed = this.#eager ? 0 : this.#passFreely(left, observation, watched);
      if (passed === 0) this.cycle();
      // A single half cycle is none of the processor's.
      if (!this.#isAtBorder || (passed > 1 && !isHeld)) isAsked = false;
      left -= Math.max(1, passed);
    }
    this.hasAsked = isAsked;
    this.catchUpTed();
    return false;
  }

  get #isAtBorder(): boolean {
    return (this.#words[STEP] & 7) === 0;
  }

  /** Through the next instruction, or to the end of the one in progress. */
  step(): void {
    const words = this.#words;
    // While the TED has the bus no instruction begins.
    let hasBegun = !this.#isAtBorder;
    do {
      this.cycle();
      hasBegun ||= !this.#isAtBorder;
    } while (!hasBegun || (!this.#isAtBorder && words[JAMMED] === 0));
  }

  cycle(): void {
    const words = this.#words;
    this.catchUpTed();
    this.#ted.tick();
    if (words[TIMED_LEFT] > 0) words[TIMED_LEFT] -= 1;
    else this.#tickTimed();
    if (words[CLOCKED] !== 0) {
      this.#sampleLines();
      this.#cpu.tick();
    }
    this.#clock[0] += 1;
  }

  /** The lines to the processor. */
  #sampleLines(): void {
    const words = this.#words;
    words[RDY] = words[MAY_READ];
    words[IRQ_LINE] = words[TED_IRQ] | words[ACIA_IRQ];
  }

  /** Makes up for what the TED was spared. */
  catchUpTed(): void {
    const lag = this.#lag;
    this.#lag = 0;
    this.#quiet = 0;
    if (lag > 0) this.#ted.run(lag);
  }

  /**
   * Many half cycles at once, while nothing changes for the processor: whole instructions, or the wait for the bus. The answer is how
   * many have passed, at most `limit`.
   */
  #passFreely(limit: number, observation: Observation | undefined, watched: Watched | undefined = observation): number {
    const words = this.#words;
    if (this.#quiet - this.#lag < shortestRun) {
      this.catchUpTed();
      this.#quiet = this.#ted.quietCycles;
    }
    const free = Math.min(limit, this.#quiet - this.#lag, words[TIMED_LEFT]);
    if (free < shortestRun) return 0;
    if (words[MAY_READ] === 0) return this.#passHeld(free);
    // The TED has the bus; only between two of its accesses nobody is held up.
    if (words[DMA_STEP] !== 0) return 0;
    if (!this.#isAtBorder || this.#memory.isLowSeen) return 0;
    const isSingle = words[SINGLE] !== 0;
    // The next half cycle has to be one of the processor's.
    if (isSingle && ((words[HORIZONTAL] + this.#lag) & 1) === 0) {
      this.#pass(1);
      this.#clock[0] += 1;
      return 1;
    }
    return this.#runInstructions(isSingle ? free >> 1 : free, isSingle ? 2 : 1, observation, watched);
  }

  #passHeld(free: number): number {
    this.#sampleLines();
    if (!this.#cpu.isHeld) return 0;
    this.#pass(free);
    this.#clock[0] += free;
    return free;
  }

  #pass(halves: number): void {
    this.#lag += halves;
    this.#words[TIMED_LEFT] -= halves;
  }

  /** `rate`: half cycles for each cycle of the processor. */
  #runInstructions(
    budget: number,
    rate: number,
    observation: Observation | undefined,
    watched: Watched | undefined,
  ): number {
    const words = this.#words;
    const memory = this.#memory;
    this.#sampleLines();
    const isInterrupted = words[PIPE] !== 0 || (words[IRQ_LINE] !== 0 && words[MASKED] === 0) || words[RDY] === 0;
    if (isInterrupted) return 0;
    const start = this.#clock[0];
    this.#rate = rate;
    this.isTimed = false;
    const { state } = this.#cpu;
    let ran: number;
    if (watched === undefined) {
      ran = runInstructions(state, memory.bytes, memory.reads, memory.unseenWrites, budget, this);
    } else {
      const [reads, writes] = observation
        ? [memory.watchedReads, memory.watchedWrites]
        : [memory.reads, memory.unseenWrites];
      ran =
        watched instanceof AskingWatch
          ? runAskingInstructions(state, memory.bytes, reads, writes, budget, this, watched)
          : runObservedInstructions(state, memory.bytes, reads, writes, budget, this, watched);
    }
    if (ran === 0) return 0;
    const halves = (ran - 1) * rate + 1;
    if (!this.isTimed) this.#pass(halves);
    this.#clock[0] = start + halves;
    return halves;
  }

  /** An access in the given cycle of the instructions that are being run; there is no other in that run. */
  readAt(address: number, cycle: number): number {
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

  baseOfUnwanted(address: number, value: number): number {
    const base = baseOfPlain(address, this.#memory.unseenWrites);
    return base >= 0 && this.#observation?.isUnwanted?.(address, value) === true ? base : -1;
  }

  writeAfter(address: number, value: number): void {
    this.#pass(this.#rate);
    this.#clock[0] += this.#rate;
    this.catchUpTed();
    this.#parts.bus.write(address, value);
  }

  passTo(cycle: number): void {
    this.#goTo(cycle);
  }

  #goTo(cycle: number): void {
    const halves = (cycle - 1) * this.#rate + 1;
    this.isTimed = true;
    this.#pass(halves);
    this.#clock[0] += halves - 1;
    this.catchUpTed();
  }

  /** A half cycle in which a drive, the datasette or the ACIA has something to do. The first two only know the single clock. */
  #tickTimed(): void {
    const words = this.#words;
    this.planAnew();
    this.#passTimed(1);
    if ((this.#clock[0] & 1) !== 0) return;
    const { drives, tape } = this.#parts;
    drives.tick();
    tape.tick();
    if (!this.#eager) words[TIMED_SPAN] = words[TIMED_LEFT] = this.#quietCycles();
  }

  #quietCycles(): number {
    const { drives, tape, acia } = this.#parts;
    const single = Math.min(drives.quietCycles(), tape.quietCycles(), longestPlan);
    const rise = this.#words[TAPE_RISE];
    const quiet = Math.min(2 * single, acia?.quietCycles() ?? longestPlan, rise === 0 ? longestPlan : rise - 1);
    return Math.max(0, quiet);
  }

  /** Brings all of them up to the present; they are then asked in every half cycle until there is a new plan. */
  planAnew(): void {
    const words = this.#words;
    const elapsed = words[TIMED_SPAN] - words[TIMED_LEFT];
    words[TIMED_SPAN] = 0;
    words[TIMED_LEFT] = 0;
    if (elapsed > 0) this.#passTimed(elapsed);
  }

  #passTimed(cycles: number): void {
    const words = this.#words;
    this.#parts.acia?.catchUp(cycles);
    const rise = words[TAPE_RISE];
    if (rise === 0) return;
    words[TAPE_RISE] = Math.max(0, rise - cycles);
    if (words[TAPE_RISE] === 0) words[TAPE_READ] = 1;
  }

  /** The datasette's READ falls, and rises again after so many cycles of the single clock. */
  tapeWave(low: number): void {
    this.#words[TAPE_READ] = 0;
    this.#words[TAPE_RISE] = Math.max(1, 2 * low);
  }
}
