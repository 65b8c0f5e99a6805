import { fields } from '../../../../chips/mos6510/registers.ts';
import { type Vic2State, fields as vic } from '../../../../chips/vic2/fields.ts';
import { compileCondition } from '../../../../machine/condition/condition.ts';
import type { RunLimits, StepRequest } from '../../../../machine/control.ts';
import { breakpointCause, type Cause, conditionCause, reachedAddress } from '../../../built-in/cause.ts';
import { BuiltInEngine, type Stride } from '../../../built-in/engine.ts';
import type { Slice } from '../../../built-in/frames.ts';
import type { Lookout, PastStop } from '../../../built-in/rewind.ts';
import type { C64Board } from '../c64-board.ts';
import type { VisibleFrame } from '../visible-frame.ts';
import { boardWords } from './board-words.ts';
import type { BreakpointTable } from './breakpoint-table.ts';
import { C64InterruptLog } from './c64-interrupt-log.ts';
import { C64Timeline } from './c64-timeline.ts';
import type { InputEvent } from './input-event.ts';
import type { C64Vocabulary } from './vocabulary.ts';

const cyclesBetweenLooks = 1024;
const instructionsBetweenLooks = 64;
const jsrOpcode = 0x20;
const longestStepMs = 2000;

/** What has to be asked before each instruction. */
interface Check {
  /** Whether anything has. */
  isNeeded(): boolean;
  stops(): Cause | undefined;
}

/** Lets the board's time pass: cycle by cycle, or instruction by instruction while something may stop it. */
export class Engine extends BuiltInEngine<InputEvent, Uint8Array> {
  readonly board: C64Board;
  readonly interrupts: C64InterruptLog;
  protected readonly errorFix = 'set PC past the opcode with registers_write';
  readonly #time: C64Timeline;
  readonly #vic: Vic2State;
  readonly #breakpoints: BreakpointTable;
  readonly #vocabulary: C64Vocabulary;
  /** The breakpoint we stand at must not stop us again before we have moved. */
  #leaving = false;
  /** The cycle in which the last frame ended. */
  #frameEnd = -1;
  readonly #watchers: ((frame: VisibleFrame) => void)[] = [];

  constructor(board: C64Board, breakpoints: BreakpointTable, vocabulary: C64Vocabulary) {
    const time = new C64Timeline(board);
    super(time);
    this.board = board;
    this.#time = time;
    this.#breakpoints = breakpoints;
    this.#vocabulary = vocabulary;
    this.interrupts = new C64InterruptLog(board);
    this.#vic = boardWords(board, 'vic');
  }

  get pc(): number {
    return this.board.cpu.state[fields.pc];
  }

  get framesPerSecond(): number {
    return this.board.clockHz / this.#time.frameSpan;
  }

