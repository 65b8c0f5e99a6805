import { setImmediate, setTimeout } from 'node:timers/promises';
import { Decoder } from '../../../chips/x86/decode.ts';
import type { Instruction } from '../../../chips/x86/instruction.ts';
import type { RunEnd } from '../../../chips/x86/x86.ts';
import { compileCondition, type Vocabulary } from '../../../machine/condition/condition.ts';
import type { ControlCapability, RunLimits, StepRequest } from '../../../machine/control.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { ExecutionState, Stop } from '../../../machine/state.ts';
import type { DosSystem } from '../board/dos-system.ts';
import type { Cause, StopJudge } from '../debug/stop-judge.ts';
import { History } from './history.ts';
import type { InputEvent } from './input-event.ts';
import { StepBack } from './step-back.ts';

/** How long the machine may keep the process to itself. */
const sliceMs = 4;
const instructionsBetweenLooks = 20_000;
/** The retrace rate of a VGA in most modes; what a frame means to tools, whatever mode is on. */
const frameHz = 70;

/** Lets the machine's time pass: in slices, with breakpoints, forwards and backwards. */
export class Engine implements ControlCapability {
  readonly system: DosSystem;
  readonly history: History;
  readonly canRewind = true;
  readonly framesPerSecond = frameHz;
  readonly #judge: StopJudge;
  readonly #vocabulary: Vocabulary;
  readonly #frameInstructions: number;
  readonly #replaced: () => void;
  #state: ExecutionState = 'PAUSED';
  #stop: Stop | undefined;
  #stops = 0;
  #pauseWanted = false;
  #pace: 'real' | 'warp' | undefined;
  #free: AbortController | undefined;
  #goals: readonly number[] = [];
  /** The breakpoint we stand at must not stop us again before we have moved. */
  #leaving = true;

  /** `replaced` is called when the machine has become what it was at another time. */
  constructor(system: DosSystem, judge: StopJudge, vocabulary: Vocabulary, replaced: () => void) {
    this.system = system;
    this.#judge = judge;
    this.#vocabulary = vocabulary;
    this.#replaced = replaced;
    this.history = new History(system);
    this.#frameInstructions = Math.round(system.board.options.instructionsPerSecond / frameHz);
  }

  get state(): ExecutionState {
    return this.#state;
  }

  get stop(): Stop | undefined {
    return this.#stop;
  }

  get now(): number {
    return this.system.board.instructions;
  }

  /** The linear address of the next instruction. */
  get pc(): number {
    const { cpu } = this.system.board;
    return (cpu.get('cs') << 4) + cpu.get('eip');
  }

