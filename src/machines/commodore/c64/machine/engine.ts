import { setImmediate, setTimeout } from 'node:timers/promises';
import { fields } from '../../../../chips/mos6510/registers.ts';
import { type Vic2State, fields as vic } from '../../../../chips/vic2/fields.ts';
import { compileCondition, type Reading } from '../../../../machine/condition/condition.ts';
import type { ControlCapability, RunLimits, StepRequest } from '../../../../machine/control.ts';
import { MachineError } from '../../../../machine/errors.ts';
import type { ExecutionState, Stop } from '../../../../machine/state.ts';
import type { C64Board } from '../c64-board.ts';
import { boardWords } from './board-words.ts';
import type { BreakpointTable } from './breakpoint-table.ts';
import { C64InterruptLog } from './c64-interrupt-log.ts';
import { History } from './history.ts';
import type { InputEvent } from './input-event.ts';
import { StepBack } from './step-back.ts';
import type { C64Vocabulary } from './vocabulary.ts';

/** How long the machine may keep the process to itself. */
const sliceMs = 2;
const cyclesBetweenLooks = 1024;
const jsrOpcode = 0x20;

type Cause = Pick<Stop, 'cause' | 'reason'> & { readonly breakpoint?: NonNullable<Stop['breakpoint']> };

/** Lets the board's time pass: in slices, with breakpoints, forwards and backwards. */
export class Engine implements ControlCapability {
  readonly board: C64Board;
  readonly history: History;
  readonly canRewind = true;
  readonly interrupts: C64InterruptLog;
  readonly #vic: Vic2State;
  readonly #breakpoints: BreakpointTable;
  readonly #vocabulary: C64Vocabulary;
  #state: ExecutionState = 'PAUSED';
  #stop: Stop | undefined;
  #stops = 0;
  #pauseWanted = false;
  #pace: 'real' | 'warp' | undefined;
  #free: AbortController | undefined;
  /** The breakpoint we stand at must not stop us again before we have moved. */
  #leaving = false;

  constructor(board: C64Board, breakpoints: BreakpointTable, vocabulary: C64Vocabulary) {
    this.board = board;
    this.#breakpoints = breakpoints;
    this.#vocabulary = vocabulary;
    this.history = new History(board);
    this.interrupts = new C64InterruptLog(board);
    this.#vic = boardWords(board, 'vic');
  }

  get state(): ExecutionState {
    return this.#state;
  }

  get stop(): Stop | undefined {
    return this.#stop;
  }

  get pc(): number {
    return this.board.cpu.state[fields.pc];
  }

  get framesPerSecond(): number {
    const { cyclesPerLine, lines } = this.board.vic.timing;
    return this.board.clockHz / (cyclesPerLine * lines);
  }

