import { runInstructionsOnBus } from '../../../chips/mos6510/instructions-on-bus.generated.ts';
import type { Mos6510 } from '../../../chips/mos6510/mos6510.ts';
import { fields as cpuFields } from '../../../chips/mos6510/registers.ts';
import { fields as vicFields } from '../../../chips/mos6560/fields.ts';
import type { Mos6560 } from '../../../chips/mos6560/mos6560.ts';
import { fields as viaFields } from '../../../chips/via6522/fields.ts';
import type { Via6522 } from '../../../chips/via6522/via6522.ts';
import type { Questions } from '../board/commodore-board.ts';
import type { Observation } from '../board/observation.ts';
import { type BoardClock, placesIn, type StateWords } from '../board/state-words.ts';
import type { TimedPart } from '../board/timed-part.ts';
import type { MemoryMap } from './memory-map.ts';
import type { ViaPorts } from './via-ports.ts';
import { boardFields, vic20Layout } from './vic20-state.ts';

/** A word of a part, counted from the start of the buffer: the wiring of every cycle uses one view of everything. */
const word = placesIn(vic20Layout);

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
const VIC_FREE = word('vic', vicFields.freeUntil);
const SHARED = word('vic', vicFields.busByte);
const SHARED_ADDRESS = word('vic', vicFields.busAddress);
const VIA1_IRQ = word('via1', viaFields.irq);
const VIA2_IRQ = word('via2', viaFields.irq);
const VIA_SPAN = word('board', boardFields.viaSpan);
const VIA_LEFT = word('board', boardFields.viaLeft);
const BUS_BYTE = word('board', boardFields.busByte);

/** Shorter stretches are left to single cycles. */
const shortestRun = 3;

const nothingMarked = new Uint8Array(0x10000);

interface Parts {
  readonly cpu: Mos6510;
  readonly vic: Mos6560;
  readonly via1: Via6522;
  readonly via2: Via6522;
  readonly ports: ViaPorts;
  readonly memory: MemoryMap;
  readonly bus: { read(address: number): number; write(address: number, value: number): void };
  readonly timed: readonly TimedPart[];
}

/**
 * The schematic in time: in each cycle VIC, VIAs and what hangs on them, their lines to the processor (VIA 1 pulls NMI, VIA 2
 * IRQ), the processor. Whatever has nothing to do but count is left alone until somebody asks for it.
 */
