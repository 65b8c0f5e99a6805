import { fields } from '../../../chips/mos6510/registers.ts';
import { heldAtPresent } from '../../shared/held-at-present.ts';
import { History, type Mark } from '../../shared/history.ts';
import type { Timeline } from '../../shared/history-rewind.ts';
import { PageShelf, type ShelvedBytes } from '../../shared/page-shelf.ts';
import type { TimeSlice } from '../../shared/time-slice.ts';
import type { CommodoreBoard, Questions } from '../board/commodore-board.ts';
import { applyInput, holdOf, type InputEvent, isDown } from './input-event.ts';
import { superfluousKeyframes } from './superfluous-keyframes.ts';

/** A past takes less, by as much as the next frames may add. */
const mostKeptBytes = 9_700_000;
const cyclesBetweenLooks = 8192;
/** In cycles also where instructions are counted: DMA holds a processor up for as many as there is memory. */
const cyclesBetweenVisits = 256;
/** A frame changes about 5 KB of 98, here and there. */
const pageBytes = 1024;

/** For states that are on their way to a board or to the shelf. All boards of the process use it, one at a time. */
let scratchBytes = new Uint8Array();

function scratch(length: number): Uint8Array {
  if (scratchBytes.length !== length) scratchBytes = new Uint8Array(length);
  return scratchBytes;
}

/** The past that machines of one make have in common. */
export interface WayBack {
  readonly shelf: PageShelf;
  readonly keyframes: readonly Mark<ShelvedBytes>[];
}

/** The board's time, in cycles, with every input at its cycle. */
export class CommodoreTimeline implements Timeline<InputEvent, Uint8Array> {
  readonly frameSpan: number;
  readonly drawnSpan: number;
  readonly history: History<InputEvent, Uint8Array, ShelvedBytes>;
  readonly #board: CommodoreBoard;
  #shelf = new PageShelf(pageBytes);