  /** Something from outside reaches the machine now. */
  input(event: InputEvent): void {
    this.history.input(event);
    if (this.#state === 'ERROR' && (event.type === 'reset' || event.type === 'register')) this.#state = 'PAUSED';
  }

  /**
   * Lets time pass by itself from now on, whenever nobody has stopped the machine: in step with real time, or as fast
   * as it goes.
   */
  runFreely(pace: 'real' | 'warp'): void {
    this.#pace = pace;
    this.#freeRun();
  }

  async run(limits: RunLimits, signal: AbortSignal): Promise<Stop> {
    if (this.#pace !== undefined && !hasLimit(limits)) return this.#watchFreeRun(limits.wallMs, signal);
    await this.#suspendFreeRun();
    if (limits.back) {
      const back = new StepBack(this.board, this.history);
      const cause = await back.run(limits, this.#stopper(limits, false));
      this.interrupts.forget();
      return this.#settle(cause);
    }
    this.#refuseInError();
    const stops = this.#stopper(limits, true);
    const cycleLimit = limits.cycles === undefined ? Number.POSITIVE_INFINITY : this.board.cycles + limits.cycles;
    const frameLimit = limits.frames === undefined ? Number.POSITIVE_INFINITY : this.board.frameCount + limits.frames;
    return this.#go(limits.wallMs, signal, () => this.#slice(cycleLimit, frameLimit, stops));
  }

  async step({ kind, count, back, wallMs }: StepRequest, signal: AbortSignal): Promise<Stop> {
    await this.#suspendFreeRun();
    if (back) {
      const cause = new StepBack(this.board, this.history).steps(count);
      this.interrupts.forget();
      return this.#settle(cause);
    }
    this.#refuseInError();
    let left = count;
    return this.#go(wallMs, signal, () => {
      const done = this.#oneStep(kind);
      if (done) return done;
      left--;
      return left === 0 ? { cause: 'step', reason: count === 1 ? 'step' : `${count} steps` } : undefined;
    });
  }

  async pause(): Promise<Stop> {
    this.#free?.abort();
    this.#pauseWanted = true;
    while (this.#state === 'RUNNING') await setImmediate();
    this.#pauseWanted = false;
    return this.#stop ?? this.#settle({ cause: 'halt', reason: 'pause' });
  }

  async reset(mode: 'soft' | 'hard'): Promise<void> {
    if (mode === 'soft') this.input({ type: 'reset' });
    else {
      this.board.powerUp();
      this.history.restart();
      this.interrupts.forget();
    }
    this.#state = 'PAUSED';
    this.#stop = undefined;
  }

  /** Between two slices nothing moves, and reads need no more than that. */
  async hold(): Promise<() => void> {
    return () => {};
  }

  /** The board is now another one than it was: after a restored snapshot. */
  replaced(): void {
    this.history.restart();
    this.#breakpoints.forget();
    this.interrupts.forget();
    this.#state = 'PAUSED';
    this.#stop = undefined;
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
    const frameMs = 1000 / this.framesPerSecond;
    const limits = { wallMs: 0 };
    let due = performance.now();
    this.#state = 'RUNNING';
    this.#stop = undefined;
    this.#leaving = true;
    while (!signal.aborted) {
      const frame = this.board.frameCount + 1;
      while (this.board.frameCount < frame && !signal.aborted) {
        const cause = this.#jam() ?? this.#slice(Number.POSITIVE_INFINITY, frame, this.#stopper(limits, true));
        if (cause && cause.cause !== 'limit') return void this.#settle(cause);
        if (this.board.frameCount < frame) await setImmediate();
      }
      due += frameMs;
      const now = performance.now();
      // Far behind, as after a sleep of the computer: do not hurry to catch up.
      if (now - due > 200) due = now;
      if (this.#pace === 'real' && due > now) await setTimeout(due - now);
      else await setImmediate();
    }
    this.#settle(this.#atBorder({ cause: 'halt', reason: 'pause' }));
  }

  /** A call that says how far to run stops the machine first. */
  async #suspendFreeRun(): Promise<void> {
    if (this.#free !== undefined) await this.pause();
  }

  async #go(wallMs: number, signal: AbortSignal, slice: () => Cause | undefined): Promise<Stop> {
    const end = performance.now() + wallMs;
    this.#state = 'RUNNING';
    this.#leaving = true;
    for (;;) {
      const cause = this.#jam() ?? slice() ?? this.#interruption(signal, end);
      if (cause) return this.#settle(this.#atBorder(cause));
      await setImmediate();
    }
  }

  #interruption(signal: AbortSignal, end: number): Cause | undefined {
    if (this.#pauseWanted) return { cause: 'halt', reason: 'pause' };
    if (signal.aborted) return { cause: 'halt', reason: 'the call was cancelled' };
    if (performance.now() >= end) return { cause: 'limit', reason: 'time limit' };
    return undefined;
  }

  #slice(cycleLimit: number, frameLimit: number, stops: (() => Cause | undefined) | undefined): Cause | undefined {
    const end = performance.now() + sliceMs;
    const { board, history } = this;
    let frame = board.frameCount;
    do {
      if (stops) {
        const cause = this.#instructions(stops);
        if (cause) return cause;
      } else {
        const look = board.cycles + Math.min(cyclesBetweenLooks, this.#cyclesToFrame());
        history.runTo(Math.min(cycleLimit, look));
        history.replayInputs();
      }
      if (board.frameCount !== frame) {
        frame = board.frameCount;
        history.keep();
        if (frame >= frameLimit) return { cause: 'limit', reason: 'frames' };
      }
      if (board.cycles >= cycleLimit) return { cause: 'limit', reason: 'cycles' };
      const jam = this.#jam();
      if (jam) return jam;
    } while (performance.now() < end);
    return undefined;
  }

  /** A handful of instructions, each looked at before it runs; fewer when a frame ends. */
  #instructions(stops: () => Cause | undefined): Cause | undefined {
    const { interrupts, board } = this;
    const frame = board.frameCount;
    for (let count = 0; count < 64 && board.frameCount === frame; count++) {
      const cause = this.#leaving ? undefined : stops();
      if (cause) return cause;
      this.#leaving = false;
      if (!this.history.stepInstruction()) return undefined;
      if (interrupts.isOn) interrupts.look();
    }
    return undefined;
  }

  /** Runs with a limit of frames end exactly where a frame begins, and then the instruction under way. */
  #cyclesToFrame(): number {
    const { cyclesPerLine, lines } = this.board.vic.timing;
    const line = this.#vic[vic.startOfFrame] === 0 ? this.#vic[vic.rasterLine] : lines;
    // The counter of frames moves in the second cycle of line 0.
    return Math.max(1, (lines - line) * cyclesPerLine + 2 - this.#vic[vic.cycle]);
  }

  #oneStep(kind: StepRequest['kind']): Cause | undefined {
    const before = this.board.cpu.state[fields.s];
    const calls = this.board.peek('cpu', this.pc) === jsrOpcode;
    const returnTo = (this.pc + 3) & 0xffff;
    this.#stepAndLook();
    if (kind === 'into' || (kind === 'over' && !calls)) return this.#jam();
    // The stack pointer wraps, so its way is measured as a signed byte.
    const risen = () => ((this.board.cpu.state[fields.s] - before) << 24) >> 24;
    const left = () => (kind === 'over' ? this.pc === returnTo && risen() >= 0 : risen() > 0);
    const end = performance.now() + 2000;
    while (!left()) {
      const hit = this.#breakpoints.check(this.pc, true);
      if (hit) return breakpointCause(hit.id, hit.type);
      if (!this.#stepAndLook()) return this.#jam();
      if (performance.now() > end) return { cause: 'limit', reason: 'the subroutine did not return within 2 s' };
    }
    return undefined;
  }

  #stepAndLook(): boolean {
    const goesOn = this.history.stepInstruction();
    if (this.interrupts.isOn) this.interrupts.look();
    return goesOn;
  }