  input(event: InputEvent): void {
    this.history.input(event);
    if (this.#state === 'ERROR' && (event.type === 'reset' || event.type === 'register')) this.#state = 'PAUSED';
  }

  runFreely(pace: 'real' | 'warp'): void {
    this.#pace = pace;
    this.#freeRun();
  }

  async run(limits: RunLimits, signal: AbortSignal): Promise<Stop> {
    if (this.#pace !== undefined && !hasLimit(limits)) return this.#watchFreeRun(limits.wallMs, signal);
    await this.#suspendFreeRun();
    if (limits.back) return this.#settle(await this.#runBack(limits));
    this.#refuseInError();
    const { cycles, frames } = limits;
    const span = cycles ?? (frames === undefined ? Number.POSITIVE_INFINITY : frames * this.#frameInstructions);
    const end = this.now + span;
    const reached: Cause = { cause: 'limit', reason: cycles === undefined ? 'frames' : 'instructions' };
    const goals = limits.address === undefined ? [] : [Number(limits.address)];
    if (limits.condition !== undefined) return this.#runWhileNot(limits.condition, limits, end, reached, signal);
    return this.#go(limits.wallMs, signal, () => this.#slice(end, reached, goals));
  }

  async step({ kind, count, back, wallMs }: StepRequest, signal: AbortSignal): Promise<Stop> {
    await this.#suspendFreeRun();
    if (back) {
      const cause = new StepBack(this.system, this.history).steps(count);
      this.#replaced();
      return this.#settle(cause);
    }
    this.#refuseInError();
    const end = performance.now() + wallMs;
    for (let done = 0; done < count; done++) {
      const left = end - performance.now();
      const cause =
        kind === 'into'
          ? this.#stepInto()
          : kind === 'over'
            ? await this.#stepOver(left, signal)
            : await this.#stepOut(left, signal);
      if (cause) return this.#settle(cause);
      if (done % 1000 === 999) await setImmediate();
    }
    return this.#settle({ cause: 'step', reason: count === 1 ? 'step' : `${count} steps` });
  }

  async pause(): Promise<Stop> {
    this.#free?.abort();
    this.#pauseWanted = true;
    while (this.#state === 'RUNNING') await setImmediate();
    this.#pauseWanted = false;
    return this.#stop ?? this.#settle({ cause: 'halt', reason: 'pause' });
  }

  async reset(mode: 'soft' | 'hard'): Promise<void> {
    await this.#suspendFreeRun();
    if (mode === 'soft') this.input({ type: 'reset' });
    else {
      this.system.powerOn();
      this.replaced();
    }
    this.#state = 'PAUSED';
    this.#stop = undefined;
  }

  /** Between two slices nothing moves, and reads need no more than that. */
  async hold(): Promise<() => void> {
    return () => {};
  }

  /** The machine is now another one than it was: after a restored snapshot. */
  replaced(): void {
    this.history.restart();
    this.#replaced();
    this.#state = 'PAUSED';
    this.#stop = undefined;
  }

  /** Another disk is in a drive: the past before that cannot be run again. */
  replacedMedia(): void {
    this.history.restart();
  }

  async #runBack(limits: RunLimits): Promise<Cause> {
    const goals = limits.address === undefined ? [] : [Number(limits.address)];
    const holds = limits.condition === undefined ? undefined : compileCondition(limits.condition, this.#vocabulary);
    const span = limits.cycles ?? (limits.frames === undefined ? undefined : limits.frames * this.#frameInstructions);
    this.#stopAt(goals);
    const back = new StepBack(this.system, this.history, (until) => this.#judge.limit(until, false));
    const cause = await back.run(
      span,
      () => {
        if (holds) return holds() === 0 ? undefined : { cause: 'breakpoint', reason: `condition ${limits.condition}` };
        return this.#hit(false) ?? this.#arrived(goals);
      },
      holds !== undefined,
    );
    this.#replaced();
    return cause;
  }

  #runWhileNot(
    condition: string,
    { address, wallMs }: RunLimits,
    end: number,
    reached: Cause,
    signal: AbortSignal,
  ): Promise<Stop> {
    const holds = compileCondition(condition, this.#vocabulary);
    const goals = address === undefined ? [] : [Number(address)];
    return this.#go(wallMs, signal, () => {
      for (let count = 0; count < 2000; count++) {
        if (this.now >= end) return reached;
        const cause = this.#stepInto() ?? this.#arrived(goals);
        if (cause) return cause;
        if (holds() !== 0) return { cause: 'breakpoint', reason: `condition ${condition}` };
      }
      return undefined;
    });
  }

  #stepInto(): Cause | undefined {
    this.#stopAt([]);
    return this.#judged(this.#advance(this.now + 1, true));
  }

  async #stepOver(wallMs: number, signal: AbortSignal): Promise<Cause | undefined> {
    const next = this.#instruction();
    if (!isCall(next)) return this.#stepInto();
    const { cpu } = this.system.board;
    const [stack, back] = [cpu.get('sp'), (next.cs << 4) + next.next];
    return this.#until([back], wallMs, signal, () => this.pc === back && cpu.get('sp') >= stack);
  }

  async #stepOut(wallMs: number, signal: AbortSignal): Promise<Cause | undefined> {
    const { cpu } = this.system.board;
    const depth = cpu.contexts.length;
    const calls = cpu.contexts.at(-1)?.calls;
    if (calls !== undefined && calls.depth > 0) {
      const { returnKey } = calls.frame(calls.depth - 1);
      const back = ((returnKey >>> 16) << 4) + (returnKey & 0xffff);
      return this.#until([back], wallMs, signal, () => this.pc === back && cpu.contexts.length <= depth);
    }
    return { cause: 'limit', reason: 'no call is known that this could return from' };
  }

  /** Runs to one of the addresses, again and again, until it is the right moment. */
  async #until(
    goals: readonly number[],
    wallMs: number,
    signal: AbortSignal,
    isThere: () => boolean,
  ): Promise<Cause | undefined> {
    const arrived: Cause = { cause: 'step', reason: 'arrived' };
    const stop = await this.#go(wallMs, signal, () => {
      const cause = this.#slice(Number.POSITIVE_INFINITY, arrived, goals);
      return cause?.reason === reachedAddress.reason && !isThere() ? undefined : cause;
    });
    return stop.reason === reachedAddress.reason ? undefined : stop;
  }

  /** On a machine that runs by itself: resumes it and waits for something that stops it. */
  async #watchFreeRun(wallMs: number, signal: AbortSignal): Promise<Stop> {
    this.#refuseInError();
    const before = this.#stops;
    this.#freeRun();
    const end = performance.now() + wallMs;
    while (this.#stops === before && performance.now() < end && !signal.aborted) await setTimeout(10);
    return this.#stop && this.#stops !== before
      ? this.#stop
      : { seq: this.#stops, cause: 'limit', reason: 'it runs on by itself' };
  }

  #freeRun(): void {
    if (this.#free !== undefined || this.#state === 'ERROR') return;
    const free = new AbortController();
    this.#free = free;
    void this.#freeRunning(free.signal).finally(() => {
      if (this.#free === free) this.#free = undefined;
    });
  }

  async #freeRunning(signal: AbortSignal): Promise<void> {
    const frameMs = 1000 / frameHz;
    let due = performance.now();
    this.#state = 'RUNNING';
    this.#stop = undefined;
    while (!signal.aborted) {
      const frame = this.now + this.#frameInstructions;
      const reached: Cause = { cause: 'limit', reason: 'frames' };
      while (this.now < frame && !signal.aborted) {
        const cause = this.#slice(frame, reached, []);
        if (cause && cause.cause !== 'limit') return void this.#settle(cause);
        if (this.now < frame) await setImmediate();
      }
      due += frameMs;
      const now = performance.now();
      // Far behind, as after a sleep of the computer: do not hurry to catch up.
      if (now - due > 200) due = now;
      if (this.#pace === 'real' && due > now) await setTimeout(due - now);
      else await setImmediate();
    }
    this.#settle({ cause: 'halt', reason: 'pause' });
  }

  /** A call that says how far to run stops the machine first. */
  async #suspendFreeRun(): Promise<void> {
    if (this.#free !== undefined) await this.pause();
  }

  async #go(wallMs: number, signal: AbortSignal, slice: () => Cause | undefined): Promise<Stop> {
    const end = performance.now() + wallMs;
    this.#state = 'RUNNING';
    for (;;) {
      const cause = slice() ?? this.#interruption(signal, end);
      if (cause) return this.#settle(cause);
      await setImmediate();
    }
  }

  #interruption(signal: AbortSignal, end: number): Cause | undefined {
    if (this.#pauseWanted) return { cause: 'halt', reason: 'pause' };
    if (signal.aborted) return { cause: 'halt', reason: 'the call was cancelled' };
    if (performance.now() >= end) return { cause: 'limit', reason: 'time limit' };
    return undefined;
  }

  #slice(until: number, reached: Cause, goals: readonly number[]): Cause | undefined {
    const end = performance.now() + sliceMs;
    this.#stopAt(goals);
    do {
      const next = Math.min(until, this.now + instructionsBetweenLooks, this.history.nextTime);
      const ended = this.#advance(next, this.#leaving);
      // What was met here and did not stop it has been seen.
      this.#leaving = ended.reason !== 'count';
      const cause = this.#judged(ended) ?? (ended.reason === 'breakpoint' ? this.#arrived(goals) : undefined);
      if (cause) return cause;
      if (this.now >= until) return reached;
    } while (performance.now() < end);
    return undefined;
  }

  #advance(until: number, leaving: boolean): RunEnd {
    const end = this.system.board.run(this.#judge.limit(until, leaving), leaving);
    this.history.reached();
    return end;
  }

  #judged(end: RunEnd): Cause | undefined {
    if (end.reason === 'halted') return { cause: 'fault', reason: 'halted with interrupts off' };
    if (end.reason === 'shutdown')
      return { cause: 'fault', reason: 'the processor shut down after a fault in a fault' };
    if (end.reason === 'unsupported') return { cause: 'fault', reason: end.what };
    return this.#hit(true);
  }

  #hit(counting: boolean): Cause | undefined {
    const hit = this.#judge.check(counting);
    return (
      hit && {
        cause: 'breakpoint',
        reason: `breakpoint ${hit.id}, ${hit.type}`,
        breakpoint: { id: hit.id, type: hit.type },
      }
    );
  }

  #stopAt(goals: readonly number[]): void {
    if (goals.length === this.#goals.length && goals.every((goal, index) => goal === this.#goals[index])) return;
    this.#goals = goals;
    this.#judge.alsoStopAt(goals);
  }

  #arrived(goals: readonly number[]): Cause | undefined {
    return goals.includes(this.pc) ? reachedAddress : undefined;
  }

  #instruction(): Instruction {
    const { cpu, memory } = this.system.board;
    return new Decoder(cpu.model, (linear) => memory.peek8(linear)).decode(cpu.get('cs'), cpu.get('eip'));
  }

  #settle(cause: Cause): Stop {
    this.#leaving = true;
    this.#stop = { seq: ++this.#stops, ...cause };
    this.#state = cause.cause === 'fault' ? 'ERROR' : cause.cause === 'breakpoint' ? 'BREAKPOINT' : 'PAUSED';
    return this.#stop;
  }

  #refuseInError(): void {
    if (this.#state !== 'ERROR') return;
    throw new MachineError(
      'EXECUTION_ERROR',
      `Cannot run from ERROR: ${this.#stop?.reason}.`,
      'Reset it with machine_reset, or change cs:ip with registers_write, or step back.',
      { execution_state: 'ERROR' },
    );
  }
}

const reachedAddress: Cause = { cause: 'breakpoint', reason: 'the address was reached' };

/** What `step over` runs through: calls, software interrupts and repeated string instructions. */
function isCall({ form, repeat }: Instruction): boolean {
  return repeat !== 0 || ['call', 'callf', 'int', 'int3', 'into'].includes(form.mnemonic);
}

function hasLimit({ frames, cycles, address, condition, back }: RunLimits): boolean {
  return [frames, cycles, address, condition].some((limit) => limit !== undefined) || back === true;
}