  constructor(board: CommodoreBoard) {
    this.frameSpan = board.frameSpan;
    this.drawnSpan = board.frameSpan;
    this.#board = board;
    this.history = new History<InputEvent, Uint8Array, ShelvedBytes>({
      get now() {
        return board.cycles;
      },
      save: () => board.snapshot(),
      restore: (state) => board.restore(state),
      keep: (like) => this.#shelf.put(board.snapshot(scratch(board.bytes.length)), like),
      recall: (state) => {
        const bytes = scratch(state.length);
        this.#shelf.read(state, bytes);
        board.restore(bytes);
      },
      discard: (state) => this.#shelf.drop(state),
      keptBytes: () => this.#shelf.bytes,
      apply: (event) => applyInput(board, event),
      heldNow: (future) => heldAtPresent(future, holdOf, (event) => isDown(board, event)),
      superfluous: (keyframes) => superfluousKeyframes(keyframes, this.frameSpan, this.#shelf.bytes > mostKeptBytes),
    });
  }

  get now(): number {
    return this.#board.cycles;
  }

  /** The past as it is now, whatever becomes of this one. */
  get wayBack(): WayBack {
    return { shelf: this.#shelf.copy(), keyframes: this.history.keyframes };
  }

  /** Has such a past instead of its own. */
  adopt({ shelf, keyframes }: WayBack): void {
    this.#shelf = shelf.copy();
    this.history.adopt(keyframes);
  }

  /** Whether the next instruction begins here. */
  get isAtBorder(): boolean {
    return (this.#board.cpu.state[fields.step] & 7) === 0;
  }

  /** Runs one instruction to its end; `due` is called if it comes to this cycle. False if the processor is jammed. */
  stepInstruction(at = Number.POSITIVE_INFINITY, due = () => {}): boolean {
    const board = this.#board;
    board.drives.letGo();
    const isQuiet = Math.min(this.history.nextInputTime, at) > board.cycles + board.longestInstruction;
    if (isQuiet) return board.stepInstruction();
    this.#tickThrough(Number.POSITIVE_INFINITY, at, due);
    return board.cpu.state[fields.jammed] === 0;
  }

  /** The same, cycle by cycle, and at most to this one. */
  #tickThrough(end: number, at = Number.POSITIVE_INFINITY, due = () => {}): void {
    const board = this.#board;
    // While a VIC-II has the bus no instruction begins.
    let hasBegun = !this.isAtBorder;
    do {
      board.drives.letGo();
      board.tick();
      if (board.cycles === at) due();
      this.history.giveInputs();
      hasBegun ||= !this.isAtBorder;
    } while ((!hasBegun || !this.isAtBorder) && board.cycles < end && board.cpu.state[fields.jammed] === 0);
  }

  /** Runs from a keyframe at or before `from` to the present again, which is then as it was. `visit` is called before each instruction. */
  replay(from: number, visit: () => void): void {
    const board = this.#board;
    const { frame, cycles: end } = board;
    board.catchUp();
    const picture = frame.slice();
    this.history.rewindTo(from);
    while (board.cycles < end) {
      if (this.isAtBorder) visit();
      if (board.cycles + board.longestInstruction < end) this.stepInstruction();
      else this.#tickThrough(end);
    }
    frame.set(picture);
  }

  /**
   * Runs on through the past; `visit` is called before each instruction from a time on. True when it has come to its end, false when
   * it has taken long enough.
   */
  visitOn({ from, to }: { readonly from: number; readonly to: number }, visit: () => void, until: number): boolean {
    const board = this.#board;
    let look = board.cycles + cyclesBetweenVisits;
    while (board.cycles < to && board.cpu.state[fields.jammed] === 0) {
      if (this.isAtBorder && board.cycles >= from) visit();
      if (board.cycles + board.longestInstruction < to) this.stepInstruction();
      else this.#tickThrough(to);
      if (board.cycles < look) continue;
      if (performance.now() >= until) return false;
      look = board.cycles + cyclesBetweenVisits;
    }
    return true;
  }

  /** Whatever the board does meanwhile, it is then as it was. */
  unchanged(action: () => void): void {
    const board = this.#board;
    const { frame } = board;
    board.catchUp();
    const picture = frame.slice();
    const present = this.history.mark();
    try {
      action();
    } finally {
      this.history.returnTo(present);
      frame.set(picture);
    }
  }

  finishInstruction(): void {
    if (!this.isAtBorder) this.stepInstruction();
  }

  runTo(cycle: number, until = Number.POSITIVE_INFINITY): boolean {
    const board = this.#board;
    while (board.cycles < cycle) {
      const look = board.cycles + cyclesBetweenLooks;
      board.drives.letGo();
      board.runCycles(Math.min(cycle, look, this.history.nextInputTime) - board.cycles);
      this.history.giveInputs();
      if (performance.now() >= until) break;
    }
    return board.cycles >= cycle;
  }

  /** As `runTo`, but asks where something is watched for, and ends there if the answer is true. True if it has. */
  runObserved(cycle: number, questions: Questions): boolean {
    const board = this.#board;
    let asked = questions;
    while (board.cycles < cycle) {
      board.drives.letGo();
      if (board.runObserved(Math.min(cycle, this.history.nextInputTime) - board.cycles, asked)) return true;
      this.history.giveInputs();
      if (asked.isAsked) asked = { ...questions, isAsked: false };
    }
    return false;
  }

  async instructionBefore(
    count: number,
    slice: TimeSlice,
  ): Promise<{ readonly time: number; readonly missing: number }> {
    let time = this.#board.cycles;
    let missing = count;
    while (missing > 0 && time > this.history.firstTime) {
      const starts = await this.#instructionsBefore(time, slice);
      if (starts.length === 0) break;
      const taken = Math.min(missing, starts.length);
      time = starts[starts.length - taken] ?? time;
      missing -= taken;
    }
    return { time, missing };
  }

  /**
   * The cycles at which instructions began, from a keyframe before `cycle` up to it: the nearest with any between, since
   * keyframes also lie within instructions. Empty where the past begins.
   */
  async #instructionsBefore(cycle: number, slice: TimeSlice): Promise<number[]> {
    const starts: number[] = [];
    for (let from = cycle; starts.length === 0 && from > this.history.firstTime; ) {
      this.history.rewindTo(from - 1);
      from = this.#board.cycles;
      let look = from + cyclesBetweenVisits;
      while (this.#board.cycles < cycle) {
        if (this.isAtBorder) starts.push(this.#board.cycles);
        this.stepInstruction();
        if (this.#board.cycles < look) continue;
        if (slice.isOver) await slice.next();
        look = this.#board.cycles + cyclesBetweenVisits;
      }
    }
    return starts;
  }
}
