import { fields } from '../../../chips/mos6510/registers.ts';
import { hex } from '../../../formats/hex.ts';
import type { AddressCapability } from '../../../machine/addresses.ts';
import type { RunLimits, StepRequest } from '../../../machine/control.ts';
import { type Advice, advice, call, MachineError } from '../../../machine/errors.ts';
import type { StopEvent } from '../../../machine/state.ts';
import { nextTurn, TimeSlice, unlessAborted } from '../../../machine/time-slice.ts';
import { BuiltInEngine, type Stride } from '../../shared/built-in-engine.ts';
import { breakpointCause, type Cause, conditionCause, reachedAddress } from '../../shared/cause.ts';
import type { Slice } from '../../shared/frames.ts';
import type { Lookout, PastStop } from '../../shared/history-rewind.ts';
import type { ChipTap } from '../board/chip-tap.ts';
import type { CommodoreBoard, VisibleFrame } from '../board/commodore-board.ts';
import type { Drive1541 } from '../drive/drive-1541.ts';
import type { CommodoreBreakpoints, MetBreakpoint } from './breakpoints/commodore-breakpoints.ts';
import { compileOnBoard } from './breakpoints/compile-on-board.ts';
import { cyclesToChange } from './breakpoints/condition-scope.ts';
import { eventAt } from './bus-event.ts';
import type { CommodoreInterruptLog } from './commodore-interrupt-log.ts';
import { CommodoreTimeline } from './commodore-timeline.ts';
import type { CommodoreVocabulary } from './commodore-vocabulary.ts';
import { driveEvent, driveNamed, mainProcessor, nameOf } from './drive-watch.ts';
import type { InputEvent } from './input-event.ts';
import { PastReview, type PastWatcher } from './past-review.ts';
import { type StepGoal, stepGoal } from './step-goal.ts';

const cyclesBetweenLooks = 1024;
/** Of conditions that take as long as the rest of the machine does, asked in each cycle. */
const charsPerLook = 512;
/** Farther back the past is not run again in between: that must not take longer than a slice of any other work. */
const mostReplayedFrames = 12;
const instructionsBetweenLooks = 64;
/** How long something aside may take before others have their turn. */
const asideMs = 8;
/** No instruction of a drive's takes longer, an interrupt included, in the halves of cycles that some boards count. */
const longestDriveStep = 64;
/** Of the machine's time, which is the same on every computer. */
const longestStepFrames = 300;

/** Where a run ends that was to last so many cycles: the instruction under way is not finished. */
const cyclesReached: Cause = { cause: 'limit', reason: 'cycles' };

/** What may end a run. */
interface Check {
  /** Whether anything may. */
  isNeeded(): boolean;
  /** Every instruction has to be looked at, not only those that are marked; for as long as the beam is in this line. */
  readonly isEach: boolean;
  /** Which of these have to be asked about, if a run can tell by itself. */
  readonly asks: (() => boolean) | undefined;
  /** Until a line begins where its condition can hold, or no longer can, in cycles. */
  cyclesToGate(): number;
  /** The condition alone, where the beam has come to such a line. */
  holds(): Cause | undefined;
  /** Asked before an instruction. */
  stops(): Cause | undefined;
  /** The same where the instruction that comes next has been asked about. */
  pending(): Cause | undefined;
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
  #moves = 0;
  /** Told at the end of each frame that is run. */
  onFrame: (() => void) | undefined;
  readonly #movers: (() => void)[] = [];
  readonly #looks = new Set<() => void>();
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

