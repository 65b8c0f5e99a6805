import { fields } from '../../../../chips/mos6510/registers.ts';
import type { RunLimits } from '../../../../machine/control.ts';
import type { Stop } from '../../../../machine/state.ts';
import type { C64Board } from '../c64-board.ts';
import type { History } from './history.ts';

type Cause = Pick<Stop, 'cause' | 'reason'> & { readonly breakpoint?: NonNullable<Stop['breakpoint']> };

/** Goes to moments of the past by restoring a keyframe before them and running that stretch again. */
export class StepBack {
  readonly #board: C64Board;
  readonly #history: History;

  constructor(board: C64Board, history: History) {
    this.#board = board;
    this.#history = history;
  }

  /** So many instructions back. */
  steps(count: number): Cause {
    let target = this.#board.cycles;
    let left = count;
    while (left > 0 && target > this.#history.firstCycle) {
      const starts = this.#instructionsBefore(target);
      if (starts.length === 0) break;
      const taken = Math.min(left, starts.length);
      target = starts[starts.length - taken] ?? target;
      left -= taken;
    }
    this.goTo(target);
    return left === 0
      ? { cause: 'step', reason: count === 1 ? 'step back' : `${count} steps back` }
      : { cause: 'limit', reason: 'the beginning of what is remembered' };
  }

  /** Back until something would have stopped the machine, or the limits are used up. */
  async run(limits: RunLimits, stops: (() => Cause | undefined) | undefined): Promise<Cause> {
    const here = this.#board.cycles;
    const { cyclesPerLine, lines } = this.#board.vic.timing;
    const span = limits.cycles ?? (limits.frames === undefined ? undefined : limits.frames * cyclesPerLine * lines);
    const earliest = Math.max(this.#history.firstCycle, span === undefined ? 0 : here - span);
    if (!stops) {
      this.goTo(earliest);
      return { cause: 'limit', reason: span === undefined ? 'the beginning of what is remembered' : 'went back' };
    }
    for (let end = here; end > earliest; ) {
      const start = this.#history.previousKeyframe(end) ?? earliest;
      const hit = this.#lastStop(start, end, stops);
      if (hit && hit.cycle >= earliest) {
        this.goTo(hit.cycle);
        return hit.cause;
      }
      end = start;
    }
    this.goTo(earliest);
    return { cause: 'limit', reason: 'nothing stopped it on the way back' };
  }

  /** Exactly to this cycle, which must lie in the past. */
  goTo(cycle: number): void {
    this.#history.rewindTo(cycle);
    this.#history.replayInputs();
    this.#history.runTo(cycle);
  }

  /** The cycles at which instructions began, from the keyframe before `cycle` up to it. */
  #instructionsBefore(cycle: number): number[] {
    this.#history.rewindTo(cycle - 1);
    this.#history.replayInputs();
    const starts: number[] = [];
    while (this.#board.cycles < cycle) {
      if (this.#atBorder()) starts.push(this.#board.cycles);
      this.#history.stepInstruction();
    }
    return starts;
  }

  #lastStop(start: number, end: number, stops: () => Cause | undefined): { cycle: number; cause: Cause } | undefined {
    this.#history.rewindTo(start);
    this.#history.replayInputs();
    let last: { cycle: number; cause: Cause } | undefined;
    while (this.#board.cycles < end) {
      const cause = this.#atBorder() ? stops() : undefined;
      if (cause) last = { cycle: this.#board.cycles, cause };
      this.#history.stepInstruction();
    }
    return last;
  }

  #atBorder(): boolean {
    return (this.#board.cpu.state[fields.step] & 7) === 0;
  }
}
