import { setTimeout } from 'node:timers/promises';
import type { ControlCapability, Pace, RunLimits, StepRequest } from '../../machine/control.ts';
import { type Advice, advice, call, MachineError } from '../../machine/errors.ts';
import type { FilmStop } from '../../machine/film.ts';
import type { ExecutionState, Stop, StopEvent } from '../../machine/state.ts';
import type { Cause } from './cause.ts';
import { runFrames, type Slice, sliceMs } from './frames.ts';
import type { History, Mark } from './history.ts';
import { HistoryRewind, type Lookout, type Timeline } from './history-rewind.ts';
import { StateNews } from './state-news.ts';
import { type Routines, stepsBack } from './steps-back.ts';
import { nextTurn, TimeSlice } from './time-slice.ts';

/** Why a machine stops that the server itself has failed. */
const bug: Cause = { cause: 'fault', reason: 'an internal error; it was logged' };

/** How many stops are remembered for those who look at the past. */
const mostStops = 200;

/** What was seen of a moment of the past, and which it was. */
export interface AsOf<Seen> {
  readonly time: number;
  readonly seen: Seen;
}

/** As a slice, for one step as people mean it, which may be a whole subroutine. */
export type Stride = (until: number) => Cause | 'done' | undefined;

/**
 * What built-in engines have in common: time passes in slices, freely or when asked, forwards and backwards, and
 * each stop has a number. How time passes and what stops it is the machine's own.
 */
export abstract class BuiltInEngine<Event extends { readonly type: string }, State> implements ControlCapability {
  readonly canRewind = true;
  abstract readonly framesPerSecond: number;
  readonly #timeline: Timeline<Event, State>;
  readonly #rewind: HistoryRewind;
  /** Called when something failed while the machine ran freely, and nobody waited for it. */
  onBug: (error: unknown) => void = () => {};
  /** Called when something stopped it while it ran freely, and nobody waited for that. */
  onStop: (stop: Stop) => void = () => {};
  onReset: (mode: 'soft' | 'hard') => void = () => {};
  /** Called with each state that it comes into. */
  onState: (state: ExecutionState) => void = () => {};
  #state: ExecutionState = 'PAUSED';
  readonly #news = new StateNews('PAUSED', (state) => this.onState(state));
  #stop: Stop | undefined;
  #stops = 0;
  #pauseWanted = false;
  /** While it runs freely, and what it comes back to after a stop. */
  #pace: Pace | undefined;
  #usualPace: Pace | undefined;
  #free: AbortController | undefined;
  #isRewinding = false;
  /** It runs no more. */
  #isOver = false;
  /** Each ends when somebody who holds the machine lets go. */
  readonly #holds = new Set<Promise<void>>();
  #met: FilmStop[] = [];
  #moves = 0;
  /** What came from outside while the machine was in its past. */
  readonly #late: Event[] = [];

  /** By which waits end that are not in the machine's own time. */
  clock = () => performance.now();

  constructor(timeline: Timeline<Event, State>) {
    this.#timeline = timeline;
    this.#rewind = new HistoryRewind(timeline);
  }

  /** Runs from here on, to the limits in the machine's own time. */
  protected abstract runner(limits: RunLimits): Slice;
  /** The next step from here. `isLater`: not the first of a call, so that breakpoints at this place have not been seen. */
  protected abstract stride(kind: StepRequest['kind'], cpu: string | undefined, isLater: boolean): Stride;
  protected abstract readonly routines: Routines<unknown>;
  /** What a run backwards looks for; undefined if nothing can stop it. */
  protected abstract lookout(limits: RunLimits): Lookout | undefined;
  /** The reason of a stop where a run backwards has ended on its own. */
  protected abstract wentBack(span: number | undefined, lookedOut: boolean): string;
  /** How to get out of an error other than by a reset. */
  protected abstract readonly errorFix: Advice;
  /** Whether the machine can run again now that this has reached it in an error. */
  protected isCuredBy({ type }: Event): boolean {
    return type === 'reset' || type === 'register';
  }
  /** The reset button, or the mains switch. */
  protected abstract restart(mode: 'soft' | 'hard'): void;
  /** A run begins: what is at the first instruction has been seen. */
  protected abstract leave(): void;
  /** A run ends; the answer is why, which may be something else that was met at its end. */
  protected abstract arrive(cause: Cause): Cause;
  /** The machine in an error is to go on, at another address if there is one. */
  protected abstract cure(pc: number | undefined): void;
  /** What a stop says of the present moment when nothing more exact is known. */
  protected present(): StopEvent | undefined {
    return undefined;
  }
  /** The past begins to be run again. */
  protected abstract enterPast(): void;
  /** Before it is the present again: what is still to be caught up belongs to the past. */
  protected leavePast(): void {}
  /** The machine has become what it was at another time, or another one altogether. */
  protected abstract moved(): void;

