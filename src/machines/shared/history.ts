import { type BudgetShare, historyBudget, type Shortened } from './history-budget.ts';
import type { TimeSlice } from './time-slice.ts';

/** A machine whose whole state can be copied and put back: whole for a moment, or as a keyframe that is kept with many others. */
export interface Recorded<Event, State, Kept> {
  /** Its time, in its smallest unit. */
  readonly now: number;
  /** Copies everything there is to it. */
  save(): State;
  /** The same in pieces, while nothing moves it; left out where it is no effort. */
  saveInPieces?(slice: TimeSlice): Promise<State>;
  restore(state: State): void;
  /** Keeps everything there is to it, beside a keyframe that is probably much the same. */
  keep(like: Kept | undefined): Kept;
  /** Becomes what a keyframe says. */
  recall(keyframe: Kept): void;
  /** The keyframe is not needed any more. */
  discard(keyframe: Kept): void;
  /** What all keyframes take together. */
  keptBytes(): number;
  /** Gives it something from outside. The same events at the same times make the same machine. */
  apply(event: Event): void;
  /** What people and tools hold in their hands, in events of a future that will not come: those that bring it to how it is now. */
  heldNow?(future: readonly Event[]): readonly Event[];
  /** Which of the keyframes, oldest first, are no longer wanted now that there is a new one. Indexes, lowest first. */
  superfluous(keyframes: readonly { readonly time: number; readonly state: Kept }[]): readonly number[];
}

/** A moment that can be returned to. */
export interface Mark<State> {
  readonly time: number;
  readonly state: State;
  /** Inputs that had reached the machine by then, counted from the very first. */
  readonly inputs: number;
}

interface Keyframe<Kept> extends Mark<Kept> {
  /** When it was taken, as `performance.now` counts. */
  readonly taken: number;
}

/** Inputs are kept as long as there are keyframes before them; if there are too many, the oldest keyframes go. */
const mostInputs = 200_000;

/** The way back: copies of the state, and every input with its time, from which any moment between can be run again. */
export class History<Event, State, Kept = unknown> implements Shortened {
  readonly #machine: Recorded<Event, State, Kept>;
  readonly #share: BudgetShare;
  #keyframes: Keyframe<Kept>[] = [];
  #inputs: { readonly time: number; readonly event: Event }[] = [];
  /** How many inputs are no longer kept. */
  #forgotten = 0;
  /** How many of the inputs have reached the machine as it stands now. */
  #applied = 0;
  #isOver = false;

  constructor(machine: Recorded<Event, State, Kept>, budget = historyBudget) {
    this.#machine = machine;
    this.#share = budget.include(this);
    this.restart();
  }

  /** What all keyframes take together. */
  get bytes(): number {
    return this.#machine.keptBytes();
  }

  get oldest(): number | undefined {
    return this.#keyframes.length > 1 ? this.#keyframes[0]?.taken : undefined;
  }

  forgetOldest(): void {
    this.#drop(0);
    this.#forgetInputs();
  }

  /** Forgets everything for good: from now on inputs reach the machine and are not kept. */
  end(): void {
    this.#isOver = true;
    this.#share.leave();
    this.#clear();
  }

  /** Forgets everything: time begins with the state as it is. */
  restart(): void {
    this.#clear();
    this.keep();
  }

  #clear(): void {
    for (const { state } of this.#keyframes) this.#machine.discard(state);
    this.#keyframes = [];
    this.#inputs = [];
    this.#forgotten = 0;
    this.#applied = 0;
  }

  /** The earliest moment that can be gone back to. */
  get firstTime(): number {
    return this.#keyframes[0]?.time ?? this.#machine.now;
  }

