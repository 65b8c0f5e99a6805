import { fields } from '../../../chips/mos6510/registers.ts';
import { hex } from '../../../formats/hex.ts';
import type { AddressCapability } from '../../../machine/addresses.ts';
import type { RunLimits, StepRequest } from '../../../machine/control.ts';
import { type Advice, advice, call } from '../../../machine/errors.ts';
import type { StopEvent } from '../../../machine/state.ts';
import { BuiltInEngine, type Stride } from '../../shared/built-in-engine.ts';
import { breakpointCause, type Cause, conditionCause, reachedAddress } from '../../shared/cause.ts';
import { compileCondition } from '../../shared/condition/condition.ts';
import type { Slice } from '../../shared/frames.ts';
import type { Lookout, PastStop } from '../../shared/history-rewind.ts';
import type { CommodoreBoard, VisibleFrame } from '../board/commodore-board.ts';
import type { Drive1541 } from '../drive/drive-1541.ts';
import { eventAt } from './bus-event.ts';
import type { CommodoreBreakpoints } from './commodore-breakpoints.ts';
import type { CommodoreInterruptLog } from './commodore-interrupt-log.ts';
import { CommodoreTimeline } from './commodore-timeline.ts';
import type { CommodoreVocabulary } from './commodore-vocabulary.ts';
import { driveEvent, driveNamed, mainProcessor, nameOf } from './drive-watch.ts';
import type { InputEvent } from './input-event.ts';
import { type StepGoal, stepGoal } from './step-goal.ts';

const cyclesBetweenLooks = 1024;
/** Of conditions that take as long as the rest of the machine does, asked in each cycle. */
const charsPerLook = 512;
/** Farther back the past is not run again in between: that must not take longer than a slice of any other work. */
const mostReplayedFrames = 12;
const instructionsBetweenLooks = 64;
/** No instruction of a drive's takes longer, an interrupt included. */
const longestDriveStep = 32;
/** Of the machine's time, which is the same on every computer. */
const longestStepFrames = 300;

/** What may end a run. */
interface Check {
  /** Whether anything may. */
  isNeeded(): boolean;
  /** Every instruction has to be looked at, not only those that are marked. */
  readonly isEach: boolean;
  /** Asked before an instruction. */
  stops(): Cause | undefined;
  /** Has the board end its runs where something has to be asked. */
  arm(): void;
}

interface EngineParts {
  readonly board: CommodoreBoard;
  readonly breakpoints: CommodoreBreakpoints;
  readonly vocabulary: CommodoreVocabulary;
  readonly addresses: AddressCapability;
  readonly interrupts: CommodoreInterruptLog;
}

/** Lets the board's time pass: cycle by cycle, or instruction by instruction while something may stop it. */
export class CommodoreEngine extends BuiltInEngine<InputEvent, Uint8Array> {
  readonly board: CommodoreBoard;
  readonly interrupts: CommodoreInterruptLog;
  readonly #time: CommodoreTimeline;
  readonly #breakpoints: CommodoreBreakpoints;
  readonly #vocabulary: CommodoreVocabulary;
  readonly #addresses: AddressCapability;
  /** The breakpoint we stand at must not stop us again before we have moved. */
  #leaving = false;
  /** The cycle in which a run ended that had asked about the instruction that comes next. */
  #askedAt = -1;
  /** The cycle in which the last frame ended. */
  #frameEnd = -1;
  /** The drive whose processor has ended the run: the computer's may be within an instruction. */
  #stoppedBy: Drive1541 | undefined;
  readonly #watchers: ((frame: VisibleFrame) => void)[] = [];

  constructor({ board, breakpoints, vocabulary, addresses, interrupts }: EngineParts) {
    const time = new CommodoreTimeline(board);
    super(time);
    this.board = board;
    this.#time = time;
    this.#breakpoints = breakpoints;
    this.#vocabulary = vocabulary;
    this.#addresses = addresses;
    this.interrupts = interrupts;
  }