  /** Runs on to where the next instruction begins, so that registers make sense. */
  #atBorder(cause: Cause): Cause {
    if ((this.board.cpu.state[fields.step] & 7) !== 0 && cause.cause !== 'fault') this.#stepAndLook();
    return cause;
  }

  /** What has to be asked before each instruction; undefined when nothing has. Looking back leaves no trace. */
  #stopper(limits: RunLimits, counting: boolean): (() => Cause | undefined) | undefined {
    const holds: Reading | undefined =
      limits.condition === undefined ? undefined : compileCondition(limits.condition, this.#vocabulary);
    const address = limits.address === undefined ? undefined : Number(limits.address);
    const watched = this.#breakpoints.active || (counting && this.interrupts.isOn);
    if (!watched && address === undefined && holds === undefined) return undefined;
    return () => {
      const { pc } = this;
      if (pc === address) return { cause: 'breakpoint', reason: 'the address was reached' };
      if (holds && holds() !== 0) return { cause: 'breakpoint', reason: `condition ${limits.condition}` };
      const hit = this.#breakpoints.check(pc, counting);
      return hit && breakpointCause(hit.id, hit.type);
    };
  }

  #jam(): Cause | undefined {
    if (this.board.cpu.state[fields.jammed] === 0) return undefined;
    const at = this.board.cpu.state[fields.instructionPc];
    const opcode = this.board.peek('cpu', at).toString(16).padStart(2, '0').toUpperCase();
    return { cause: 'fault', reason: `the processor is jammed by opcode $${opcode}` };
  }

  #settle(cause: Cause): Stop {
    this.#stop = { seq: ++this.#stops, ...cause };
    this.#state = cause.cause === 'fault' ? 'ERROR' : cause.cause === 'breakpoint' ? 'BREAKPOINT' : 'PAUSED';
    return this.#stop;
  }

  #refuseInError(): void {
    if (this.#state !== 'ERROR') return;
    throw new MachineError(
      'EXECUTION_ERROR',
      `Cannot run from ERROR: ${this.#stop?.reason}.`,
      'Reset it with machine_reset, or set PC past the opcode with registers_write, or step back.',
      { execution_state: 'ERROR' },
    );
  }
}

function hasLimit({ frames, cycles, address, condition, back }: RunLimits): boolean {
  return [frames, cycles, address, condition].some((limit) => limit !== undefined) || back === true;
}

function breakpointCause(id: number, type: string): Cause {
  return { cause: 'breakpoint', reason: `breakpoint ${id}, ${type}`, breakpoint: { id, type } };
}