  /** Of the newest keyframe, which may lie in a future that was run before. */
  get newestTime(): number {
    if (this.#isOver) return Number.POSITIVE_INFINITY;
    return this.#keyframes.at(-1)?.time ?? Number.NEGATIVE_INFINITY;
  }

  /** The next input that waits in a future that was run before, if any. */
  get nextInputTime(): number {
    return this.#next?.time ?? Number.POSITIVE_INFINITY;
  }

  /** Something from outside: whatever future was known is no longer true. */
  input(event: Event): void {
    if (this.#isOver) {
      this.#machine.apply(event);
      return;
    }
    const future = this.#inputs.slice(this.#applied - this.#forgotten).map((each) => each.event);
    this.#forgetFuture();
    const held = future.length === 0 ? [] : (this.#machine.heldNow?.(future) ?? []);
    for (const each of [...held, event]) {
      this.#inputs.push({ time: this.#machine.now, event: each });
      this.#applied = this.#forgotten + this.#inputs.length;
      this.#machine.apply(each);
    }
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
    this.#insert(this.#keyframes.length);
  }

  /** As `keep`, also in a past between other keyframes. */
  keepHere(): void {
    const { now } = this.#machine;
    const index = this.#keyframes.findLastIndex(({ time }) => time <= now);
    if (this.#keyframes[index]?.time === now) return;
    this.#insert(index + 1);
  }

  /** All keyframes, oldest first. */
  get keyframes(): readonly Mark<Kept>[] {
    return this.#keyframes.map(({ time, state, inputs }) => ({ time, state, inputs }));
  }

  /** Has the keyframes of another machine that was the same, instead of its own, which are kept nowhere any more. */
  adopt(keyframes: readonly Mark<Kept>[]): void {
    if (this.#isOver) return;
    this.#keyframes = [];
    this.#clear();
    const taken = performance.now();
    this.#keyframes = keyframes.map((keyframe) => ({ ...keyframe, taken }));
    this.#share.grown();
  }

  /** The present moment, to be returned to before anything new happens. */
  mark(): Mark<State> {
    return { time: this.#machine.now, state: this.#machine.save(), inputs: this.#applied };
  }

  /** The same in pieces, while nothing moves the machine. */
  async markInPieces(slice: TimeSlice): Promise<Mark<State>> {
    const machine = this.#machine;
    const state = machine.saveInPieces ? await machine.saveInPieces(slice) : machine.save();
    if (slice.isOver) await slice.next();
    return { time: machine.now, state, inputs: this.#applied };
  }

  returnTo({ state, inputs }: Mark<State>): void {
    this.#machine.restore(state);
    this.#applied = inputs;
  }

  /** Puts the machine to the last keyframe at or before the time, or to the oldest there is. */
  rewindTo(time: number): void {
    const keyframe = this.keyframeAt(time);
    if (keyframe === undefined) return;
    this.#machine.recall(keyframe.state);
    this.#applied = keyframe.inputs;
    this.giveInputs();
  }

  /** The last keyframe up to a time, or the oldest. */
  keyframeAt(time: number): Mark<Kept> | undefined {
    return this.#keyframes.findLast((each) => each.time <= time) ?? this.#keyframes[0];
  }

  /** The times of all keyframes up to now, oldest first. */
  get keyframeTimes(): readonly number[] {
    const { now } = this.#machine;
    return this.#keyframes.map(({ time }) => time).filter((time) => time <= now);
  }

  /** The time of the last keyframe before this one. */
  previousKeyframe(time: number): number | undefined {
    return this.#keyframes.findLast((each) => each.time < time)?.time;
  }

  get #next(): { readonly time: number; readonly event: Event } | undefined {
    return this.#inputs[this.#applied - this.#forgotten];
  }

  #insert(index: number): void {
    if (this.#isOver) return;
    const { now } = this.#machine;
    const state = this.#machine.keep(this.#keyframes[index - 1]?.state);
    this.#keyframes.splice(index, 0, { time: now, state, inputs: this.#applied, taken: performance.now() });
    for (const index of this.#machine.superfluous(this.#keyframes).toReversed()) this.#drop(index);
    this.#forgetInputs();
    this.#share.grown();
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
    if (dropped) this.#machine.discard(dropped.state);
  }
}