  /** Of a machine that runs a whole one, as a camera would have it; else what the beam has drawn so far. */
  async wholeFrame(): Promise<VisibleFrame> {
    const isBetweenFrames = this.board.cycles === this.#frameEnd;
    if (this.state !== 'RUNNING' || isBetweenFrames) return this.board.visibleFrame();
    return new Promise((resolve) => this.#watchers.push(resolve));
  }

  protected runner(limits: RunLimits): Slice {
    const { board } = this;
    const cycleLimit = limits.cycles === undefined ? Number.POSITIVE_INFINITY : board.cycles + limits.cycles;
    const frameLimit = limits.frames === undefined ? Number.POSITIVE_INFINITY : board.frameCount + limits.frames;
    const check = this.#check(limits, true);
    return (until) => this.#slice(until, cycleLimit, frameLimit, check);
  }

  protected stride(kind: StepRequest['kind']): Stride {
    const before = this.board.cpu.state[fields.s];
    const calls = this.board.peek('cpu', this.pc) === jsrOpcode;
    const returnTo = (this.pc + 3) & 0xffff;
    const isOne = kind === 'into' || (kind === 'over' && !calls);
    // The stack pointer wraps, so its way is measured as a signed byte.
    const risen = () => ((this.board.cpu.state[fields.s] - before) << 24) >> 24;
    const isThere = () => (kind === 'over' ? this.pc === returnTo && risen() >= 0 : risen() > 0);
    const end = performance.now() + longestStepMs;
    let isFirst = true;
    return (until) => {
      if (isFirst) {
        const jam = this.#jam() ?? this.#stepAndLook();
        isFirst = false;
        if (isOne || jam) return jam ?? 'done';
      }
      for (let count = 1; !isThere(); count++) {
        const hit = this.#breakpoints.check(this.pc, true);
        if (hit) return breakpointCause(hit);
        const jam = this.#stepAndLook();
        if (jam) return jam;
        if (count % instructionsBetweenLooks !== 0 || performance.now() < until) continue;
        if (performance.now() <= end) return undefined;
        return { cause: 'limit', reason: 'the subroutine did not return within 2 s' };
      }
      return 'done';
    };
  }

  protected lookout(limits: RunLimits): Lookout | undefined {
    const check = this.#check(limits, false);
    if (!check.isNeeded()) return undefined;
    return (end) => {
      let last: PastStop | undefined;
      return (until) => {
        for (let count = 1; this.board.cycles < end; count++) {
          const cause = this.#time.isAtBorder ? check.stops() : undefined;
          if (cause) last = { time: this.board.cycles, cause };
          this.#time.stepInstruction();
          if (count % instructionsBetweenLooks === 0 && performance.now() >= until) return undefined;
        }
        return last ?? null;
      };
    };
  }

  protected wentBack(span: number | undefined, lookedOut: boolean): string {
    if (lookedOut) return 'nothing stopped it on the way back';
    return span === undefined ? 'the beginning of what is remembered' : 'went back';
  }

  protected restart(mode: 'soft' | 'hard'): void {
    if (mode === 'soft') this.input({ type: 'reset' });
    else this.board.powerUp();
  }

  protected leave(): void {
    this.#leaving = true;
  }

  /** Runs on to where the next instruction begins, so that registers make sense. */
  protected arrive({ cause }: Cause): void {
    if (!this.#time.isAtBorder && cause !== 'fault') this.#stepAndLook();
    this.#show();
  }

  protected enterPast(): void {
    this.#breakpoints.forget();
  }

  protected moved(): void {
    this.#show();
    this.#breakpoints.forget();
    this.interrupts.forget();
  }

  #slice(until: number, cycleLimit: number, frameLimit: number, check: Check): Cause | undefined {
    const { board, history } = this;
    const stops = check.isNeeded() ? check.stops : undefined;
    let frame = board.frameCount;
    do {
      const jam = this.#jam();
      if (jam) return jam;
      if (stops) {
        const cause = this.#instructions(stops);
        if (cause) return cause;
      } else {
        const look = board.cycles + Math.min(cyclesBetweenLooks, this.#cyclesToFrame());
        this.#time.runTo(Math.min(cycleLimit, look));
      }
      if (board.frameCount !== frame) {
        frame = board.frameCount;
        history.keep();
        this.#frameEnd = board.cycles;
        this.#show();
        if (frame >= frameLimit) return { cause: 'limit', reason: 'frames' };
      }
      if (board.cycles >= cycleLimit) return { cause: 'limit', reason: 'cycles' };
    } while (performance.now() < until);
    return this.#jam();
  }

  #show(): void {
    if (this.#watchers.length === 0) return;
    const frame = this.board.visibleFrame();
    for (const watch of this.#watchers.splice(0)) watch(frame);
  }

  /** A handful of instructions, each looked at before it runs; fewer when a frame ends. */
  #instructions(stops: Check['stops']): Cause | undefined {
    const { board } = this;
    const frame = board.frameCount;
    for (let count = 0; count < instructionsBetweenLooks && board.frameCount === frame; count++) {
      const cause = this.#leaving ? undefined : stops();
      if (cause) return cause;
      this.#leaving = false;
      if (this.#stepAndLook()) return undefined;
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

  #stepAndLook(): Cause | undefined {
    const goesOn = this.#time.stepInstruction();
    if (this.interrupts.isOn) this.interrupts.look();
    return goesOn ? undefined : this.#jam();
  }

  /** Looking back leaves no trace: nothing is counted. */
  #check({ condition, address }: RunLimits, counting: boolean): Check {
    const holds = condition === undefined ? undefined : compileCondition(condition, this.#vocabulary);
    const goal = address === undefined ? undefined : Number(address);
    return {
      isNeeded: () =>
        goal !== undefined || holds !== undefined || this.#breakpoints.active || (counting && this.interrupts.isOn),
      stops: () => {
        const { pc } = this;
        if (pc === goal) return reachedAddress;
        if (condition !== undefined && holds && holds() !== 0) return conditionCause(condition);
        const hit = this.#breakpoints.check(pc, counting);
        return hit && breakpointCause(hit);
      },
    };
  }

  #jam(): Cause | undefined {
    const { cpu } = this.board;
    if (cpu.state[fields.jammed] === 0) return undefined;
    const opcode = this.board.peek('cpu', cpu.state[fields.instructionPc]).toString(16).padStart(2, '0').toUpperCase();
    return { cause: 'fault', reason: `the processor is jammed by opcode $${opcode}` };
  }
}
