import type { GraphMoment } from '../../../chips/x86/graph/moment.ts';
import type { RunEnd } from '../../../chips/x86/run-end.ts';
import { heldAtPresent } from '../../shared/held-at-present.ts';
import { History } from '../../shared/history.ts';
import type { Timeline } from '../../shared/history-rewind.ts';
import { PageShelf, type ShelvedBytes } from '../../shared/page-shelf.ts';
import type { TimeSlice } from '../../shared/time-slice.ts';
import type { DosSystem, ServicesState } from '../board/dos-system.ts';
import { applyInput, holdOf, type InputEvent } from './input-event.ts';

/** The retrace rate of a VGA in most modes; what a frame means to tools, whatever mode is on. */
export const frameHz = 70;
/** Keyframes are taken this often in emulated time, and twice as far apart among the older half when there are too many. */
const keyframesPerSecond = 4;
const maxKeyframes = 48;
/** What all keyframes together may take. */
const keyframeBytes = 256 * 1024 * 1024;
/** However much they take. */
const leastKeyframes = 2;
const oldestAtOnce = 4;
const pageBytes = 2048;

/** Instructions that are run before somebody looks at the clock. */
export const instructionsBetweenLooks = 20_000;
/** How much work, in the processor's rounds, is done before somebody looks at the clock: about a millisecond. */
export const effortBetweenLooks = 100_000;

/** Everything there is to the machine at one moment. */
export interface DosMoment {
  readonly state: Uint8Array;
  readonly services: ServicesState;
  /** What was counted by then. */
  readonly graph: GraphMoment;
  /** What drives had taken in memory by then, in all. */
  readonly copiedBytes: number;
}

type Keyframe = Omit<DosMoment, 'state'> & {
  readonly state: ShelvedBytes;
  /** What it takes beside its pages. */
  readonly besideBytes: number;
};

/** What was kept of the machine at a moment of its past. */
export interface KeptMoment {
  readonly time: number;
  readonly moment: DosMoment;
}

/** The machine's time, in instructions, with every input at its instruction. */
export class DosTimeline implements Timeline<InputEvent, DosMoment> {
  readonly frameSpan: number;
  readonly history: History<InputEvent, DosMoment, Keyframe>;
  readonly #system: DosSystem;
  readonly #spacing: number;
  readonly #shelf = new PageShelf(pageBytes);
  /** What keyframes take beside the shelf. */
  #besideBytes = 0;

  constructor(system: DosSystem) {
    const { board } = system;
    const { instructionsPerSecond } = board.options;
    this.frameSpan = Math.round(instructionsPerSecond / frameHz);
    this.#spacing = Math.floor(instructionsPerSecond / keyframesPerSecond);
    this.#system = system;
    this.history = new History<InputEvent, DosMoment, Keyframe>({
      get now() {
        return board.instructions;
      },
      save: () => this.save(),
      saveInPieces: (slice) => this.#saveInPieces(slice),
      restore: (moment) => this.restore(moment),
      keep: (like) => this.#keep(like),
      recall: (keyframe) => this.#recall(keyframe),
      discard: (keyframe) => this.#discard(keyframe),
      keptBytes: () => this.#keptBytes,
      apply: (event) => applyInput(system, event),
      heldNow: (future) =>
        heldAtPresent(future, holdOf, (event) => event.type === 'key' && board.kbc.isKeyDown(event.code)),
      superfluous: ({ length }) => this.#superfluous(length),
    });
  }

  /** The machine as it was at the last keyframe up to a time; its bytes go into `into`, if there is one. */
  keyframeAt(time: number, into: Uint8Array = new Uint8Array(this.#system.board.bytes.length)): KeptMoment {
    const kept = this.history.keyframeAt(Math.min(time, this.now));
    if (!kept) return { time: this.now, moment: this.save() };
    const { besideBytes: _, state, ...rest } = kept.state;
    this.#shelf.read(state, into);
    return { time: kept.time, moment: { ...rest, state: into } };
  }

  get now(): number {
    return this.#system.board.instructions;
  }

  save(): DosMoment {
    return { state: this.#system.board.snapshot(), ...this.#besides() };
  }

  async #saveInPieces(slice: TimeSlice): Promise<DosMoment> {
    return { state: await this.#system.board.snapshotInPieces(slice), ...this.#besides() };
  }

  restore({ state, ...besides }: DosMoment): void {
    this.#system.board.restore(state);
    this.#restoreBesides(besides);
  }

  #keep(like: Keyframe | undefined): Keyframe {
    const state = this.#shelf.put(this.#system.board.bytes, like?.state);
    const besides = this.#besides();
    // What was written to drives since the last keyframe is there as it was and as it is.
    const written = Math.max(0, besides.copiedBytes - (like?.copiedBytes ?? besides.copiedBytes));
    const besideBytes = 3 * besides.graph.counts.byteLength + state.pages.byteLength + written;
    this.#besideBytes += besideBytes;
    return { state, ...besides, besideBytes };
  }

  #discard({ state, besideBytes }: Keyframe): void {
    this.#shelf.drop(state);
    this.#besideBytes -= besideBytes;
  }

  get #keptBytes(): number {
    return this.#shelf.bytes + this.#besideBytes;
  }

  /** Every other one of the older half when there are too many; the oldest when they take too much memory all the same. */
  #superfluous(count: number): readonly number[] {
    const indexes = Array.from({ length: count }, (_, index) => index);
    if (count > maxKeyframes) return indexes.filter((index) => index < count / 2 && index % 2 === 1);
    return this.#keptBytes > keyframeBytes ? indexes.slice(0, Math.min(oldestAtOnce, count - leastKeyframes)) : [];
  }

  #recall({ state, ...besides }: Keyframe): void {
    this.#system.board.restoreFrom((bytes) => this.#shelf.read(state, bytes));
    this.#restoreBesides(besides);
  }

  /** What is no part of the board. */
  #besides(): Omit<DosMoment, 'state'> {
    const { copiedBytes, board } = this.#system;
    return { services: this.#system.save(), graph: board.cpu.saveMoment(), copiedBytes };
  }

  #restoreBesides({ services, graph }: Omit<DosMoment, 'state'>): void {
    this.#system.restore(services);
    this.#system.board.cpu.restoreMoment(graph);
  }

  /** Where a run has to end next for the history's sake: an input to give again, or a keyframe to take. */
  get nextTime(): number {
    return Math.min(this.history.nextInputTime, this.history.newestTime + this.#spacing);
  }

  /** Runs to a time not after `nextTime`, or until the processor stops. `leaving` gets past a breakpoint at the first instruction. */
  advance(until: number, leaving: boolean): RunEnd {
    const end = this.#system.board.run(until, leaving, effortBetweenLooks);
    this.history.giveInputs();
    if (this.now >= this.history.newestTime + this.#spacing) this.history.keep();
    return end;
  }

  runTo(time: number, until: number): boolean {
    while (this.now < time && performance.now() < until) {
      this.advance(Math.min(time, this.nextTime, this.now + instructionsBetweenLooks), true);
    }
    return this.now >= time;
  }

  async instructionBefore(count: number): Promise<{ readonly time: number; readonly missing: number }> {
    const time = Math.max(this.now - count, this.history.firstTime);
    return { time, missing: count - (this.now - time) };
  }
}
