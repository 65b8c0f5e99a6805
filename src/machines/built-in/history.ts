/** A machine whose whole state can be copied and put back. */
export interface Recorded<Event, State> {
  /** Its time, in its smallest unit. */
  readonly now: number;
  /** Copies everything there is to it, into a copy that is no longer wanted if there is one. */
  save(spare: State | undefined): State;
  restore(state: State): void;
  /** Gives it something from outside. The same events at the same times make the same machine. */
  apply(event: Event): void;
  /** Which of the keyframes, oldest first, are no longer wanted now that there is a new one. Indexes, lowest first. */
  superfluous(keyframes: readonly { readonly time: number }[]): readonly number[];
}

interface Keyframe<State> {
  readonly time: number;
  readonly state: State;
  /** Inputs that had reached the machine by then. */
  readonly inputs: number;
}

const mostSpare = 2;

/** The way back: copies of the state, and every input with its time, from which any moment between can be run again. */
export class History<Event, State> {
  readonly #machine: Recorded<Event, State>;
  #keyframes: Keyframe<State>[] = [];
  #inputs: { readonly time: number; readonly event: Event }[] = [];
  /** How many of the inputs have reached the machine as it stands now. */
  #applied = 0;
  readonly #spare: State[] = [];

  constructor(machine: Recorded<Event, State>) {
    this.#machine = machine;
    this.restart();
  }

  /** Forgets everything: time begins with the state as it is. */
  restart(): void {
    this.#keyframes = [];
    this.#inputs = [];
    this.#applied = 0;
    this.keep();
  }

  /** The earliest moment that can be gone back to. */
  get firstTime(): number {
    return this.#keyframes[0]?.time ?? this.#machine.now;
  }

  /** Of the newest keyframe, which may lie in a future that was run before. */
  get newestTime(): number {
    return this.#keyframes.at(-1)?.time ?? Number.NEGATIVE_INFINITY;
  }

  /** The next input that waits in a future that was run before, if any. */
  get nextInputTime(): number {
    return this.#inputs[this.#applied]?.time ?? Number.POSITIVE_INFINITY;
  }

  /** Something from outside: whatever future was known is no longer true. */
  input(event: Event): void {
    this.#forgetFuture();
    this.#inputs.push({ time: this.#machine.now, event });
    this.#applied = this.#inputs.length;
    this.#machine.apply(event);
  }

  /** Gives the machine the inputs that are due now. */
  giveInputs(): void {
    const { now } = this.#machine;
    for (let next = this.#inputs[this.#applied]; next && next.time <= now; next = this.#inputs[this.#applied]) {
      this.#applied++;
      this.#machine.apply(next.event);
    }
  }

  /** Takes a keyframe, unless this moment was passed before. */
  keep(): void {
    const { now } = this.#machine;
    if (this.newestTime >= now) return;
    this.#keyframes.push({ time: now, state: this.#machine.save(this.#spare.pop()), inputs: this.#applied });
    for (const index of this.#machine.superfluous(this.#keyframes).toReversed()) this.#drop(index);
  }

  /** Puts the machine to the last keyframe at or before the time, or to the oldest there is. */
  rewindTo(time: number): void {
    const keyframe = this.#keyframes.findLast((each) => each.time <= time) ?? this.#keyframes[0];
    if (keyframe === undefined) return;
    this.#machine.restore(keyframe.state);
    this.#applied = keyframe.inputs;
    this.giveInputs();
  }

  /** The time of the last keyframe before this one. */
  previousKeyframe(time: number): number | undefined {
    return this.#keyframes.findLast((each) => each.time < time)?.time;
  }

  #forgetFuture(): void {
    this.#inputs.length = this.#applied;
    while (this.newestTime > this.#machine.now) this.#drop(this.#keyframes.length - 1);
  }

  #drop(index: number): void {
    const [dropped] = this.#keyframes.splice(index, 1);
    if (dropped && this.#spare.length < mostSpare) this.#spare.push(dropped.state);
  }
}
