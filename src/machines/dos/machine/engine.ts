import type { RunEnd } from '../../../chips/x86/x86.ts';
import { compileCondition, type Vocabulary } from '../../../machine/condition/condition.ts';
import type { RunLimits, StepRequest } from '../../../machine/control.ts';
import { breakpointCause, type Cause, conditionCause, reachedAddress } from '../../built-in/cause.ts';
import { BuiltInEngine, type Stride } from '../../built-in/engine.ts';
import type { Slice } from '../../built-in/frames.ts';
import type { Lookout, PastStop } from '../../built-in/rewind.ts';
import type { DosSystem } from '../board/dos-system.ts';
import type { StopJudge } from '../debug/stop-judge.ts';
import { type DosMoment, DosTimeline, effortBetweenLooks, frameHz, instructionsBetweenLooks } from './dos-timeline.ts';
import type { InputEvent } from './input-event.ts';
import { behindCall, behindReturn, type Destination } from './step-destination.ts';

/** While each instruction is looked at. */
const singleInstructions = 200;

/** Lets the machine's time pass, in runs of the processor that end where something has to be looked at. */
export class Engine extends BuiltInEngine<InputEvent, DosMoment> {
  readonly system: DosSystem;
  readonly framesPerSecond = frameHz;
  readonly timeline: DosTimeline;
  protected readonly errorFix = 'change cs:ip with registers_write';
  readonly #judge: StopJudge;
  readonly #vocabulary: Vocabulary;
  readonly #moved: () => void;
  #goals: readonly number[] = [];
  /** The breakpoint we stand at must not stop us again before we have moved. */
  #leaving = true;

  /** `moved` is called when the machine has become what it was at another time. */
  constructor(system: DosSystem, judge: StopJudge, vocabulary: Vocabulary, moved: () => void) {
    const timeline = new DosTimeline(system);
    super(timeline);
    this.system = system;
    this.timeline = timeline;
    this.#judge = judge;
    this.#vocabulary = vocabulary;
    this.#moved = moved;
  }

  get now(): number {
    return this.timeline.now;
  }

  /** The linear address of the next instruction. */
  get pc(): number {
    const { cpu } = this.system.board;
    return (cpu.get('cs') << 4) + cpu.get('eip');
  }

  /** Another disk is in a drive: the past before that cannot be run again. */
  replacedMedia(): void {
    this.history.restart();
  }

  /** Graph and coverage are read in slices. */
  override async hold(): Promise<() => void> {
    return this.holdStill();
  }

  protected runner({ cycles, frames, address, condition }: RunLimits): Slice {
    const span = cycles ?? (frames === undefined ? Number.POSITIVE_INFINITY : frames * this.timeline.frameSpan);
    const end = this.now + span;
    const reached: Cause = { cause: 'limit', reason: cycles === undefined ? 'frames' : 'instructions' };
    const goals = goalsOf(address);
    if (condition === undefined) return (until) => this.#slice(until, end, reached, goals);
    const holds = compileCondition(condition, this.#vocabulary);
    return (until) => {
      do {
        let effort = 0;
        for (let count = 0; count < singleInstructions && effort < effortBetweenLooks; count++) {
          if (this.now >= end) return reached;
          const cause = this.#stepInto() ?? this.#arrived(goals);
          if (cause) return cause;
          if (holds() !== 0) return conditionCause(condition);
          effort += this.system.board.cpu.effort + condition.length;
        }
      } while (performance.now() < until);
      return undefined;
    };
  }

  protected stride(kind: StepRequest['kind']): Stride {
    if (kind === 'into') return () => this.#stepInto() ?? 'done';
    const { cpu } = this.system.board;
    const destination = kind === 'over' ? behindCall(cpu) : behindReturn(cpu);
    if (destination) return this.#goTo(destination);
    if (kind === 'over') return () => this.#stepInto() ?? 'done';
    return () => ({ cause: 'limit', reason: 'no call is known that this could return from' });
  }

  protected lookout({ address, condition }: RunLimits): Lookout | undefined {
    const goals = goalsOf(address);
    if (condition !== undefined) {
      const holds = compileCondition(condition, this.#vocabulary);
      return (end) => this.#lookAtEach(end, goals, () => (holds() === 0 ? undefined : conditionCause(condition)));
    }
    return this.#judge.active || goals.length > 0 ? (end) => this.#lookAtStops(end, goals) : undefined;
  }

  protected wentBack(span: number | undefined): string {
    return span === undefined ? 'nothing stopped it on the way back' : 'went back';
  }

  protected restart(mode: 'soft' | 'hard'): void {
    if (mode === 'soft') this.input({ type: 'reset' });
    else this.system.powerOn();
  }

  protected leave(): void {
    this.#leaving = true;
  }

  protected arrive(): void {
    this.#stopAt([]);
  }

  protected enterPast(): void {
    this.#judge.mode = 'pass';
  }

  protected moved(): void {
    this.#stopAt([]);
    this.#judge.mode = 'run';
    this.#moved();
  }

  #stepInto(): Cause | undefined {
    this.#stopAt([]);
    return this.#judged(this.#advance(this.now + 1, true));
  }

  /** Comes to an address, again and again, until it is the right moment. */
  #goTo({ address, isThere }: Destination): Stride {
    const never: Cause = { cause: 'limit', reason: 'instructions' };
    this.#leaving = true;
    return (until) => {
      do {
        const cause = this.#slice(until, Number.POSITIVE_INFINITY, never, [address]);
        if (cause !== reachedAddress) return cause;
        if (isThere()) return 'done';
      } while (performance.now() < until);
      return undefined;
    };
  }

