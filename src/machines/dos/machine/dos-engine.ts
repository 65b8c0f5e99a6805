import type { RunEnd } from '../../../chips/x86/run-end.ts';
import type { X86 } from '../../../chips/x86/x86.ts';
import type { AddressCapability } from '../../../machine/addresses.ts';
import type { RunLimits, StepRequest } from '../../../machine/control.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { StopEvent } from '../../../machine/state.ts';
import { BuiltInEngine, type Stride } from '../../shared/built-in-engine.ts';
import { breakpointCause, type Cause, conditionCause, reachedAddress, stopping } from '../../shared/cause.ts';
import type { Slice } from '../../shared/frames.ts';
import type { Lookout, PastStop } from '../../shared/history-rewind.ts';
import { atCall, type Routines } from '../../shared/steps-back.ts';
import type { DosSystem } from '../board/dos-system.ts';
import type { ProcessorCondition } from '../debug/processor-condition.ts';
import type { JudgedBreakpoint, StopJudge } from '../debug/stop-judge.ts';
import { eventOfPort, eventOfWatch } from '../debug/watch-event.ts';
import { type CallLevel, isDeeper, levelOf, outsideOf } from './call-level.ts';
import { type DosMoment, DosTimeline, frameHz, instructionsBetweenLooks, type KeptMoment } from './dos-timeline.ts';
import type { InputEvent } from './input-event.ts';
import { afterCall, afterReturn, type Destination } from './step-destination.ts';

/** Lets the machine's time pass, in runs of the processor that end where something has to be looked at. */
export class DosEngine extends BuiltInEngine<InputEvent, DosMoment> {
  readonly system: DosSystem;
  readonly framesPerSecond = frameHz;
  readonly timeline: DosTimeline;
  protected readonly errorFix = advice`Change cs:ip with ${call('registers_write')}.`;
  readonly #judge: StopJudge;
  readonly #compile: (condition: string) => ProcessorCondition;
  readonly #addresses: AddressCapability;
  readonly #moved: () => void;
  #goals: readonly number[] = [];
  /** Where programs begin that were loaded while one is awaited. */
  #entries: number[] | undefined;
  /** The breakpoint we stand at must not stop us again before we have moved. */
  #leaving = true;

  /** `compile` makes something quick to ask out of a condition; `moved` is called when the machine has become what it was at another time. */
  constructor(
    system: DosSystem,
    judge: StopJudge,
    compile: (condition: string) => ProcessorCondition,
    addresses: AddressCapability,
    moved: () => void,
  ) {
    const timeline = new DosTimeline(system);
    super(timeline);
    this.system = system;
    this.timeline = timeline;
    this.#judge = judge;
    this.#compile = compile;
    this.#addresses = addresses;
    this.#moved = moved;
  }

  get now(): number {
    return this.timeline.now;
  }

  /** The linear address of the next instruction. */
  get pc(): number {
    return this.system.board.cpu.pc;
  }

  /** Another disk is in a drive: the past before that cannot be run again. */
  replacedMedia(): void {
    this.history.restart();
  }

  /** The machine as it was at the last keyframe up to a time. It is only read: nothing in the machine changes. */
  keyframeAt(time: number, into?: Uint8Array): KeptMoment {
    if (this.isRewinding) {
      throw new MachineError('BUSY', 'The machine is going back in time.', 'Try again when it has stopped.');
    }
    return this.timeline.keyframeAt(time, into);
  }

  protected runner({ cycles, frames, address, condition }: RunLimits): Slice {
    const span = cycles ?? (frames === undefined ? Number.POSITIVE_INFINITY : frames * this.timeline.frameSpan);
    const end = this.now + span;
    const reached: Cause = { cause: 'limit', reason: cycles === undefined ? 'frames' : 'instructions' };
    const entries = this.#entries;
    if (entries !== undefined) {
      return (until) => {
        const cause = this.#slice(until, end, reached, entries);
        return cause === reachedAddress ? programBegins : cause;
      };
    }
    const goals = goalsOf(address);
    if (condition === undefined) return (until) => this.#slice(until, end, reached, goals);
    const { holds, depends } = this.#compile(condition);
    const { cpu } = this.system.board;
    return (until) => {
      cpu.stopWhen(asked(cpu, condition, holds), depends);
      try {
        return this.#slice(until, end, reached, goals, conditionCause(condition));
      } finally {
        cpu.stopWhen(null);
      }
    };
  }

