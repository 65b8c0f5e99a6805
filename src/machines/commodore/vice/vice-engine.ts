import { hex } from '../../../formats/hex.ts';
import { operations } from '../../../links/vice/wire.ts';
import type { ControlCapability, Pace, RunLimits, StepRequest } from '../../../machine/control.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { ExecutionState, Stop, StopEvent } from '../../../machine/state.ts';
import { type Cause, conditionCause, reachedAddress } from '../../shared/cause.ts';
import { stepOut } from './step-out.ts';
import { Turns } from './turns.ts';
import type { ViceModel } from './vice-models.ts';
import { after, needsTextMonitor, off, type ViceSession } from './vice-session.ts';

const cancelled = 'the call was cancelled';
const longestSliceMs = 60_000;
/** How old what is known of a machine that runs freely may be. */
const knownForMs = 5000;
const resetMs = 400;
const mostInstructions = 0xffff;

/** Who decides what a checkpoint that was met means. */
export interface StopJudge {
  /** Why to stop at what was met; undefined: go on. `began`: where nothing has run since. */
  judge(hits: ReadonlySet<number>, began: boolean): Promise<Cause | undefined>;
  /** The run has ended here for another reason: what also stands here is met as well. */
  arrive(hits: ReadonlySet<number>): Promise<Cause | undefined>;
  /** In VICE's language; throws for what that has no words for. */
  translate(condition: string): string;
}

type Motion = () => Promise<Cause | 'on'>;

/** Lets a real VICE run and stops it. It is stopped whenever no call and no free run moves it. */
export class ViceEngine implements ControlCapability {
  readonly canRewind = false;
  readonly framesPerSecond: number;
  onStop: (stop: Stop) => void = () => {};
  onReset: (mode: 'soft' | 'hard') => void = () => {};
  onBug: (error: unknown) => void = () => {};
  judge!: StopJudge;
  readonly #session: ViceSession;
  readonly #model: ViceModel;
  readonly #turns = new Turns();
  #holders = 0;
  #holding: Promise<() => void> | undefined;
  #state: ExecutionState = 'PAUSED';
  #stop: Stop | undefined;
  #stops = 0;
  #pauseWanted = false;
  #free: { readonly pace: Pace; readonly abort: AbortController } | undefined;
  #isWarping: boolean | undefined;
  /** Before we have changed it. */
  #warpedBefore: boolean | undefined;
  #over: string | undefined;
  #frames = 0;
  /** Ends what moves it now. */
  #signal = new AbortController().signal;

  constructor(session: ViceSession, model: ViceModel) {
    this.#session = session;
    this.#model = model;
    this.framesPerSecond = model.clockHz / model.frameCycles;
  }

  get state(): ExecutionState {
    return this.#over === undefined ? this.#state : 'OFF';
  }

  get stop(): Stop | undefined {
    return this.#stop;
  }