  #slice(until: number, end: number, reached: Cause, goals: readonly number[]): Cause | undefined {
    this.#stopAt(goals);
    do {
      const next = Math.min(end, this.now + instructionsBetweenLooks, this.timeline.nextTime);
      const ended = this.#advance(next, this.#leaving);
      // What was met here and did not stop it has been seen.
      this.#leaving = ended.reason !== 'count' && ended.reason !== 'effort';
      const cause = this.#judged(ended) ?? (ended.reason === 'breakpoint' ? this.#arrived(goals) : undefined);
      if (cause) return cause;
      if (this.now >= end) return reached;
    } while (performance.now() < until);
    return undefined;
  }

  #advance(until: number, leaving: boolean): RunEnd {
    return this.timeline.advance(this.#judge.limit(until, leaving), leaving);
  }

  /** From one place to the next at which the processor stops by itself. */
  #lookAtStops(end: number, goals: readonly number[]): ReturnType<Lookout> {
    this.#judge.mode = 'look';
    this.#stopAt(goals);
    let last: PastStop | undefined;
    let leaving = false;
    return (until) => {
      while (this.now < end) {
        const next = Math.min(end, this.timeline.nextTime, this.now + instructionsBetweenLooks);
        const { reason } = this.timeline.advance(this.#judge.limit(next, false), leaving);
        leaving = reason !== 'count' && reason !== 'effort';
        const cause = this.now < end ? (this.#hit() ?? (leaving ? this.#arrived(goals) : undefined)) : undefined;
        if (cause) last = { time: this.now, cause };
        if (performance.now() >= until) return undefined;
      }
      this.#judge.mode = 'pass';
      return last ?? null;
    };
  }

  #lookAtEach(end: number, goals: readonly number[], holds: () => Cause | undefined): ReturnType<Lookout> {
    this.#judge.mode = 'look';
    this.#judge.limit(end, false);
    let last: PastStop | undefined;
    return (until) => {
      while (this.now < end) {
        let effort = 0;
        for (let count = 0; count < singleInstructions && effort < effortBetweenLooks && this.now < end; count++) {
          const cause = holds() ?? this.#hit() ?? this.#arrived(goals);
          if (cause) last = { time: this.now, cause };
          this.#advance(this.now + 1, true);
          effort += this.system.board.cpu.effort;
        }
        if (performance.now() >= until) return undefined;
      }
      this.#judge.mode = 'pass';
      return last ?? null;
    };
  }

  #judged(end: RunEnd): Cause | undefined {
    if (end.reason === 'halted') return { cause: 'fault', reason: 'halted with interrupts off' };
    if (end.reason === 'shutdown')
      return { cause: 'fault', reason: 'the processor shut down after a fault in a fault' };
    if (end.reason === 'unsupported') return { cause: 'fault', reason: end.what };
    return this.#hit();
  }

  #hit(): Cause | undefined {
    const hit = this.#judge.check();
    return hit && breakpointCause(hit);
  }

  #stopAt(goals: readonly number[]): void {
    if (goals.length === this.#goals.length && goals.every((goal, index) => goal === this.#goals[index])) return;
    this.#goals = goals;
    this.#judge.alsoStopAt(goals);
  }

  #arrived(goals: readonly number[]): Cause | undefined {
    return goals.includes(this.pc) ? reachedAddress : undefined;
  }
}

function goalsOf(address: bigint | undefined): readonly number[] {
  return address === undefined ? [] : [Number(address)];
}