  /** Stopped within an instruction. */
  get isInside(): boolean {
    return this.state === 'PAUSED' && !this.#time.isAtBorder;
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

  /** Changes what the machine is made of, between two instructions. There is no way back to before it. */
  refit(change: () => void): Promise<void> {
    return this.whileStopped(() => {
      change();
      this.replaced();
    });
  }

  /** Shows the last frames again, instruction by instruction; the machine is then as it was. Not while it is going back. */
  replay(frames: number, visit: () => void): void {
    if (this.isRewinding) return;
    const from = this.board.cycles - frames * this.#time.frameSpan;
    const start = this.history.previousKeyframe(from + 1) ?? this.history.firstTime;
    if (this.board.cycles - start > mostReplayedFrames * this.#time.frameSpan) return;
    this.lookBack(() => this.#breakpoints.ignoring(() => this.#time.replay(from, visit)));
  }

  /** Rises when the machine becomes what it was at another time, or another one: cycles count differently from then on. */
  get moves(): number {
    return this.#moves;
  }

  /**
   * Runs a stretch of the past again, cycle by cycle, and shows it to the watcher. Nothing moves meanwhile, and nobody else sees
   * the machine in its past.
   */
  async review(
    span: { readonly from: number; readonly to: number },
    tap: (tap: ChipTap | undefined) => ChipTap | undefined,
    watcher: PastWatcher,
    signal: AbortSignal,
  ): Promise<void> {
    const letGo = this.holdStill();
    try {
      const { moves } = this;
      const review = new PastReview(this.board, this.#time, span, tap);
      const slice = new TimeSlice(unlessAborted(signal));
      for (let isDone = false; !isDone; ) {
        this.#requireSame(moves);
        this.lookBack(() => {
          this.#breakpoints.ignoring(() => {
            isDone = review.run(watcher, slice.end);
          });
        });
        if (!isDone) await slice.next();
      }
    } finally {
      letGo();
    }
  }

  /** From now on this is called before each instruction, which costs some speed. What it gives ends it. */
  beforeEach(look: () => void): () => void {
    const own = () => look();
    this.#looks.add(own);
    return () => void this.#looks.delete(own);
  }

  /** Called whenever the machine has become what it was at another time. */
  whenMoved(moved: () => void): void {
    this.#movers.push(moved);
  }

  /** Shows a stretch of the past again, instruction by instruction; the machine is then as it was, and nothing moves meanwhile. */
  async revisit(
    span: { readonly from: number; readonly to: number },
    visit: () => void,
    signal: AbortSignal,
    last: () => void = () => {},
  ): Promise<void> {
    const letGo = this.holdStill();
    try {
      await this.aside(
        () => this.history.rewindTo(span.from),
        (until) => {
          const isDone = this.#time.visitOn(span, visit, until);
          if (isDone) last();
          return isDone;
        },
        signal,
      );
      unlessAborted(signal)();
    } finally {
      letGo();
    }
  }

  /**
   * Lets the board do something that leaves no trace in it. `begin` is called once, then `go` with the time at which to pause, until
   * it answers true; between two calls the machine is as it was.
   */
  async aside(begin: () => void, go: (until: number) => boolean, signal: AbortSignal): Promise<void> {
    const { moves } = this;
    let other: ReturnType<typeof this.history.mark> | undefined;
    for (let isDone = false; !isDone && !signal.aborted; await nextTurn()) {
      this.#requireSame(moves);
      const work = () => {
        if (other) this.history.returnTo(other);
        else begin();
        isDone = go(performance.now() + asideMs);
        if (!isDone) other = this.history.mark();
      };
      this.lookBack(() => this.#breakpoints.ignoring(() => this.#time.unchanged(work)));
    }
  }

  /** Work in pieces cannot go on when the machine has become another one, nor while it is in its past. */
  #requireSame(moves: number): void {
    if (!this.isRewinding && this.#moves === moves) return;
    const message = 'The machine is being taken back or replaced.';
    throw new MachineError('BUSY', message, 'Try again when it has stopped.');
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
        if (isOne || cause) return cause ?? this.#metAtBorder() ?? 'done';
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
      return this.#metAtBorder() ?? 'done';
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
    const { board } = this;
    const present = board.cycles;
    return (end) => {
      let last: PastStop | undefined;
      check.arm();
      this.#breakpoints.forget();
      const note = (cause: Cause | undefined) => {
        // Where the machine was is no way back.
        if (cause && board.cycles < present) last = { time: board.cycles, cause };
        return false;
      };
      let isAsked = false;
      const observe = (look: number) => {
        const line = board.cycles + this.#breakpoints.cyclesToLine;
        const gate = board.cycles + check.cyclesToGate();
        const ask = () => note(check.stops());
        const { isEach, asks } = check;
        this.#time.runObserved(Math.min(look, line, gate), { isEach, asks, isAsked, ask });
        isAsked = board.hasAsked;
        if (board.cycles === gate && isAsked && this.#time.isAtBorder) note(check.holds());
        if (board.cycles === line) {
          this.#breakpoints.lineBegan();
          if (this.#time.isAtBorder && this.#breakpoints.isPending) note(check.pending());
        }
        return undefined;
      };
      return (until) => {
        while (board.cycles < end) {
          const look = Math.min(end, board.cycles + this.#cyclesToLook);
          if (!drives.isOn) observe(look);
          else {
            this.#besideDrives(look, observe, () => {
              const cause = this.#metByDrive(false);
              if (cause && board.cycles < present) last = { time: board.cycles, cause, isWithin: true };
              return undefined;
            });
          }
          if (performance.now() >= until) return undefined;
        }
        // What an instruction has done that goes on in the stretch behind this one.
        note(check.pending());
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

  /**
   * Runs on to where the next instruction begins, so that registers make sense, unless it was to stop in a certain cycle or a
   * drive has stopped it. What is met on the way is why it stops.
   */
  protected arrive(end: Cause): Cause {
    this.#breakpoints.alsoEndAt(undefined, false);
    const isInside = !this.#time.isAtBorder && end.cause !== 'fault' && !this.#stoppedBy;
    const other = isInside && end !== cyclesReached ? this.#stepAndLook() : undefined;
    const met = end.cause === 'breakpoint' ? undefined : this.#metAtBorder();
    this.#breakpoints.tellHits();
    this.#show();
    return other ?? met ?? end;
  }

  /** Without another address it will meet the same opcode again, or what has been written there. */
  protected cure(pc: number | undefined): void {
    this.input({ type: 'register', name: 'PC', value: pc ?? this.board.cpu.state[fields.instructionPc] });
  }

  protected override present(): StopEvent {
    if (this.#stoppedBy) return driveEvent(this.board, this.#stoppedBy);
    return this.#withSource(eventAt(this.board, (address) => this.#addresses.symbols.describe(BigInt(address), 0n)));
  }

  #withSource(event: StopEvent): StopEvent {
    const source = event.pc === undefined ? undefined : this.#addresses.source?.(event.pc);
    return source === undefined ? event : { ...event, source };
  }

  protected enterPast(): void {
    this.#breakpoints.forget();
  }

  protected moved(): void {
    this.#moves += 1;
    for (const moved of this.#movers) moved();
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
    let clockDue = board.cycles + this.#cyclesToLook;
    for (;;) {
      const jam = this.#jam();
      if (jam) return jam;
      // Runs with a limit of frames end exactly where a frame begins, and then the instruction under way.
      const line = board.cycles + this.#breakpoints.cyclesToLine;
      const gate = board.cycles + check.cyclesToGate();
      const look = Math.min(cycleLimit, line, gate, board.cycles + Math.min(this.#cyclesToLook, board.cyclesToFrame));
      if (!isNeeded && !drives.isOn) this.#time.runTo(look);
      else {
        const cause = drives.isOn ? this.#withDrives(look, check) : this.#observed(look, line, check);
        if (cause) return cause;
        // An instruction that the video chip keeps waiting has been asked about in the line before.
        const isWaiting = this.#time.isAtBorder && this.#askedAt === board.cycles;
        const held = board.cycles === gate && isWaiting ? check.holds() : undefined;
        if (held) return held;
      }
      if (board.frameCount !== frame) {
        frame = board.frameCount;
        history.keep();
        this.#breakpoints.frameEnded();
        this.#frameEnd = board.cycles;
        this.#show();
        this.onFrame?.();
        if (frame >= frameLimit) return { cause: 'limit', reason: 'frames' };
      }
      if (board.cycles >= cycleLimit) return cyclesReached;
      // Short ways, from line to line, are no reason to look at the clock.
      if (board.cycles < clockDue) continue;
      if (performance.now() >= until) return this.#jam();
      clockDue = board.cycles + this.#cyclesToLook;
    }
  }

  #show(): void {
    if (this.#watchers.length === 0) return;
    const frame = this.board.visibleFrame();
    for (const watch of this.#watchers.splice(0)) watch(frame);
  }

  /** To this cycle, or to what stops it before. `line`: where a line begins that breakpoints wait for. */
  #observed(look: number, line: number, check: Check): Cause | undefined {
    const { board } = this;
    let cause: Cause | undefined;
    const ask = () => {
      if (this.interrupts.isOn) this.interrupts.look();
      this.#look();
      cause = check.stops();
      return cause !== undefined;
    };
    const isAsked = this.#leaving || this.#askedAt === board.cycles;
    this.#leaving = false;
    // One that has been asked about need not have been looked at: a run may have ended before it.
    if (isAsked && this.#time.isAtBorder) this.#look();
    const { isEach, asks } = check;
    this.#time.runObserved(look, { isEach, asks, isAsked, ask });
    if (cause) {
      this.#askedAt = -1;
      return cause;
    }
    this.#askedAt = board.hasAsked ? board.cycles : -1;
    if (board.cycles === line) this.#breakpoints.lineBegan();
    if (!this.#breakpoints.isPending || !this.#time.isAtBorder) return undefined;
    if (this.#askedAt === board.cycles) return check.pending();
    this.#askedAt = board.cycles;
    ask();
    return cause;
  }

  /** The same with the drives looked at in every cycle: to where one has come to what somebody waits for. */
  #withDrives(look: number, check: Check, isOver = () => false): Cause | undefined {
    const isNeeded = check.isNeeded();
    const { board } = this;
    let line = -1;
    const pass = (next: number) => {
      if (board.cycles >= line) line = board.cycles + this.#breakpoints.cyclesToLine;
      if (isNeeded) return this.#observed(next, line, check);
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
    if (counting) this.#stoppedBy = this.board.drives.real.find(({ unit }) => nameOf(unit) === met.breakpoint.cpu);
    return breakpointCause(met.breakpoint, met.event, this.#addresses);
  }

  get #cyclesToLook(): number {
    return Math.ceil(cyclesBetweenLooks / (1 + this.#breakpoints.conditionChars / charsPerLook));
  }

  #look(): void {
    for (const look of this.#looks) look();
  }

  #stepAndLook(): Cause | undefined {
    if (this.#time.isAtBorder) this.#look();
    if (this.#breakpoints.drives.isOn) return this.#stepBesideDrives();
    const line = this.board.cycles + this.#breakpoints.cyclesToLine;
    const goesOn = this.#time.stepInstruction(line, () => this.#breakpoints.lineBegan());
    if (this.interrupts.isOn) this.interrupts.look();
    return goesOn ? undefined : this.#jam();
  }

  /** As it does so cycle by cycle, a drive may stop it within the instruction. */
  #stepBesideDrives(): Cause | undefined {
    let hasBegun = !this.#time.isAtBorder;
    let line = this.board.cycles + this.#breakpoints.cyclesToLine;
    const pass = (next: number) => {
      this.#time.runTo(next);
      if (next === line) {
        this.#breakpoints.lineBegan();
        line = next + this.#breakpoints.cyclesToLine;
      }
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
    const holds = condition === undefined ? undefined : compileOnBoard(condition, this.#vocabulary);
    const goal = address === undefined ? undefined : Number(address);
    const breakpoints = this.#breakpoints;
    const looks = this.#looks;
    const { board } = this;
    const scope = condition === undefined ? undefined : breakpoints.scopeOf(condition);
    const canHold = () => scope !== undefined && scope.lines[board.rasterLine] !== 0;
    const isTrue = () => holds !== undefined && holds() !== 0;
    const held = () => (condition !== undefined && isTrue() ? conditionCause(condition) : undefined);
    return {
      get isEach() {
        return canHold() || breakpoints.asksEach || (counting && looks.size > 0);
      },
      get asks() {
        const isOwn = canHold();
        if ((counting && looks.size > 0) || (isOwn && scope?.isPlain !== true)) return undefined;
        const { asks } = breakpoints;
        if (!breakpoints.asksEach) return isTrue;
        return isOwn && asks ? () => isTrue() || asks() : asks;
      },
      cyclesToGate: () => (scope ? cyclesToChange(board, scope.lines) : Number.POSITIVE_INFINITY),
      holds: held,
      isNeeded: () =>
        goal !== undefined ||
        holds !== undefined ||
        this.#breakpoints.active ||
        (counting && (this.interrupts.isOn || this.#looks.size > 0)),
      arm: () => this.#breakpoints.alsoEndAt(goal, counting && this.interrupts.isOn),
      stops: () => {
        const { pc } = this;
        if (pc === goal) return reachedAddress;
        return held() ?? this.#met(pc, counting);
      },
      pending: () => this.#metBefore(counting),
    };
  }

  #met(pc: number, counting: boolean): Cause | undefined {
    return this.#causeOf(this.#breakpoints.check(pc, counting));
  }

  /** What has happened, wherever the machine is now. */
  #metBefore(counting: boolean): Cause | undefined {
    return this.#causeOf(this.#breakpoints.takePending(counting));
  }

  /** The same, unless the instruction that did it is still under way. */
  #metAtBorder(): Cause | undefined {
    return this.#time.isAtBorder ? this.#metBefore(true) : undefined;
  }

  #causeOf(met: MetBreakpoint | undefined): Cause | undefined {
    return met && breakpointCause(met.breakpoint, met.event && this.#withSource(met.event), this.#addresses);
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