  /** What reaches the machine while drives are held does so again when this is run again. */
  override input(event: InputEvent): void {
    super.input(this.board.drives.areHeld ? { ...event, whileHeld: true } : event);
  }

  /** Of the next instruction, or of the one under way. */
  get pc(): number {
    const { state } = this.board.cpu;
    return this.#time.isAtBorder ? state[fields.pc] : state[fields.instructionPc];
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

  /** Shows the last frames again, instruction by instruction; the machine is then as it was. Not while it is going back. */
  replay(frames: number, visit: () => void): void {
    if (this.isRewinding) return;
    const from = this.board.cycles - frames * this.#time.frameSpan;
    const start = this.history.previousKeyframe(from + 1) ?? this.history.firstTime;
    if (this.board.cycles - start > mostReplayedFrames * this.#time.frameSpan) return;
    this.lookBack(() => this.#breakpoints.ignoring(() => this.#time.replay(from, visit)));
  }

  protected get errorFix(): Advice {
    const next = (this.board.cpu.state[fields.instructionPc] + 1) & 0xffff;
    return advice`Set PC past the opcode: ${call('registers_write', { values: { PC: `$${hex(next, 4)}` } })}.`;
  }

  protected override isCuredBy(): boolean {
    return this.board.cpu.state[fields.jammed] === 0;
  }

  protected runner(limits: RunLimits): Slice {
    const { board } = this;
    const cycleLimit = limits.cycles === undefined ? Number.POSITIVE_INFINITY : board.cycles + limits.cycles;
    const frameLimit = limits.frames === undefined ? Number.POSITIVE_INFINITY : board.frameCount + limits.frames;
    const check = this.#check(limits, true);
    return (until) => this.#slice(until, cycleLimit, frameLimit, check);
  }

  protected stride(kind: StepRequest['kind'], cpu: string | undefined): Stride {
    if (cpu !== undefined && cpu !== mainProcessor) return this.#driveStride(kind, driveNamed(this.board, cpu));
    const peek = (address: number) => this.board.peek('cpu', address);
    const goal = stepGoal(kind, { state: this.board.cpu.state, pc: () => this.pc, peek });
    return this.#through(goal, (isFirst) => {
      const cause = isFirst ? this.#jam() : this.#met(this.pc, true);
      goal.pass();
      return cause ?? this.#stepAndLook();
    });
  }

  /** The computer runs meanwhile, and what stops it stops the step. */
  #driveStride(kind: StepRequest['kind'], drive: Drive1541): Stride {
    const peek = (address: number) => drive.peek(address);
    this.board.catchUp();
    this.#stoppedBy = drive;
    const goal = stepGoal(kind, { state: drive.parts.cpu, pc: () => drive.pc, peek });
    return this.#through(goal, () => {
      goal.pass();
      const cause = this.#stepDrive(drive);
      this.#stoppedBy = drive;
      return cause;
    });
  }

  /** Instruction by instruction to where a step ends. */
  #through({ isOne, isThere }: StepGoal, step: (isFirst: boolean) => Cause | undefined): Stride {
    const end = this.board.frameCount + longestStepFrames;
    let isFirst = true;
    let frame = this.board.frameCount;
    return (until) => {
      if (isFirst) {
        const cause = step(true);
        isFirst = false;
        if (isOne || cause) return cause ?? 'done';
      }
      for (let count = 1; !isThere(); count++) {
        const cause = step(false);
        if (cause) return cause;
        if (this.board.frameCount !== frame) {
          frame = this.board.frameCount;
          // Also brings everything up to the present that would have to catch up in one go later.
          this.history.keep();
        }
        if (count % instructionsBetweenLooks !== 0 || performance.now() < until) continue;
        if (this.board.frameCount <= end) return undefined;
        return { cause: 'limit', reason: `the subroutine did not return within ${longestStepFrames} frames` };
      }
      return 'done';
    };
  }

  #stepDrive(drive: Drive1541): Cause | undefined {
    const { drives } = this.#breakpoints;
    const check = this.#check({ wallMs: 0 }, true);
    if (check.isNeeded()) check.arm();
    drives.step(drive);
    try {
      const cause = this.#withDrives(this.board.cycles + longestDriveStep, check, () => drives.hasStepped);
      if (cause || drives.hasStepped) return cause;
      const opcode = hex(drive.peek(drive.pc), 2);
      const where = `opcode $${opcode} at $${hex(drive.pc, 4)}`;
      return { cause: 'limit', reason: `the processor of drive ${drive.unit} is jammed by ${where}; a reset frees it` };
    } finally {
      drives.step(undefined);
    }
  }

  protected lookout(limits: RunLimits): Lookout | undefined {
    const check = this.#check(limits, false);
    const { drives } = this.#breakpoints;
    if (!check.isNeeded() && !drives.isOn) return undefined;
    return (end) => {
      let last: PastStop | undefined;
      check.arm();
      const ask = () => {
        const cause = check.stops();
        if (cause) last = { time: this.board.cycles, cause };
        return false;
      };
      let isAsked = false;
      return (until) => {
        const observe = (look: number) => {
          this.#time.runObserved(look, { isEach: check.isEach, isAsked, ask });
          isAsked = this.board.hasAsked;
          return undefined;
        };
        while (this.board.cycles < end) {
          const look = Math.min(end, this.board.cycles + this.#cyclesToLook);
          if (drives.isOn) {
            this.#besideDrives(look, observe, () => {
              const cause = this.#metByDrive(false);
              // What is met at the end is where the way back begins.
              if (cause && this.board.cycles < end) last = { time: this.board.cycles, cause, isWithin: true };
              return undefined;
            });
          } else observe(look);
          if (performance.now() >= until) return undefined;
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
    this.#stoppedBy = undefined;
  }

  /** Runs on to where the next instruction begins, so that registers make sense. */
  protected arrive(end: Cause): Cause {
    this.#breakpoints.alsoEndAt(undefined, false);
    this.#breakpoints.tellHits();
    const isWithin = !this.#time.isAtBorder && end.cause !== 'fault' && !this.#stoppedBy;
    const cause = (isWithin && this.#stepAndLook()) || end;
    this.#show();
    return cause;
  }

  protected override present(): StopEvent {
    if (this.#stoppedBy) return driveEvent(this.board, this.#stoppedBy);
    return eventAt(this.board, (address) => this.#addresses.symbols.describe(BigInt(address), 0n));
  }

  protected enterPast(): void {
    this.#breakpoints.forget();
  }

  protected moved(): void {
    this.#askedAt = -1;
    this.#show();
    this.#breakpoints.alsoEndAt(undefined, false);
    this.#breakpoints.forget();
    this.interrupts.forget();
  }

  #slice(until: number, cycleLimit: number, frameLimit: number, check: Check): Cause | undefined {
    const { board, history } = this;
    const { drives } = this.#breakpoints;
    const isNeeded = check.isNeeded();
    if (isNeeded) check.arm();
    let frame = board.frameCount;
    do {
      const jam = this.#jam();
      if (jam) return jam;
      // Runs with a limit of frames end exactly where a frame begins, and then the instruction under way.
      const look = Math.min(cycleLimit, board.cycles + Math.min(this.#cyclesToLook, board.cyclesToFrame));
      if (!isNeeded && !drives.isOn) this.#time.runTo(look);
      else {
        const cause = drives.isOn ? this.#withDrives(look, check) : this.#observed(look, check);
        if (cause) return cause;
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

  /** To this cycle, or to what stops it before. */
  #observed(look: number, { stops, isEach }: Check): Cause | undefined {
    let cause: Cause | undefined;
    const ask = () => {
      if (this.interrupts.isOn) this.interrupts.look();
      cause = stops();
      return cause !== undefined;
    };
    const isAsked = this.#leaving || this.#askedAt === this.board.cycles;
    this.#leaving = false;
    this.#time.runObserved(look, { isEach, isAsked, ask });
    this.#askedAt = cause === undefined && this.board.hasAsked ? this.board.cycles : -1;
    return cause;
  }

  /** The same with the drives looked at in every cycle: to where one has come to what somebody waits for. */
  #withDrives(look: number, check: Check, isOver = () => false): Cause | undefined {
    const isNeeded = check.isNeeded();
    const pass = (next: number) => {
      if (isNeeded) return this.#observed(next, check);
      this.#time.runTo(next);
      return undefined;
    };
    return this.#besideDrives(look, pass, () => this.#metByDrive(true), isOver);
  }

  #besideDrives(
    look: number,
    pass: (next: number) => Cause | undefined,
    met: () => Cause | undefined,
    isOver = () => false,
  ): Cause | undefined {
    const { board } = this;
    const { drives } = this.#breakpoints;
    drives.open();
    try {
      while (board.cycles < look && !isOver()) {
        const cause = pass(board.cycles + 1);
        if (cause) return cause;
        board.drives.catchUpHolding();
        const stop = met();
        if (stop) return stop;
      }
      return undefined;
    } finally {
      drives.close();
    }
  }

  #metByDrive(counting: boolean): Cause | undefined {
    const met = this.#breakpoints.checkDrives(counting);
    if (!met) return undefined;
    this.#stoppedBy = this.board.drives.real.find(({ unit }) => nameOf(unit) === met.breakpoint.cpu);
    return breakpointCause(met.breakpoint, met.event, this.#addresses);
  }

  get #cyclesToLook(): number {
    return Math.ceil(cyclesBetweenLooks / (1 + this.#breakpoints.conditionChars / charsPerLook));
  }

  #stepAndLook(): Cause | undefined {
    if (this.#breakpoints.drives.isOn) return this.#stepBesideDrives();
    const goesOn = this.#time.stepInstruction();
    if (this.interrupts.isOn) this.interrupts.look();
    return goesOn ? undefined : this.#jam();
  }

  /** As it does so cycle by cycle, a drive may stop it within the instruction. */
  #stepBesideDrives(): Cause | undefined {
    let hasBegun = !this.#time.isAtBorder;
    const pass = (next: number) => {
      this.#time.runTo(next);
      hasBegun ||= !this.#time.isAtBorder;
      return this.#jam();
    };
    const isOver = () => hasBegun && this.#time.isAtBorder;
    const cause = this.#besideDrives(Number.POSITIVE_INFINITY, pass, () => this.#metByDrive(true), isOver);
    if (this.interrupts.isOn) this.interrupts.look();
    return cause;
  }

  /** Looking back leaves no trace: nothing is counted. */
  #check({ condition, address }: RunLimits, counting: boolean): Check {
    const holds = condition === undefined ? undefined : compileCondition(condition, this.#vocabulary);
    const goal = address === undefined ? undefined : Number(address);
    return {
      isEach: holds !== undefined,
      isNeeded: () =>
        goal !== undefined || holds !== undefined || this.#breakpoints.active || (counting && this.interrupts.isOn),
      arm: () => this.#breakpoints.alsoEndAt(goal, counting && this.interrupts.isOn),
      stops: () => {
        const { pc } = this;
        if (pc === goal) return reachedAddress;
        if (condition !== undefined && holds && holds() !== 0) return conditionCause(condition);
        return this.#met(pc, counting);
      },
    };
  }

  #met(pc: number, counting: boolean): Cause | undefined {
    const met = this.#breakpoints.check(pc, counting);
    return met && breakpointCause(met.breakpoint, met.event, this.#addresses);
  }

  #jam(): Cause | undefined {
    const { state } = this.board.cpu;
    if (state[fields.jammed] === 0) return undefined;
    // What was fetched, whatever lies there now.
    const opcode = hex(state[fields.step] >> 3, 2);
    const where = hex(state[fields.instructionPc], 4);
    const reason = `the processor is jammed by opcode $${opcode} at $${where} (way out: set PC past it, step back, or reset)`;
    return { cause: 'fault', reason };
  }
}