  /** Runs until a program that DOS loads is about to begin, or for so many frames. True if it is. */
  async runToProgram(frames: number, signal: AbortSignal): Promise<boolean> {
    this.#entries = [];
    try {
      return (await this.run({ frames, wallMs: 5000 }, signal)).reason === programBegins.reason;
    } finally {
      this.#entries = undefined;
    }
  }

  /** DOS is about to start a program at this linear address. */
  programLoaded(entry: number): void {
    if (this.#entries === undefined) return;
    this.#entries.push(entry);
    this.#stopAt([...this.#entries]);
  }

  protected stride(kind: StepRequest['kind']): Stride {
    const { cpu } = this.system.board;
    if (kind === 'into') return cpu.isAfterHlt ? this.#wake() : () => this.#stepInto() ?? 'done';
    const destination = kind === 'over' ? afterCall(cpu) : afterReturn(cpu);
    if (destination) return this.#goTo(destination);
    if (kind === 'over') return () => this.#stepInto() ?? 'done';
    return () => ({ cause: 'limit', reason: 'no call is known that this could return from' });
  }

  protected readonly routines: Routines<CallLevel> = {
    level: () => levelOf(this.system.board.cpu),
    leftHere: (before) => (isDeeper(levelOf(this.system.board.cpu), before) ? this.#entryBelow(before) : undefined),
    underWay: () => {
      const outside = outsideOf(levelOf(this.system.board.cpu));
      return outside && this.#entryBelow(outside);
    },
  };

  protected lookout({ address, condition }: RunLimits): Lookout | undefined {
    const goals = goalsOf(address);
    if (condition !== undefined) {
      return (end) => this.#lookAtEach(end, goals, condition);
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

  protected arrive(cause: Cause): Cause {
    this.#stopAt([]);
    return cause;
  }

  /** In the segment of code that it is in. Without another address it will meet the same again. */
  protected cure(pc: number | undefined): void {
    if (pc === undefined) return;
    const { cpu } = this.system.board;
    const offset = pc - cpu.baseOf('cs');
    if (offset < 0 || offset > cpu.space.limit) {
      throw new MachineError(
        'ADDRESS_OUT_OF_BOUNDS',
        'That address is not in the segment CS points at.',
        advice`Set CS and IP with ${call('registers_write')}.`,
      );
    }
    this.input({ type: 'register', name: 'eip', value: offset });
  }

  protected override present(): StopEvent {
    return { time: this.now, pc: BigInt(this.pc) };
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

  /** A halted processor executes nothing before an interrupt: runs to the first instruction of that. */
  #wake(): Stride {
    const { cpu } = this.system.board;
    this.#leaving = false;
    return (until) => {
      cpu.stopWhen(() => 1);
      try {
        const cause = this.#slice(until, Number.POSITIVE_INFINITY, awake, [], awake);
        return cause === awake ? 'done' : cause;
      } finally {
        cpu.stopWhen(null);
      }
    };
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

  #slice(until: number, end: number, reached: Cause, goals: readonly number[], held?: Cause): Cause | undefined {
    this.#stopAt(goals);
    do {
      const next = Math.min(end, this.now + instructionsBetweenLooks, this.timeline.nextTime);
      const ended = this.#advance(next, this.#leaving);
      // What was met here and did not stop it has been seen.
      this.#leaving = ended.reason !== 'count' && ended.reason !== 'effort';
      const cause = this.#judged(ended) ?? (ended.reason === 'breakpoint' ? this.#arrived(goals) : undefined);
      if (cause) return cause;
      // Nothing has been seen yet of what is there.
      if (this.#judge.jumped) this.#leaving = false;
      if (ended.reason === 'condition') return held;
      if (this.now >= end) return reached;
    } while (performance.now() < until);
    return undefined;
  }

  #advance(until: number, leaving: boolean): RunEnd {
    return this.timeline.advance(this.#judge.limit(until, leaving), leaving);
  }

  /** From one place to the next at which the processor stops on its own. */
  #lookAtStops(end: number, goals: readonly number[]): ReturnType<Lookout> {
    this.#judge.mode = 'look';
    this.#stopAt(goals);
    let last: PastStop | undefined;
    let leaving = false;
    return (until) => {
      while (this.now < end) {
        const next = Math.min(end, this.timeline.nextTime, this.now + instructionsBetweenLooks);
        const ended = this.timeline.advance(this.#judge.limit(next, false), leaving);
        leaving = ended.reason !== 'count' && ended.reason !== 'effort';
        const cause = this.now < end ? (this.#hit(ended) ?? (leaving ? this.#arrived(goals) : undefined)) : undefined;
        if (cause) last = { time: this.now, cause };
        if (performance.now() >= until) return undefined;
      }
      this.#judge.mode = 'pass';
      return last ?? null;
    };
  }

  /** The last moment before the end at which the condition holds, or something else would stop it. */
  #lookAtEach(end: number, goals: readonly number[], condition: string): ReturnType<Lookout> {
    const { cpu } = this.system.board;
    const { holds } = this.#compile(condition);
    const cause = conditionCause(condition);
    let held: PastStop | undefined;
    const note = asked(cpu, condition, () => {
      if (holds() !== 0 && cpu.instructions < end) held = { time: cpu.instructions, cause };
      return 0;
    });
    const look = this.#judge.active || goals.length > 0 ? this.#lookAtStops(end, goals) : this.#passTo(end);
    return (until) => {
      cpu.stopWhen(note);
      try {
        const stop = look(until);
        if (stop === undefined) return undefined;
        return stop && (!held || stop.time > held.time) ? stop : (held ?? null);
      } finally {
        cpu.stopWhen(null);
      }
    };
  }

  /** The last moment before the end at which no more calls than these were under way. */
  #entryBelow(level: CallLevel): Lookout {
    const { cpu } = this.system.board;
    return (end) => {
      let last: PastStop | undefined;
      const note = () => {
        if (cpu.instructions < end && !isDeeper(levelOf(cpu), level)) last = { time: cpu.instructions, cause: atCall };
        return 0;
      };
      const pass = this.#passTo(end);
      return (until) => {
        cpu.stopWhen(note);
        try {
          return pass(until) === undefined ? undefined : (last ?? null);
        } finally {
          cpu.stopWhen(null);
        }
      };
    };
  }

  #passTo(end: number): ReturnType<Lookout> {
    return (until) => {
      while (this.now < end) {
        this.timeline.advance(Math.min(end, this.timeline.nextTime, this.now + instructionsBetweenLooks), false);
        if (performance.now() >= until) return undefined;
      }
      return null;
    };
  }

  #judged(end: RunEnd): Cause | undefined {
    if (end.reason === 'halted') return { cause: 'fault', reason: 'halted with interrupts off' };
    if (end.reason === 'shutdown')
      return { cause: 'fault', reason: 'the processor shut down after a fault in a fault' };
    if (end.reason === 'unsupported') return { cause: 'fault', reason: beyond(end.what) };
    return this.#hit(end);
  }

  #hit(end?: RunEnd): Cause | undefined {
    const hit = this.#judge.check();
    if (!hit) return undefined;
    const { saved } = hit;
    const event = this.#eventOf(hit, end);
    const stop = { ...stopping(hit, hit.logged), ...(saved !== undefined && { snapshot: saved }) };
    return breakpointCause(stop, event, this.#addresses);
  }

  #eventOf({ interrupt, port }: JudgedBreakpoint, end?: RunEnd): StopEvent | undefined {
    const { symbols } = this.#addresses;
    if (port) return eventOfPort(port, end && 'by' in end ? end.by : null, this.now - 1, symbols);
    if (end?.reason === 'watch') return eventOfWatch(end, this.now - 1, symbols);
    return interrupt && { time: this.now, pc: BigInt(this.pc), interrupt };
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

/** A condition may be long, and it is asked very often. */
function asked(cpu: X86, condition: string, holds: () => number): () => number {
  const rounds = condition.length;
  return () => {
    cpu.tire(rounds);
    return holds();
  };
}

/** What this processor lacks, and which machine has it. */
function beyond(what: string): string {
  if (!what.startsWith('protected mode')) return what;
  return `${what}, which this PC lacks: start one with "cpu":"80386" or "486", or of kind qemu`;
}

const awake: Cause = { cause: 'limit', reason: 'awake' };
const programBegins: Cause = { cause: 'limit', reason: 'a program begins' };

function goalsOf(address: bigint | undefined): readonly number[] {
  return address === undefined ? [] : [Number(address)];
}
