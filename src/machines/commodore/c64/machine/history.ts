import { fields } from '../../../../chips/mos6510/registers.ts';
import type { C64Board } from '../c64-board.ts';
import { applyInput, type InputEvent } from './input-event.ts';

/** Every frame of the last five seconds, then one a second. */
const denseFrames = 250;
const sparseEvery = 50;
const maxSparse = 600;
/** In cycles, with the VIC-II holding it up. */
const longestInstruction = 200;

interface Keyframe {
  readonly cycle: number;
  readonly frame: number;
  readonly state: Uint8Array;
  /** Inputs that had reached the board by then. */
  readonly inputs: number;
}

/** The way back: copies of the state, and every input with its cycle, from which any moment between can be run again. */
export class History {
  readonly #board: C64Board;
  #keyframes: Keyframe[] = [];
  #inputs: { readonly cycle: number; readonly event: InputEvent }[] = [];
  /** How many of the inputs have reached the board as it stands now. */
  #applied = 0;
  readonly #spare: Uint8Array[] = [];

  constructor(board: C64Board) {
    this.#board = board;
    this.restart();
  }

  /** Forgets everything: time begins with the state as it is. */
  restart(): void {
    this.#keyframes = [];
    this.#inputs = [];
    this.#applied = 0;
    this.keep();
  }

  get firstCycle(): number {
    return this.#keyframes[0]?.cycle ?? this.#board.cycles;
  }

  /** Something from outside: whatever future was known is no longer true. */
  input(event: InputEvent): void {
    this.#forgetFuture();
    this.#inputs.push({ cycle: this.#board.cycles, event });
    this.#applied = this.#inputs.length;
    applyInput(this.#board, event);
  }

  /** Called once a frame while running. */
  keep(): void {
    const { cycles, frameCount } = this.#board;
    const last = this.#keyframes.at(-1);
    if (last !== undefined && last.cycle >= cycles) return;
    const state = this.#board.snapshot(this.#spare.pop() ?? new Uint8Array(this.#board.bytes.length));
    this.#keyframes.push({ cycle: cycles, frame: frameCount, state, inputs: this.#applied });
    this.#thin();
  }

  /** The next input that waits in a future that was run before, if any. */
  get nextInputCycle(): number {
    return this.#inputs[this.#applied]?.cycle ?? Number.POSITIVE_INFINITY;
  }

  /** Gives the board the inputs that are due at this very cycle. */
  replayInputs(): void {
    for (
      let next = this.#inputs[this.#applied];
      next?.cycle === this.#board.cycles;
      next = this.#inputs[this.#applied]
    ) {
      applyInput(this.#board, next.event);
      this.#applied++;
    }
  }

  /** Runs one instruction to its end. False if the processor is jammed. */
  stepInstruction(): boolean {
    const board = this.#board;
    if (this.nextInputCycle > board.cycles + longestInstruction) return board.stepInstruction();
    const { state } = board.cpu;
    do {
      board.tick();
      this.replayInputs();
    } while ((state[fields.step] & 7) !== 0 && state[fields.jammed] === 0);
    return state[fields.jammed] === 0;
  }

  /** Runs exactly to this cycle. */
  runTo(cycle: number): void {
    while (this.#board.cycles < cycle) {
      this.#board.runCycles(Math.min(cycle, this.nextInputCycle) - this.#board.cycles);
      if (this.#board.cycles < cycle) this.replayInputs();
    }
  }

  /** Puts the board to the last keyframe at or before the cycle, or to the oldest there is. Answers its cycle. */
  rewindTo(cycle: number): number {
    const frame = this.#keyframes.findLast((each) => each.cycle <= cycle) ?? this.#keyframes[0];
    if (frame === undefined) return this.#board.cycles;
    this.#board.restore(frame.state);
    this.#applied = frame.inputs;
    return frame.cycle;
  }

  /** The keyframe before the one at or before this cycle. */
  previousKeyframe(cycle: number): number | undefined {
    return this.#keyframes.findLast((each) => each.cycle < cycle)?.cycle;
  }

  #forgetFuture(): void {
    const { cycles } = this.#board;
    this.#inputs.length = this.#applied;
    while ((this.#keyframes.at(-1)?.cycle ?? -1) > cycles) this.#drop(this.#keyframes.length - 1);
  }

  #thin(): void {
    const newest = this.#keyframes.at(-1)?.frame ?? 0;
    const border = this.#keyframes.findIndex(({ frame }) => frame > newest - denseFrames);
    const last = this.#keyframes[border - 1];
    const before = this.#keyframes[border - 2];
    if (last && before && last.frame - before.frame < sparseEvery) this.#drop(border - 1);
    if (this.#keyframes.length > denseFrames + maxSparse) this.#drop(0);
  }

  #drop(index: number): void {
    const [dropped] = this.#keyframes.splice(index, 1);
    if (dropped && this.#spare.length < 8) this.#spare.push(dropped.state);
  }
}
