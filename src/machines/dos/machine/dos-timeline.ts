import type { GraphMoment } from '../../../chips/x86/graph/moment.ts';
import type { RunEnd } from '../../../chips/x86/x86.ts';
import { History } from '../../shared/history.ts';
import type { Timeline } from '../../shared/history-rewind.ts';
import type { DosSystem, ServicesState } from '../board/dos-system.ts';
import { applyInput, type InputEvent } from './input-event.ts';

/** The retrace rate of a VGA in most modes; what a frame means to tools, whatever mode is on. */
export const frameHz = 70;
/** Keyframes are taken this often in emulated time, and twice as far apart among the older half when there are too many. */
const keyframesPerSecond = 4;
const maxKeyframes = 48;
/** What all keyframes together may take. */
const keyframeBytes = 256 * 1024 * 1024;
/** However much they take. */
const leastKeyframes = 2;

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

/** The machine's time, in instructions, with every input at its instruction. */
export class DosTimeline implements Timeline<InputEvent, DosMoment> {
  readonly frameSpan: number;
  readonly history: History<InputEvent, DosMoment>;
  readonly #system: DosSystem;
  readonly #spacing: number;

  constructor(system: DosSystem) {
    const { board } = system;
    const { instructionsPerSecond } = board.options;
    this.frameSpan = Math.round(instructionsPerSecond / frameHz);
    this.#spacing = Math.floor(instructionsPerSecond / keyframesPerSecond);
    this.#system = system;
    this.history = new History({
      get now() {
        return board.instructions;
      },
      save: (spare) => this.save(spare?.state),
      restore: (moment) => this.restore(moment),
      apply: (event) => applyInput(system, event),
      superfluous,
    });
  }

  get now(): number {
    return this.#system.board.instructions;
  }

  save(into?: Uint8Array): DosMoment {
    const { board } = this.#system;
    const { copiedBytes } = this.#system;
    return { state: board.snapshot(into), services: this.#system.save(), graph: board.cpu.saveMoment(), copiedBytes };
  }

  restore({ state, services, graph }: DosMoment): void {
    const { board } = this.#system;
    board.restore(state);
    this.#system.restore(services);
    board.cpu.restoreMoment(graph);
  }

  /** Where a run has to end next for the history's sake: an input to give again, or a keyframe to take. */
  get nextTime(): number {
    return Math.min(this.history.nextInputTime, this.history.newestTime + this.#spacing);
  }

  /** Runs to a time not behind `nextTime`, or until the processor stops. `leaving` gets past a breakpoint at the first instruction. */
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

/** Every other one of the older half when there are too many; the oldest when they take too much memory all the same. */
function superfluous(keyframes: readonly { readonly state: DosMoment }[]): readonly number[] {
  const newest = keyframes.at(-1)?.state;
  if (!newest || keyframes.length <= leastKeyframes) return [];
  const each = newest.state.length + 3 * newest.graph.counts.byteLength;
  const most = Math.max(leastKeyframes, Math.min(maxKeyframes, Math.floor(keyframeBytes / each)));
  if (keyframes.length > most) {
    return keyframes.flatMap((_, index) => (index < keyframes.length / 2 && index % 2 === 1 ? index : []));
  }
  // What was written to drives since a keyframe is there as it was and as it is.
  const fits = keyframes.findIndex(({ state }, index) => {
    const written = newest.copiedBytes - state.copiedBytes;
    return each * (keyframes.length - index) + written <= keyframeBytes;
  });
  return Array.from({ length: Math.min(Math.max(0, fits), keyframes.length - leastKeyframes) }, (_, index) => index);
}
