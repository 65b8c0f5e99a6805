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
  superfluous(keyframes: readonly { readonly time: number; readonly state: State }[]): readonly number[];
}

/** A moment that can be returned to. */
export interface Mark<State> {
  readonly time: number;
  readonly state: State;
  /** Inputs that had reached the machine by then, counted from the very first. */
  readonly inputs: number;
}

const mostSpare = 2;
/** Inputs are kept as long as there are keyframes before them; if there are too many, the oldest keyframes go. */
const mostInputs = 200_000;

/** The way back: copies of the state, and every input with its time, from which any moment between can be run again. */
export class History<Event, State> {
  readonly #machine: Recorded<Event, State>;
  #keyframes: Mark<State>[] = [];
  #inputs: { readonly time: number; readonly event: Event }[] = [];
  /** How many inputs are no longer kept. */
  #forgotten = 0;
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
    this.#forgotten = 0;
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
    return this.#next?.time ?? Number.POSITIVE_INFINITY;
  }

  /** Something from outside: whatever future was known is no longer true. */
  input(event: Event): void {
    this.#forgetFuture();
    this.#inputs.push({ time: this.#machine.now, event });
    this.#applied = this.#forgotten + this.#inputs.length;
    this.#machine.apply(event);
    if (this.#inputs.length > mostInputs) this.#forgetOldest();
  }

  /** Gives the machine the inputs that are due now. */
  giveInputs(): void {
    const { now } = this.#machine;
    for (let next = this.#next; next && next.time <= now; next = this.#next) {
      this.#applied++;
      this.#machine.apply(next.event);
    }
  }

  /** Takes a keyframe, unless this moment was passed before. */
  keep(): void {
    const { now } = this.#machine;
    if (this.newestTime >= now) return;
    this.#keyframes.push(this.mark());
    this.#thin();
  }

  /** As `keep`, also in a past between other keyframes. */
  keepHere(): void {
    const { now } = this.#machine;
    const index = this.#keyframes.findLastIndex(({ time }) => time <= now);
    if (this.#keyframes[index]?.time === now) return;
    this.#keyframes.splice(index + 1, 0, this.mark());
    this.#thin();
  }

  /** The present moment, to be returned to before anything new happens. */
  mark(): Mark<State> {
    return { time: this.#machine.now, state: this.#machine.save(this.#spare.pop()), inputs: this.#applied };
  }

  returnTo({ state, inputs }: Mark<State>): void {
    this.#machine.restore(state);
    this.#applied = inputs;
  }

  /** Puts the machine to the last keyframe at or before the time, or to the oldest there is. */
  rewindTo(time: number): void {
    const keyframe = this.#keyframes.findLast((each) => each.time <= time) ?? this.#keyframes[0];
    if (keyframe === undefined) return;
    this.returnTo(keyframe);
    this.giveInputs();
  }

  /** The time of the last keyframe before this one. */
  previousKeyframe(time: number): number | undefined {
    return this.#keyframes.findLast((each) => each.time < time)?.time;
  }

  get #next(): { readonly time: number; readonly event: Event } | undefined {
    return this.#inputs[this.#applied - this.#forgotten];
  }

  #thin(): void {
    for (const index of this.#machine.superfluous(this.#keyframes).toReversed()) this.#drop(index);
    this.#forgetInputs();
  }

  /** Half of the past goes, and the inputs in it. */
  #forgetOldest(): void {
    const going = this.#keyframes.filter(({ inputs }) => inputs < this.#forgotten + mostInputs / 2).length;
    for (let count = 0; count < going; count++) this.#drop(0);
    if (this.#keyframes.length === 0) this.restart();
    else this.#forgetInputs();
  }

  /** What came before the oldest keyframe is never given again. */
  #forgetInputs(): void {
    const needed = this.#keyframes[0]?.inputs ?? this.#applied;
    this.#inputs.splice(0, needed - this.#forgotten);
    this.#forgotten = needed;
  }

  #forgetFuture(): void {
    this.#inputs.length = this.#applied - this.#forgotten;
    while (this.newestTime > this.#machine.now) this.#drop(this.#keyframes.length - 1);
  }

  #drop(index: number): void {
    const [dropped] = this.#keyframes.splice(index, 1);
    if (dropped && this.#spare.length < mostSpare) this.#spare.push(dropped.state);
  }
}