  /** Of the picture, since power-up or since we are here. */
  get frame(): number {
    const { cycles } = this.#session.now;
    return cycles === undefined || !this.#model.hasFixedFrames
      ? this.#frames
      : Math.floor(cycles / this.#model.frameCycles);
  }

  /** It is at another moment, which had that frame. */
  set frame(frame: number) {
    this.#frames = frame;
  }

  async run(limits: RunLimits, signal: AbortSignal, pace: Pace = 'warp'): Promise<Stop> {
    if (limits.back) throw this.#cannotGoBack();
    if (this.#free && !hasLimit(limits)) return this.#watchFreeRun(limits.wallMs, signal);
    await this.#suspendFreeRun();
    this.#refuse();
    await this.#warp(pace === 'warp');
    return this.#limited(limits, (goals) => this.#go(limits.wallMs, signal, this.#motion(limits, goals)));
  }

  async step({ kind, count, back, cpu, wallMs }: StepRequest, signal: AbortSignal): Promise<Stop> {
    if (back) throw this.#cannotGoBack();
    if (cpu !== undefined && cpu !== 'main') throw this.#noSuchProcessor(cpu);
    await this.#suspendFreeRun();
    this.#refuse();
    let left = count;
    const out = kind === 'out' ? stepOut(this.#session) : undefined;
    const done: Cause = { cause: 'step', reason: count === 1 ? 'step' : `${count} steps` };
    try {
      return await this.#go(wallMs, signal, async () => {
        if (out) {
          if (await out.go(this.#sliceEnd(wallMs))) left--;
        } else {
          const some = kind === 'over' ? 1 : Math.min(left, mostInstructions);
          await this.#session.advance(some, kind === 'over');
          left -= some;
        }
        return left <= 0 ? done : 'on';
      });
    } finally {
      await out?.end();
    }
  }

  async pause(): Promise<Stop> {
    this.#pauseWanted = true;
    this.#turns.hurry();
    try {
      while (this.state === 'RUNNING') await after(1).passed;
    } finally {
      this.#pauseWanted = false;
    }
    if (this.#state === 'ERROR') await this.clearError();
    return this.#stop ?? this.#settle({ cause: 'halt', reason: 'pause' });
  }

  async clearError(pc?: bigint): Promise<void> {
    if (this.state !== 'ERROR') {
      throw new MachineError(
        'WRONG_STATE',
        `There is no error: the state is ${this.state}.`,
        'Leave this call out: nothing has to be cleared.',
        {
          execution_state: this.state,
          valid_states: ['ERROR'],
        },
      );
    }
    if (pc !== undefined) await this.#session.setRegister(this.#session.registers.get('PC')?.id ?? 0, Number(pc));
    this.#settle({ cause: 'halt', reason: 'pause' });
  }

  /** A register was written: a jammed processor may be able to go on. */
  cured(): void {
    if (this.#state === 'ERROR' && !this.#session.now.isJammed) this.#state = 'PAUSED';
  }

  async reset(mode: 'soft' | 'hard'): Promise<void> {
    const pace = this.#free?.pace;
    await this.#suspendFreeRun();
    await this.powerUp(mode);
    this.onReset(mode);
    if (pace) await this.runFreely(pace);
  }

  /** As a reset, but nobody is told. `start`: where the processor begins, if not where the vector of the ROM leads. */
  async powerUp(mode: 'soft' | 'hard' = 'hard', start?: number): Promise<void> {
    this.#refuseOff();
    await this.#turns.run(async () => this.#reset(mode, start ?? (await this.#startInRom())));
    this.#frames = 0;
    this.#state = 'RESET';
    this.#stop = undefined;
  }

  /** VICE does not stop before the very first instruction, but before one of the next. */
  async #reset(mode: 'soft' | 'hard', start: number): Promise<void> {
    const last = Math.min(0xffff, start + 8);
    const checkpoint = await this.#session.setCheckpoint(start, last, operations.exec);
    try {
      // Where a jam was the last that it saw, VICE goes past the checkpoint; the next time it does not.
      for (let tries = 0; tries < 2; tries++) {
        await this.#session.reset(mode, resetMs);
        if (this.#session.hits.has(checkpoint)) break;
      }
    } finally {
      await this.#session.deleteCheckpoint(checkpoint);
    }
  }

  async #startInRom(): Promise<number> {
    const bank = this.#session.banks.get('rom') ?? 0;
    const [low = 0, high = 0] = await this.#session.peek(bank, 0xfffc, 2);
    return low | (high << 8);
  }

  async hold(): Promise<() => void> {
    this.#holders++;
    this.#holding ??= this.#turns.take();
    const release = await this.#holding;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holders--;
      if (this.#holders > 0) return;
      this.#holding = undefined;
      release();
    };
  }

  async runFreely(pace: Pace): Promise<void> {
    this.#refuse();
    if (this.#free?.pace === pace) return;
    await this.#suspendFreeRun();
    await this.#warp(pace === 'warp');
    const abort = new AbortController();
    this.#free = { pace, abort };
    this.#state = 'RUNNING';
    this.#stop = undefined;
    void this.#runOn(abort.signal);
  }

  async interlude<T>(task: () => Promise<T>): Promise<T> {
    const pace = this.#free?.pace;
    try {
      return await task();
    } finally {
      const { cause, reason } = this.#stop ?? {};
      const isOurs = cause === 'limit' || reason === cancelled;
      if (pace && this.state === 'PAUSED' && isOurs) await this.runFreely(pace);
    }
  }

  /** Stops it, makes it another machine altogether, and lets it run again if it did so freely. */
  async interrupted(change: () => Promise<void>): Promise<void> {
    const pace = this.#free?.pace;
    await this.#suspendFreeRun();
    this.#refuseOff();
    await this.#turns.run(change);
    this.#state = 'PAUSED';
    this.#stop = undefined;
    if (pace) await this.runFreely(pace);
  }

  /** It is where it was meant to be: nothing that a call would have to tell has stopped it. */
  rest(): void {
    if (this.state !== 'BREAKPOINT') return;
    this.#state = 'PAUSED';
    this.#stop = undefined;
  }

  /** Between two slices of whatever moves it. */
  exclusively<T>(task: () => Promise<T>): Promise<T> {
    return this.#turns.run(task);
  }

  /** VICE is gone, or is about to be; nothing runs any more. */
  end(reason: string): void {
    this.#over ??= reason;
    this.#free?.abort.abort();
    this.#turns.hurry();
  }

  get endReason(): string | undefined {
    return this.#over;
  }

  // ---- how a run goes

  async #go(wallMs: number, signal: AbortSignal, motion: Motion): Promise<Stop> {
    const end = performance.now() + wallMs;
    const onAbort = () => this.#turns.hurry();
    signal.addEventListener('abort', onAbort, { once: true });
    this.#state = 'RUNNING';
    this.#signal = signal;
    try {
      for (;;) {
        const cause = await this.#turns.run(() => this.#slice(motion));
        if (cause !== 'on') return this.#settle(cause);
        const interruption = this.#interruption(end, signal);
        if (interruption) return this.#settle((await this.judge.arrive(this.#session.hits)) ?? interruption);
      }
    } catch (error) {
      if (this.#over === undefined && !this.#session.isOver) {
        this.#settle({ cause: 'fault', reason: 'VICE did not do as it was told' });
        throw error;
      }
      return this.#settle({ cause: 'halt', reason: this.#over ?? 'VICE has ended' });
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** One piece of a motion, and what was met on the way. */
  async #slice(motion: Motion): Promise<Cause | 'on'> {
    const before = this.#session.now;
    const outcome = await motion();
    const { now, hits } = this.#session;
    if (hits.size > 0) {
      const began = now.cycles !== undefined && now.cycles === before.cycles && now.pc === before.pc;
      const cause = await this.judge.judge(hits, began);
      if (cause) return cause;
    }
    if (now.isJammed) return this.#jam();
    if (outcome === 'on') return 'on';
    return outcome.cause === 'limit' || outcome.cause === 'step'
      ? ((await this.judge.arrive(hits)) ?? outcome)
      : outcome;
  }

  #motion(limits: RunLimits, goals: ReadonlyMap<number, Cause>): Motion {
    const { frames, cycles, wallMs } = limits;
    const lastFrame = frames === undefined ? undefined : this.frame + frames;
    const lastCycle = cycles === undefined ? undefined : (this.#session.now.cycles ?? 0) + cycles;
    const end = performance.now() + wallMs;
    return async () => {
      const before = this.#session.now;
      if (lastCycle !== undefined) await this.#towards(lastCycle);
      else if (lastFrame !== undefined) await this.#runFrame();
      else await this.#session.runUntil(this.#sliceEnd(end - performance.now()));
      const { now, hits } = this.#session;
      // What stands at the first instruction has been seen.
      const isNew = now.cycles === undefined || now.cycles !== before.cycles || now.pc !== before.pc;
      for (const [checkpoint, cause] of goals) if (hits.has(checkpoint) && isNew) return cause;
      if (lastCycle !== undefined && (now.cycles ?? 0) >= lastCycle) return { cause: 'limit', reason: 'cycles' };
      if (lastFrame !== undefined && this.frame >= lastFrame) return { cause: 'limit', reason: 'frames' };
      return 'on';
    };
  }

  /** VICE counts no cycles, but its stopwatch does: by frames, then by as many instructions as cannot be too many. */
  async #towards(lastCycle: number): Promise<void> {
    const left = lastCycle - (this.#session.now.cycles ?? 0);
    if (left > 2 * this.#model.frameCycles) return this.#runFrame();
    const some = Math.floor(left / this.#model.longestInstruction);
    return this.#session.advance(Math.min(mostInstructions, Math.max(1, some)), false);
  }

  async #runFrame(): Promise<void> {
    await this.#session.runFrame();
    // One that was met has stopped it within the frame.
    if (this.#session.hits.size === 0) this.#frames++;
  }

  /** When a slice should end although nothing has stopped it. */
  #sliceEnd(leftMs: number): Promise<unknown> {
    if (this.#interruption(Number.POSITIVE_INFINITY, this.#signal)) return Promise.resolve();
    const timeout = after(Math.max(1, Math.min(longestSliceMs, leftMs)));
    return Promise.race([timeout.passed, this.#turns.wanted()]).finally(() => timeout.cancel());
  }

  #interruption(end: number, signal: AbortSignal): Cause | undefined {
    if (this.#over !== undefined) return { cause: 'halt', reason: this.#over };
    if (this.#pauseWanted) return { cause: 'halt', reason: 'pause' };
    if (signal.aborted) return { cause: 'halt', reason: cancelled };
    return performance.now() >= end ? { cause: 'limit', reason: 'time limit' } : undefined;
  }

  /** With checkpoints of its own for where the run has to end. */
  async #limited(limits: RunLimits, run: (goals: ReadonlyMap<number, Cause>) => Promise<Stop>): Promise<Stop> {
    const { address, condition, cycles } = limits;
    if (cycles !== undefined && !this.#session.text) throw needsTextMonitor('A run of cycles');
    const goals = new Map<number, Cause>();
    const { exec } = operations;
    try {
      if (condition !== undefined) {
        const translated = this.judge.translate(condition);
        goals.set(await this.#session.setCheckpoint(0, 0xffff, exec, translated), conditionCause(condition));
      }
      if (address !== undefined) {
        const at = Number(address);
        goals.set(await this.#session.setCheckpoint(at, at, exec), reachedAddress);
      }
      return await run(goals);
    } finally {
      for (const checkpoint of goals.keys()) await this.#session.deleteCheckpoint(checkpoint).catch(() => {});
    }
  }

  // ---- free runs

  async #runOn(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    const motion: Motion = async () => {
      await this.#session.runUntil(this.#sliceEnd(knownForMs));
      return 'on';
    };
    try {
      for (;;) {
        const cause = await this.#turns.run(() => this.#slice(motion));
        const end = cause === 'on' ? this.#interruption(Number.POSITIVE_INFINITY, signal) : cause;
        if (!end) continue;
        this.#free = undefined;
        const stop = this.#settle(end);
        if (end.cause !== 'halt') this.onStop(stop);
        return;
      }
    } catch (error) {
      this.#free = undefined;
      this.#settle({ cause: 'fault', reason: this.#over ?? 'VICE did not do as it was told' });
      if (this.#over === undefined && !this.#session.isOver) this.onBug(error);
    }
  }

  async #watchFreeRun(wallMs: number, signal: AbortSignal): Promise<Stop> {
    const before = this.#stops;
    const end = performance.now() + wallMs;
    while (this.#stops === before && performance.now() < end && !signal.aborted) await after(5).passed;
    return this.#stop && this.#stops !== before
      ? this.#stop
      : { seq: this.#stops, cause: 'limit', reason: 'it runs on' };
  }

  async #suspendFreeRun(): Promise<void> {
    if (this.#free) await this.pause();
  }

  async #warp(on: boolean): Promise<void> {
    if (this.#isWarping === on) return;
    if (!this.#session.text) {
      // Without the text monitor it runs as fast as its owner has set it.
      if (this.#isWarping === undefined) return;
      throw needsTextMonitor('Warp');
    }
    await this.#turns.run(async () => {
      this.#warpedBefore ??= /\bon\b/.test(await this.#session.command('warp'));
      await this.#session.command(`warp ${on ? 'on' : 'off'}`);
    });
    this.#isWarping = on;
  }

  /** As fast as somebody else has let it run. */
  async leave(): Promise<void> {
    if (this.#warpedBefore !== undefined) await this.#warp(this.#warpedBefore);
  }

  // ---- how it ends

  #settle(cause: Cause): Stop {
    const event = cause.event ?? this.present();
    this.#stop = { seq: ++this.#stops, ...cause, event };
    this.#state = cause.cause === 'fault' ? 'ERROR' : cause.cause === 'breakpoint' ? 'BREAKPOINT' : 'PAUSED';
    return this.#stop;
  }

  present(): StopEvent {
    const { cycles, pc, line, cycle } = this.#session.now;
    return {
      ...(cycles !== undefined && { time: cycles }),
      pc: BigInt(pc),
      beam: { frame: this.frame, line, cycle },
    };
  }

  #jam(): Cause {
    const at = hex(this.#session.now.pc, 4);
    return { cause: 'fault', reason: `the processor is jammed at $${at} (way out: set PC past it, or reset)` };
  }

  #refuse(): void {
    this.#refuseOff();
    if (this.#state !== 'ERROR') return;
    throw new MachineError(
      'EXECUTION_ERROR',
      `Cannot run from ERROR: ${this.#stop?.reason}.`,
      [advice`Reset it with ${call('machine_reset')}.`, advice`Set PC with ${call('registers_write')}.`],
      { execution_state: 'ERROR' },
    );
  }

  #refuseOff(): void {
    if (this.#over !== undefined) throw off(this.#over);
  }

  #cannotGoBack(): MachineError {
    const { builtIn } = this.#model;
    return new MachineError(
      'MISSING_CAPABILITY',
      'VICE cannot go back in time.',
      builtIn
        ? advice`Use the built-in machine, which can: ${call('machine_start', { kind: builtIn })}.`
        : advice`Save snapshots with ${call('snapshot_save')} on the way.`,
    );
  }

  #noSuchProcessor(cpu: string): MachineError {
    return new MachineError('INVALID_ARGUMENT', `No processor ${cpu.slice(0, 20)}.`, 'Leave "cpu" out.');
  }
}

function hasLimit({ frames, cycles, address, condition }: RunLimits): boolean {
  return [frames, cycles, address, condition].some((limit) => limit !== undefined);
}
