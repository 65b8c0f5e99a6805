import type { DosSystem } from '../board/dos-system.ts';
import { applyInput, type InputEvent } from './input-event.ts';

/** Keyframes are taken this often in emulated time, and twice as far apart among the older half when there are too many. */
const framesPerSecond = 4;
const maxKeyframes = 48;

interface Keyframe {
  readonly time: number;
  readonly state: Uint8Array;
  readonly services: unknown;
  /** Inputs that had reached the machine by then. */
  readonly inputs: number;
}

/** The way back: copies of the state, and every input with its instruction, from which any moment can be run again. */
export class History {
  readonly #system: DosSystem;
  readonly #spacing: number;
  #keyframes: Keyframe[] = [];
  #inputs: { readonly time: number; readonly event: InputEvent }[] = [];
  #applied = 0;

  constructor(system: DosSystem) {
    this.#system = system;
    this.#spacing = Math.floor(system.board.options.instructionsPerSecond / framesPerSecond);
    this.restart();
  }

  /** Forgets everything: time begins with the state as it is. */
  restart(): void {
    this.#keyframes = [];
    this.#inputs = [];
    this.#applied = 0;
    this.keep();
  }

  get firstTime(): number {
    return this.#keyframes[0]?.time ?? this.#now;
  }

  /** Something from outside: whatever future was known is no longer true. */
  input(event: InputEvent): void {
    this.#forgetFuture();
    this.#inputs.push({ time: this.#now, event });
    this.#applied = this.#inputs.length;
    applyInput(this.#system, event);
  }

  /** Where a run has to end next for the history's sake: an input to give again, or a keyframe to take. */
  get nextTime(): number {
    const input = this.#inputs[this.#applied]?.time ?? Number.POSITIVE_INFINITY;
    return Math.min(input, (this.#keyframes.at(-1)?.time ?? 0) + this.#spacing);
  }

  /** Called wherever a run ends. */
  reached(): void {
    for (let next = this.#inputs[this.#applied]; next?.time === this.#now; next = this.#inputs[this.#applied]) {
      applyInput(this.#system, next.event);
      this.#applied++;
    }
    if (this.#now >= (this.#keyframes.at(-1)?.time ?? 0) + this.#spacing) this.keep();
  }

  keep(): void {
    const last = this.#keyframes.at(-1);
    if (last !== undefined && last.time >= this.#now) return;
    const state = this.#system.board.snapshot();
    this.#keyframes.push({ time: this.#now, state, services: this.#system.save(), inputs: this.#applied });
    if (this.#keyframes.length > maxKeyframes) {
      this.#keyframes = this.#keyframes.filter((_, index, all) => index >= all.length / 2 || index % 2 === 0);
    }
  }

  /** Puts the machine to the last keyframe at or before the time, or to the oldest there is. */
  rewindTo(time: number): void {
    const frame = this.#keyframes.findLast((each) => each.time <= time) ?? this.#keyframes[0];
    if (frame === undefined) return;
    this.#system.board.restore(frame.state);
    this.#system.restore(frame.services);
    this.#applied = frame.inputs;
    this.reached();
  }

  previousKeyframe(time: number): number | undefined {
    return this.#keyframes.findLast((each) => each.time < time)?.time;
  }

  get #now(): number {
    return this.#system.board.instructions;
  }

  #forgetFuture(): void {
    this.#inputs.length = this.#applied;
    this.#keyframes = this.#keyframes.filter(({ time }) => time <= this.#now);
  }
}
