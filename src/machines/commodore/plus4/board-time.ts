import type { Acia6551 } from '../../../chips/acia6551/acia6551.ts';
import { aciaFields } from '../../../chips/acia6551/fields.ts';
import type { Mos6510 } from '../../../chips/mos6510/mos6510.ts';
import { fields as cpuFields } from '../../../chips/mos6510/registers.ts';
import { fields as tedFields } from '../../../chips/ted/fields.ts';
import type { Ted } from '../../../chips/ted/ted.ts';
import type { Questions } from '../board/commodore-board.ts';
import type { Observation } from '../board/observation.ts';
import type { Datasette } from '../drive/datasette.ts';
import type { DriveSet } from '../drive/drive-set.ts';
import type { MemoryMap } from './memory-map.ts';
import { boardFields, plus4Layout } from './plus4-state.ts';

/** A word of a part, counted from the start of the buffer: the wiring of every cycle uses one view of everything. */
const word = (part: keyof typeof plus4Layout.offsets, field: number) => (plus4Layout.offsets[part] >> 2) + field;

const IRQ_LINE = word('cpu', cpuFields.irqLine);
const RDY = word('cpu', cpuFields.rdy);
const STEP = word('cpu', cpuFields.step);
const PC = word('cpu', cpuFields.pc);
const JAMMED = word('cpu', cpuFields.jammed);
const IRQ_COUNT = word('cpu', cpuFields.irqCount);
const TED_IRQ = word('ted', tedFields.irq);
const CLOCKED = word('ted', tedFields.clocked);
const MAY_READ = word('ted', tedFields.rdy);
const ACIA_IRQ = word('acia', aciaFields.irq);
const TIMED_SPAN = word('board', boardFields.timedSpan);
const TIMED_LEFT = word('board', boardFields.timedLeft);
const TAPE_READ = word('board', boardFields.tapeRead);
const TAPE_RISE = word('board', boardFields.tapeRise);

const longestPlan = 1_000_000;
const nothingMarked = new Uint8Array(0x10000);

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
  readonly #words: Int32Array;
  readonly #clock: Float64Array;
  readonly #eager: boolean;
  readonly #parts: Parts;
  readonly #cpu: Mos6510;
  readonly #ted: Ted;
  #observation: Observation | undefined;
  /** Whether the instruction that comes next was asked about in the last `runObserved`. */
  hasAsked = false;

  /** `clock`: the half cycle that it is. `eager`: nothing is ever left alone. */
  constructor(words: Int32Array, clock: Float64Array, eager: boolean, parts: Parts) {
    this.#words = words;
    this.#clock = clock;
    this.#eager = eager;
    this.#parts = parts;
    this.#cpu = parts.cpu;
    this.#ted = parts.ted;
  }

  run(cycles: number): void {
    for (let left = cycles; left > 0; left -= 1) this.cycle();
  }

  /** Somebody watches, or nobody any more. */
  observe(observation: Observation | undefined): void {
    this.#observation = observation;
  }

  /**
   * As `run`, but asks before each instruction that is marked, after one that has touched something, and after interrupts;
   * ends there if the answer is true, and is then true itself.
   */
  runObserved(cycles: number, questions: Questions): boolean {
    const words = this.#words;
    const observation = this.#observation;
    const code = observation?.code ?? nothingMarked;
    let isAsked = questions.isAsked && this.#isAtBorder;
    let taken = words[IRQ_COUNT] as number;
    for (let left = cycles; left > 0; left -= 1) {
      if (!isAsked && this.#isAtBorder) {
        const isInterrupted = observation?.seesInterrupts === true && words[IRQ_COUNT] !== taken;
        taken = words[IRQ_COUNT] as number;
        const isMarked = questions.isEach || code[words[PC] as number] !== 0;
        if ((isMarked || isInterrupted || observation?.isStopWanted === true) && questions.ask()) return true;
        isAsked = true;
      }
      this.cycle();
      if (!this.#isAtBorder) isAsked = false;
    }
    this.hasAsked = isAsked;
    return false;
  }

  get #isAtBorder(): boolean {
    return ((this.#words[STEP] as number) & 7) === 0;
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
    this.#ted.tick();
    if ((words[TIMED_LEFT] as number) > 0) (words[TIMED_LEFT] as number) -= 1;
    else this.#tickTimed();
    if (words[CLOCKED] !== 0) {
      words[RDY] = words[MAY_READ] as number;
      words[IRQ_LINE] = (words[TED_IRQ] as number) | (words[ACIA_IRQ] as number);
      this.#cpu.tick();
    }
    (this.#clock[0] as number) += 1;
  }

  /** A half cycle in which a drive, the datasette or the ACIA has something to do. The first two only know the single clock. */
  #tickTimed(): void {
    const words = this.#words;
    this.planAnew();
    this.#passTimed(1);
    if (((this.#clock[0] as number) & 1) !== 0) return;
    const { drives, tape } = this.#parts;
    drives.tick();
    tape.tick();
    if (!this.#eager) words[TIMED_SPAN] = words[TIMED_LEFT] = this.#quietCycles();
  }

  #quietCycles(): number {
    const { drives, tape, acia } = this.#parts;
    const single = Math.min(drives.quietCycles(), tape.quietCycles(), longestPlan);
    const rise = this.#words[TAPE_RISE] as number;
    const quiet = Math.min(2 * single, acia?.quietCycles() ?? longestPlan, rise === 0 ? longestPlan : rise - 1);
    return Math.max(0, quiet);
  }

  /** Brings all of them up to the present; they are then asked in every half cycle until there is a new plan. */
  planAnew(): void {
    const words = this.#words;
    const elapsed = (words[TIMED_SPAN] as number) - (words[TIMED_LEFT] as number);
    words[TIMED_SPAN] = 0;
    words[TIMED_LEFT] = 0;
    if (elapsed > 0) this.#passTimed(elapsed);
  }

  #passTimed(cycles: number): void {
    const words = this.#words;
    this.#parts.acia?.catchUp(cycles);
    const rise = words[TAPE_RISE] as number;
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