export class BoardTime {
  readonly #words: StateWords;
  readonly #clock: BoardClock;
  readonly #eager: boolean;
  readonly #parts: Parts;
  readonly #cpu: Mos6510;
  readonly #vic: Mos6560;
  readonly #memory: MemoryMap;
  /** What was last on the half of the bus that the VIC shares, and the address of the last read there. */
  readonly #shared: Int32Array;
  #timedAccess = false;
  #observation: Observation | undefined;
  /** Whether every access of the processor is to be made, one by one, because somebody watches the zero page or the stack. */
  #isLowWatched = false;
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
    this.#shared = words.subarray(SHARED, SHARED_ADDRESS + 1);
  }

  run(cycles: number): void {
    const words = this.#words;
    const isFree = !this.#eager && !this.#isLowWatched;
    let left = cycles;
    while (left > 0) {
      if (isFree && (words[STEP] & 7) === 0) {
        const passed = this.#runInstructions(left, nothingMarked, undefined);
        left -= passed;
        if (passed > 0) continue;
      }
      this.cycle();
      left -= 1;
    }
  }

  /**
   * Somebody watches, or nobody any more. Marked code costs nothing, watched pages little; where the zero page or the stack
   * is watched, all cycles are run one by one.
   */
  observe(observation: Observation | undefined): void {
    if (observation?.seesInterrupts !== true) this.#interruptsSeen = this.#interruptsTaken;
    this.#observation = observation;
    this.#memory.watch(observation);
    const { readPages, writePages } = observation ?? {};
    this.#isLowWatched = [readPages, writePages].some((pages) => pages?.subarray(0, 2).includes(1) === true);
  }

  /**
   * As `run`, but asks before each instruction that is marked, after one that has touched something, and after interrupts;
   * ends there if the answer is true, and is then true itself.
   */
  runObserved(cycles: number, questions: Questions): boolean {
    const words = this.#words;
    const observation = this.#observation;
    const code = observation?.code ?? nothingMarked;
    const asks = questions.isEach ? questions.asks : undefined;
    const isAll = questions.isEach && asks === undefined;
    const isFree = !this.#eager && !this.#isLowWatched && !isAll;
    let isAsked = questions.isAsked && (words[STEP] & 7) === 0;
    for (let left = cycles; left > 0; ) {
      const isAtBorder = (words[STEP] & 7) === 0;
      if (isAtBorder && !isAsked) {
        const isInterrupted = observation?.seesInterrupts === true && this.#interruptsTaken !== this.#interruptsSeen;
        if (isInterrupted) this.#interruptsSeen = this.#interruptsTaken;
        const isMarked = isAll || code[words[PC]] !== 0 || asks?.() === true;
        if ((isMarked || isInterrupted || observation?.isStopWanted === true) && questions.ask()) return true;
        isAsked = true;
      }
      const passed = isFree && isAtBorder ? this.#runInstructions(left, code, asks) : 0;
      if (passed > 0) {
        left -= passed;
        isAsked = false;
        continue;
      }
      this.cycle();
      left -= 1;
      if ((words[STEP] & 7) !== 0) isAsked = false;
    }
    this.hasAsked = isAsked;
    return false;
  }

  /** Through the next instruction, or to the end of the one in progress. */
  step(): void {
    do this.cycle();
    while ((this.#words[STEP] & 7) !== 0 && this.#words[JAMMED] === 0);
  }

  get #interruptsTaken(): number {
    return this.#words[IRQ_COUNT] + this.#words[NMI_COUNT];
  }

  cycle(): void {
    const words = this.#words;
    if (words[VIC_CYCLE] < words[VIC_FREE]) words[VIC_CYCLE] += 1;
    else this.#vic.tick();
    const left = words[VIA_LEFT];
    if (left > 0) words[VIA_LEFT] = left - 1;
    else this.#tickVias();
    this.#sampleLines();
    this.#cpu.tick();
    this.#clock[0] += 1;
  }

  /** The lines to the processor. */
  #sampleLines(): void {
    const words = this.#words;
    words[IRQ_LINE] = words[VIA2_IRQ];
    words[NMI_LINE] = words[VIA1_IRQ];
  }

  /** Whole instructions, while no chip has anything to do with the processor. The answer is how many cycles have passed. */
  #runInstructions(limit: number, code: Uint8Array, asks: (() => boolean) | undefined): number {
    const words = this.#words;
    const memory = this.#memory;
    const vicFree = words[VIC_FREE] - words[VIC_CYCLE];
    const free = Math.min(limit, vicFree, words[VIA_LEFT]);
    if (free < shortestRun || memory.isLowSeen) return 0;
    this.#sampleLines();
    const isInterrupted =
      (words[PIPE] | words[NMI_LATCH]) !== 0 ||
      words[NMI_LINE] !== words[NMI_SEEN] ||
      (words[IRQ_LINE] !== 0 && words[MASKED] === 0);
    if (isInterrupted) return 0;
    const start = this.#clock[0];
    this.#timedAccess = false;
    const isWatched = this.#observation !== undefined;
    const reads = isWatched ? memory.watchedReads : memory.reads;
    const writes = isWatched ? memory.watchedWrites : memory.unseenWrites;
    const ran = runInstructionsOnBus(
      this.#cpu.state,
      memory.bytes,
      reads,
      writes,
      free,
      this,
      this.#shared,
      code,
      asks,
    );
    if (!this.#timedAccess) this.#pass(ran);
    this.#clock[0] = start + ran;
    return ran;
  }

  /** The VIAs and the VIC have nothing to do for so many cycles. */
  #pass(cycles: number): void {
    this.#words[VIC_CYCLE] += cycles;
    this.#words[VIA_LEFT] -= cycles;
  }

  /** An access in the given cycle of the instructions that are being run; there is no other in that run. */
  readAt(address: number, cycle: number, last: number, shared: number, sharedAddress: number): number {
    this.#goTo(cycle);
    this.#words[BUS_BYTE] = last;
    this.#words[SHARED] = shared;
    this.#words[SHARED_ADDRESS] = sharedAddress;
    return this.#parts.bus.read(address);
  }

  writeAt(address: number, value: number, cycle: number): void {
    this.#goTo(cycle);
    this.#parts.bus.write(address, value);
  }

  #goTo(cycle: number): void {
    this.#timedAccess = true;
    this.#pass(cycle);
    this.#clock[0] += cycle - 1;
  }

  /** A cycle in which a VIA has something to do besides counting, or something else wants one. */
  #tickVias(): void {
    this.catchUpVias();
    const { via1, via2, ports, timed } = this.#parts;
    const before = ports.handshakeLevels;
    via1.tick();
    via2.tick();
    if (ports.handshakeLevels !== before) ports.changed();
    for (const part of timed) part.tick();
    this.#planVias();
  }

  /** Brings the VIAs up to the present; they are then ticked every cycle until the next plan is made. */
  catchUpVias(): void {
    const words = this.#words;
    const elapsed = words[VIA_SPAN] - words[VIA_LEFT];
    words[VIA_SPAN] = 0;
    words[VIA_LEFT] = 0;
    if (elapsed > 0) {
      this.#parts.via1.catchUp(elapsed);
      this.#parts.via2.catchUp(elapsed);
    }
  }

  #planVias(): void {
    const { via1, via2, timed } = this.#parts;
    let span = 0;
    if (!this.#eager) {
      span = Math.min(via1.quietCycles(), via2.quietCycles());
      for (const part of timed) span = Math.min(span, part.quietCycles());
    }
    this.#words[VIA_SPAN] = span;
    this.#words[VIA_LEFT] = span;
  }
}