  #keepsError = false;

  get state(): ExecutionState {
    return this.#state;
  }

  get stop(): Stop | undefined {
    return this.#stop;
  }

  /** Where breakpoints and faults stopped it, oldest first. */
  get stopsMet(): readonly FilmStop[] {
    return this.#met;
  }

  /** Rises when the machine becomes what it was at another time, or another one: time counts differently from then on. */
  get moves(): number {
    return this.#moves;
  }

  get history(): History<Event, State> {
    return this.#timeline.history;
  }

  /** True while the past is run again: what the machine sends has been sent. */
  get isRewinding(): boolean {
    return this.#isRewinding;
  }

  /** Something from outside reaches the machine now. */
  input(event: Event): void {
    if (this.#isRewinding) {
      this.#late.push(event);
      return;
    }
    this.history.input(event);
    if (this.#state !== 'ERROR' || this.#keepsError || !this.isCuredBy(event)) return;
    this.#enter('PAUSED');
    this.#stop = undefined;
  }

  /** From now on time passes whenever nobody has stopped the machine: in step with real time, or as fast as it goes. */
  runAlways(pace: Pace): void {
    this.#usualPace = pace;
    this.#pace = pace;
    this.#freeRun();
  }

  async runFreely(pace: Pace): Promise<void> {
    this.#refuseInError();
    if (pace !== this.#pace) await this.#suspendFreeRun();
    this.#pace = pace;
    this.#freeRun();
  }

  async interlude<T>(task: () => Promise<T>): Promise<T> {
    const pace = this.#free && this.#pace;
    try {
      return await task();
    } finally {
      const { cause, reason } = this.#stop ?? {};
      if (pace !== undefined && this.#state === 'PAUSED' && (cause === 'limit' || reason === cancelled)) {
        this.#pace = pace;
        this.#freeRun();
      }
    }
  }

  async run(limits: RunLimits, signal: AbortSignal): Promise<Stop> {
    if (this.#pace !== undefined && !hasLimit(limits)) return this.#watchFreeRun(limits.wallMs, signal);
    await this.#suspendFreeRun();
    if (limits.back) return this.#runBack(limits, signal);
    this.#refuseInError();
    return this.#go(limits.wallMs, signal, this.runner(limits));
  }

  async step({ kind, count, back, cpu, wallMs }: StepRequest, signal: AbortSignal): Promise<Stop> {
    await this.#suspendFreeRun();
    if (back) {
      if (cpu !== undefined) throw onlyForwards(cpu);
      const interruption = this.#interruption(wallMs, signal);
      const held = () => this.#unlessHeld(interruption);
      if (kind === 'into') return this.#inThePast(() => this.#rewind.steps(count, held));
      return this.#inThePast(() => stepsBack(this.#rewind, this.routines, { kind, count }, held));
    }
    this.#refuseInError();
    const whose = cpu === undefined ? '' : ` of ${cpu}`;
    const done: Cause = { cause: 'step', reason: `${count === 1 ? 'step' : `${count} steps`}${whose}` };
    let left = count;
    let stride: Stride | undefined;
    const stop = await this.#go(wallMs, signal, (until) => {
      do {
        stride ??= this.stride(kind, cpu, left < count);
        const outcome = stride(until);
        if (outcome !== 'done') return outcome;
        stride = undefined;
        left--;
        if (left <= 0) return done;
      } while (performance.now() < until);
      return undefined;
    });
    return left > 0 ? { ...stop, steps: count - left } : stop;
  }

  async pause(): Promise<Stop> {
    const stop = await this.#halt();
    this.#news.flush();
    return stop;
  }

  /** Does something to the machine between two instructions. One that runs freely goes on doing so. */
  protected async whileStopped(change: () => void): Promise<void> {
    const pace = this.#free && this.#pace;
    await this.#suspendFreeRun();
    change();
    if (pace === undefined) return;
    this.#pace = pace;
    this.#freeRun();
  }

  async keepingError<Result>(action: () => Promise<Result>): Promise<Result> {
    this.#keepsError = true;
    try {
      return await action();
    } finally {
      this.#keepsError = false;
    }
  }

  async clearError(pc?: bigint): Promise<void> {
    if (this.#state !== 'ERROR') {
      throw new MachineError(
        'WRONG_STATE',
        `There is no error: the state is ${this.#state}.`,
        'Leave this call out: nothing has to be cleared.',
        {
          execution_state: this.#state,
          valid_states: ['ERROR'],
        },
      );
    }
    this.cure(pc === undefined ? undefined : Number(pc));
    this.#settle({ cause: 'halt', reason: 'pause' });
  }

  /** The machine is given up: what runs ends, and nothing runs again. */
  async end(): Promise<void> {
    this.#isOver = true;
    if (this.#state === 'RUNNING') await this.pause();
    this.history.end();
  }

  /** A machine that runs freely goes on doing so; one that is stopped has been reset until its first instruction. */
  async reset(mode: 'soft' | 'hard'): Promise<void> {
    const pace = this.#free && this.#pace;
    await this.#suspendFreeRun();
    this.restart(mode);
    if (mode === 'hard') this.replaced();
    this.#stop = undefined;
    this.#enter('RESET');
    this.onReset(mode);
    if (pace === undefined) return;
    this.#pace = pace;
    this.#freeRun();
  }

  /** Nothing moves until all who hold the machine have let go. */
  async hold(): Promise<() => void> {
    let hold = () => {};
    const held = new Promise<void>((resolve) => {
      hold = resolve;
    });
    this.#holds.add(held);
    return () => {
      this.#holds.delete(held);
      hold();
    };
  }

  protected get isHeld(): boolean {
    return this.#holds.size > 0;
  }

  /** The machine is now another one than it was: after a restored snapshot. */
  replaced(): void {
    this.#beginsAnew();
    this.#stop = undefined;
    this.#enter(this.#free === undefined ? 'PAUSED' : 'RUNNING');
  }

  /** It has other parts now: what has crashed, or has not run since its reset, still has. */
  protected refitted(): void {
    if (this.#state === 'ERROR' || this.#state === 'RESET') this.#beginsAnew();
    else this.replaced();
  }

  #beginsAnew(): void {
    this.history.restart();
    this.#wentElsewhere();
  }

  /** As if it had run from here, through states that such a run passed before, to the last one, where it ended so. */
  async passThrough(states: readonly State[], last: State, { seq: _, ...end }: Stop): Promise<void> {
    const inputs = this.history.mark().inputs;
    const slice = new TimeSlice();
    for (const state of states) {
      if (slice.isOver) await slice.next();
      this.history.returnTo({ time: 0, state, inputs });
      this.history.keep();
    }
    this.arriveAt({ state: last, inputs }, end);
  }

  /** As if a run had led here, and ended so. */
  protected arriveAt({ state, inputs }: Omit<Mark<State>, 'time'>, end: Omit<Stop, 'seq'>): void {
    this.history.returnTo({ time: 0, state, inputs });
    this.#wentElsewhere();
    this.#settle(end);
  }

  /** For an action that runs the past again and leaves the machine as it was: nothing is sent or heard twice. */
  protected lookBack<T>(action: () => T): T {
    const wasRewinding = this.#isRewinding;
    this.#isRewinding = true;
    try {
      return action();
    } finally {
      this.#isRewinding = wasRewinding;
    }
  }

  /** On a machine that runs freely: resumes it and waits for something that stops it. */
  async #watchFreeRun(wallMs: number, signal: AbortSignal): Promise<Stop> {
    this.#refuseInError();
    const before = this.#stops;
    this.#freeRun();
    const end = performance.now() + wallMs;
    while (this.#stops === before && performance.now() < end && !signal.aborted) await setTimeout(10);
    return this.#stop && this.#stops !== before
      ? this.#stop
      : { seq: this.#stops, cause: 'limit', reason: 'it runs on' };
  }

  #freeRun(): void {
    if (this.#free !== undefined || this.#pace === undefined || this.#state === 'ERROR' || this.#isOver) return;
    const free = new AbortController();
    this.#free = free;
    this.#begin();
    this.#stop = undefined;
    const newFrame = () => this.runner({ frames: 1, wallMs: 0 });
    void runFrames(newFrame, () => this.#nextSlice(), 1000 / this.framesPerSecond, this.#pace, free.signal)
      .catch((error: unknown) => {
        this.onBug(error);
        return bug;
      })
      .then((cause) => {
        const stop = this.#end(cause);
        this.#pace = this.#usualPace;
        if (cause.cause !== 'halt') this.onStop(stop);
      })
      .finally(() => {
        if (this.#free === free) this.#free = undefined;
      });
  }

  /** A call that says how far to run stops the machine first. */
  async #suspendFreeRun(): Promise<void> {
    if (this.#free !== undefined) await this.#halt();
  }

  async #halt(): Promise<Stop> {
    this.#free?.abort();
    this.#pauseWanted = true;
    while (this.#state === 'RUNNING') await nextTurn();
    this.#pauseWanted = false;
    if (this.#state === 'ERROR') await this.clearError();
    return this.#stop ?? this.#settle({ cause: 'halt', reason: 'pause' });
  }

  async #go(wallMs: number, signal: AbortSignal, slice: Slice): Promise<Stop> {
    const interruption = this.#interruption(wallMs, signal);
    this.#begin();
    try {
      for (;;) {
        const cause = slice(performance.now() + sliceMs) ?? interruption();
        if (cause) return this.#end(cause);
        await this.#nextSlice();
      }
    } catch (error) {
      this.#end(bug);
      throw error;
    }
  }

  /** Called after each slice of a run that goes on. */
  protected sliceEnded(): void {}

  /** When others have had their turn, and nobody holds the machine. */
  async #nextSlice(): Promise<void> {
    this.sliceEnded();
    await nextTurn();
    while (this.#holds.size > 0) await Promise.race(this.#holds);
  }

  async #unlessHeld(interruption: () => Cause | undefined): Promise<Cause | undefined> {
    while (this.#holds.size > 0) await Promise.race(this.#holds);
    return interruption();
  }

  #interruption(wallMs: number, signal: AbortSignal): () => Cause | undefined {
    const end = this.clock() + wallMs;
    return () => {
      if (this.#isOver) return { cause: 'halt', reason: 'the machine was stopped for good' };
      if (this.#pauseWanted) return { cause: 'halt', reason: 'pause' };
      if (signal.aborted) return { cause: 'halt', reason: cancelled };
      if (this.clock() >= end) return { cause: 'limit', reason: 'time limit' };
      return undefined;
    };
  }

  async #runBack(limits: RunLimits, signal: AbortSignal): Promise<Stop> {
    const { cycles, frames, wallMs } = limits;
    const span = cycles ?? (frames === undefined ? undefined : frames * this.#timeline.frameSpan);
    const lookout = this.lookout(limits);
    const interruption = this.#interruption(wallMs, signal);
    return this.#inThePast(async () => {
      const held = () => this.#unlessHeld(interruption);
      const cause = await this.#rewind.run(span, lookout, held, cycles !== undefined);
      return cause ?? { cause: 'limit', reason: this.wentBack(span, lookout !== undefined) };
    });
  }

  async #inThePast(go: () => Promise<Cause>): Promise<Stop> {
    this.#enter('RUNNING');
    this.#isRewinding = true;
    this.enterPast();
    let cause: Cause = { cause: 'halt', reason: 'pause' };
    try {
      cause = await go();
    } finally {
      this.leavePast();
      this.#isRewinding = false;
      this.#wentElsewhere();
      this.#settle(cause);
      for (const event of this.#late.splice(0)) this.input(event);
    }
    return this.#stop ?? { seq: this.#stops, ...cause };
  }

  #begin(): void {
    this.#enter('RUNNING');
    this.leave();
  }

  #end(cause: Cause): Stop {
    return this.#settle(this.arrive(cause));
  }

  #wentElsewhere(): void {
    const { now } = this.#timeline;
    this.#moves++;
    this.#met = this.#met.filter(({ time }) => time <= now);
    this.moved();
  }

  #settle(cause: Cause): Stop {
    const event = cause.event ?? this.present();
    if (cause.cause === 'breakpoint' || cause.cause === 'fault') {
      const met = { time: event?.time ?? this.#timeline.now, reason: cause.reason };
      this.#met = [...this.#met.slice(1 - mostStops), met];
    }
    this.#stop = { seq: ++this.#stops, ...cause, ...(event && { event }) };
    this.#enter(cause.cause === 'fault' ? 'ERROR' : cause.cause === 'breakpoint' ? 'BREAKPOINT' : 'PAUSED');
    return this.#stop;
  }

  #enter(state: ExecutionState): void {
    this.#state = state;
    this.#news.entered(state);
  }

  #refuseInError(): void {
    if (this.#state !== 'ERROR') return;
    throw new MachineError(
      'EXECUTION_ERROR',
      `Cannot run from ERROR: ${this.#stop?.reason}.`,
      [
        advice`Reset it with ${call('machine_reset')}.`,
        this.errorFix,
        advice`Go back with ${call('step', { back: true })}.`,
      ],
      { execution_state: 'ERROR' },
    );
  }
}

const cancelled = 'the call was cancelled';

function onlyForwards(cpu: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', `Steps of ${cpu} go forward only.`, [
    advice`Go back with the machine's own processor: ${call('step', { back: true })}.`,
    advice`Run back to a breakpoint on ${cpu}: ${call('run', { back: true })}.`,
  ]);
}

function hasLimit({ frames, cycles, address, condition, back }: RunLimits): boolean {
  return [frames, cycles, address, condition].some((limit) => limit !== undefined) || back === true;
}
