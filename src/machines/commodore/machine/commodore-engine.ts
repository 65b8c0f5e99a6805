import { fields } from '../../../chips/mos6510/registers.ts';
import { hexWord } from '../../../formats/hex.ts';
import type { AddressCapability } from '../../../machine/addresses.ts';
import type { RunLimits, StepRequest } from '../../../machine/control.ts';
import { type Advice, advice, call, MachineError } from '../../../machine/errors.ts';
import type { Stop, StopEvent } from '../../../machine/state.ts';
import { type AsOf, BuiltInEngine, type Stride } from '../../shared/built-in-engine.ts';
import type { Cause } from '../../shared/cause.ts';
import type { Slice } from '../../shared/frames.ts';
import type { Lookout } from '../../shared/history-rewind.ts';
import { nextTurn, TimeSlice, unlessAborted } from '../../shared/time-slice.ts';
import type { CommodoreBoard, VisibleFrame } from '../board/commodore-board.ts';
import type { CommodoreBreakpoints } from './breakpoints/commodore-breakpoints.ts';
import { eventAt } from './bus-event.ts';
import type { CommodoreInterruptLog } from './commodore-interrupt-log.ts';
import { lookoutFor } from './commodore-lookout.ts';
import { CommodoreRun } from './commodore-run.ts';
import { strideOf } from './commodore-stride.ts';
import { CommodoreTimeline, type WayBack } from './commodore-timeline.ts';
import type { CommodoreVocabulary } from './commodore-vocabulary.ts';
import { driveEvent } from './drive-watch.ts';
import type { InputEvent } from './input-event.ts';
import { PastReview, type PastWatcher } from './past-review.ts';
import { type Check, checkFor } from './run-check.ts';
import { WayOut } from './way-out.ts';

/** Farther back the past is not run again in between: that must not take longer than a slice of any other work. */
const mostReplayedFrames = 12;
/** How long something aside may take before others have their turn. */
const asideMs = 8;

/** Where a run ends that was to last so many cycles: the instruction under way is not finished. */
const cyclesReached: Cause = { cause: 'limit', reason: 'cycles' };

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
  readonly #run: CommodoreRun;
  readonly #addresses: AddressCapability;
  /** The cycle in which it was last reset or switched on. */
  #resetAt = 0;
  /** The cycle in which the last frame ended. */
  #frameEnd = -1;
  /** Told at the end of each frame that is run. */
  onFrame: (() => void) | undefined;
  readonly #movers: (() => void)[] = [];
  readonly #watchers: ((frame: VisibleFrame) => void)[] = [];
  readonly #frameWaiters: (() => void)[] = [];
  readonly #afterSlices = new Set<() => void>();

  constructor({ board, breakpoints, vocabulary, addresses, interrupts }: EngineParts) {
    const time = new CommodoreTimeline(board);
    super(time);
    this.board = board;
    this.#time = time;
    this.#breakpoints = breakpoints;
    this.#run = new CommodoreRun({ board, time, breakpoints, vocabulary, addresses, interrupts });
    this.#addresses = addresses;
    this.interrupts = interrupts;
  }

  /** What reaches the machine while drives are held does so again when this is run again. */
  override input(event: InputEvent): void {
    const { held } = this.board.drives;
    super.input(held > 0 ? { ...event, whileHeld: held } : event);
  }

  get wayBack(): WayBack {
    return this.#time.wayBack;
  }

  /** As `passThrough`, with the past of another machine that has passed there. */
  become(wayBack: WayBack, state: Uint8Array, { seq: _, ...end }: Stop): void {
    this.#time.adopt(wayBack);
    this.arriveAt({ state, inputs: 0 }, end);
  }

  /** Of the next instruction, or of the one under way. */
  get pc(): number {
    return this.#run.pc;
  }

  /** Stopped within an instruction. */
  get isInside(): boolean {
    return this.state === 'PAUSED' && !this.#time.isAtBorder;
  }

  /** In frames, by its own clock; since it was switched on where it has gone back to before the last reset. */
  get sinceReset(): number {
    const { cycles } = this.board;
    return (cycles - (this.#resetAt > cycles ? 0 : this.#resetAt)) / this.#time.frameSpan;
  }

  get framesPerSecond(): number {
    return this.board.clockHz / this.#time.frameSpan;
  }

  /** Of a machine that runs a whole one, as a camera would have it; else what the beam has drawn so far. */
  async wholeFrame(): Promise<VisibleFrame> {
    const isBetweenFrames = this.board.cycles === this.#frameEnd;
    if (this.state !== 'RUNNING' || isBetweenFrames || this.isRewinding) return this.board.visibleFrame();
    if (this.isHeld) return this.#frameToCome();
    return new Promise((resolve) => this.#watchers.push(resolve));
  }

  nextFrame(): Promise<void> | undefined {
    if (this.state !== 'RUNNING' || this.isRewinding) return undefined;
    return new Promise((resolve) => this.#frameWaiters.push(resolve));
  }

  /** The frame that is being drawn, to its end; the machine is then as it was. */
  #frameToCome(): VisibleFrame {
    let frame = this.board.visibleFrame();
    this.lookBack(() => {
      this.#breakpoints.ignoring(() => {
        this.#time.unchanged(() => {
          this.#time.runTo(this.board.cycles + this.board.cyclesToFrame);
          const { pixels, ...rest } = this.board.visibleFrame();
          frame = { ...rest, pixels: pixels.slice() };
        });
      });
    });
    return frame;
  }

  /** Changes what the machine is made of, between two instructions. There is no way back to before it. */
  refit(change: () => void): Promise<void> {
    return this.whileStopped(() => {
      change();
      this.#breakpoints.refitted();
      this.refitted();
    });
  }

  /** Shows the last frames again, instruction by instruction; the machine is then as it was. Not while it is going back. */
  replay(frames: number, visit: () => void): void {
    const from = this.#framesAgo(frames);
    if (from !== undefined) this.lookBack(() => this.#breakpoints.ignoring(() => this.#time.replay(from, visit)));
  }

  /** The same, between others' turns. `present` is called at its end, before the machine goes on. */
  async replayInPieces(frames: number, visit: () => void, present: () => void): Promise<void> {
    const letGo = await this.hold();
    try {
      const from = this.#framesAgo(frames);
      if (from !== undefined) await this.#revisit({ from, to: this.board.cycles }, visit, new AbortController().signal);
      present();
    } finally {
      letGo();
    }
  }

  /** If so much of the past can be shown without much effort. */
  #framesAgo(frames: number): number | undefined {
    if (this.isRewinding) return undefined;
    const from = this.board.cycles - frames * this.#time.frameSpan;
    const start = this.history.previousKeyframe(from + 1) ?? this.history.firstTime;
    return this.board.cycles - start > mostReplayedFrames * this.#time.frameSpan ? undefined : from;
  }

  /** For `review`: what was broken off goes on where it was, as long as the machine does not move elsewhere. */
  reviewOf(span: { readonly from: number; readonly to: number }): PastReview {
    return new PastReview(this.board, this.#time, span);
  }

  /**
   * Runs a stretch of the past again, cycle by cycle, and shows it to the watcher. Nothing moves meanwhile, and nobody else sees
   * the machine in its past.
   */
  async review(
    span: { readonly from: number; readonly to: number },
    watcher: PastWatcher,
    signal: AbortSignal,
    review = this.reviewOf(span),
  ): Promise<void> {
    const letGo = await this.hold();
    try {
      const { moves } = this;
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
    this.#run.looks.add(own);
    return () => void this.#run.looks.delete(own);
  }

  /** From now on this is called after each slice of time; what it gives ends it. */
  afterEachSlice(act: () => void): () => void {
    this.#afterSlices.add(act);
    return () => void this.#afterSlices.delete(act);
  }

  protected override sliceEnded(): void {
    for (const act of this.#afterSlices) act();
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
    const letGo = await this.hold();
    try {
      await this.#revisit(span, visit, signal, last);
    } finally {
      letGo();
    }
  }

  async #revisit(
    span: { readonly from: number; readonly to: number },
    visit: () => void,
    signal: AbortSignal,
    last: () => void = () => {},
  ): Promise<void> {
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

  /**
   * Looks at the machine as it was at a moment of the past, its screen drawn; nothing of that stays, and one that runs goes on
   * between the pieces. Before the first whole frame there is nothing to be seen.
   */
  async asOf<Seen>(time: number, look: () => Seen, signal: AbortSignal): Promise<AsOf<Seen>> {
    const { history, board } = this;
    const { frameSpan } = this.#time;
    const at = Math.min(board.cycles, Math.max(Math.round(time), history.firstTime + frameSpan));
    let drawn: Uint8Array | undefined;
    let found: AsOf<Seen> | undefined;
    const go = (until: number) => {
      if (drawn) board.frame.set(drawn);
      const isThere = this.#time.runTo(at, until);
      if (isThere) found = { time: at, seen: look() };
      else {
        board.catchUp();
        drawn = board.frame.slice();
      }
      return isThere;
    };
    await this.aside(() => history.rewindTo(at - frameSpan), go, signal);
    unlessAborted(signal)();
    if (!found) throw new Error('a moment of the past was not reached');
    return found;
  }

  /** Work in pieces cannot go on when the machine has become another one, nor while it is in its past. */
  #requireSame(moves: number): void {
    if (!this.isRewinding && this.moves === moves) return;
    const message = 'The machine is being taken back or replaced.';
    throw new MachineError('BUSY', message, 'Try again when it has stopped.');
  }

  protected get errorFix(): Advice {
    const next = (this.board.cpu.state[fields.instructionPc] + 1) & 0xffff;
    return advice`Set PC past the opcode: ${call('registers_write', { values: { PC: hexWord(next) } })}.`;
  }

  protected override isCuredBy(): boolean {
    return this.board.cpu.state[fields.jammed] === 0;
  }

  protected runner(limits: RunLimits): Slice {
    const { board } = this;
    const cycleLimit = limits.cycles === undefined ? Number.POSITIVE_INFINITY : board.cycles + limits.cycles;
    const frameLimit = limits.frames === undefined ? Number.POSITIVE_INFINITY : board.frameCount + limits.frames;
    const check = checkFor(limits, this.#run, true);
    return (until) => this.#slice(until, cycleLimit, frameLimit, check);
  }

  protected stride(kind: StepRequest['kind'], cpu: string | undefined, isLater: boolean): Stride {
    // Also brings everything up to the present that would have to catch up in one go later.
    return strideOf(this.#run, { kind, cpu, isLater }, () => this.history.keep());
  }

  protected get routines(): WayOut {
    return new WayOut(this.#run);
  }

  protected lookout(limits: RunLimits): Lookout | undefined {
    return lookoutFor(this.#run, limits);
  }

  protected wentBack(span: number | undefined, lookedOut: boolean): string {
    if (lookedOut) return 'nothing stopped it on the way back';
    return span === undefined ? 'the beginning of what is remembered' : 'went back';
  }

  protected restart(mode: 'soft' | 'hard'): void {
    if (mode === 'soft') this.input({ type: 'reset' });
    else this.board.powerUp();
    this.#resetAt = this.board.cycles;
  }

  protected leave(): void {
    this.#run.begin();
  }

  /**
   * Runs on to where the next instruction begins, so that registers make sense, unless it was to stop in a certain cycle or a
   * drive has stopped it. What is met on the way is why it stops.
   */
  protected arrive(end: Cause): Cause {
    this.#breakpoints.alsoEndAt(undefined, false);
    const isInside = !this.#time.isAtBorder && end.cause !== 'fault' && !this.#run.stoppedBy;
    const other = isInside && end !== cyclesReached ? this.#run.step() : undefined;
    const isCutShort = end.cause === 'limit' || end.cause === 'halt';
    const met = end.cause === 'breakpoint' ? undefined : this.#run.metAtBorder(isCutShort);
    this.#breakpoints.tellHits();
    this.#show();
    return other ?? met ?? end;
  }

  /** Without another address it will meet the same opcode again, or what has been written there. */
  protected cure(pc: number | undefined): void {
    this.input({ type: 'register', name: 'PC', value: pc ?? this.board.cpu.state[fields.instructionPc] });
  }

  protected override present(): StopEvent {
    if (this.#run.stoppedBy) return driveEvent(this.board, this.#run.stoppedBy);
    return this.#run.withSource(
      eventAt(this.board, (address) => this.#addresses.symbols.describe(BigInt(address), 0n)),
    );
  }

  protected enterPast(): void {
    this.#breakpoints.forget();
  }

  /** Sound that came before must not be heard as if it came now. */
  protected override leavePast(): void {
    this.board.catchUp();
  }

  protected moved(): void {
    for (const moved of this.#movers) moved();
    this.#run.moved();
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
    let clockDue = board.cycles + this.#run.cyclesToLook;
    for (;;) {
      const jam = this.#run.jam();
      if (jam) return jam;
      // Runs with a limit of frames end exactly where a frame begins, and then the instruction under way.
      const lines = drives.isOn ? undefined : this.#run.linesToTell;
      const line = lines ? Number.POSITIVE_INFINITY : board.cycles + this.#breakpoints.cyclesToLine;
      const gate = board.cycles + check.cyclesToGate();
      const look = Math.min(
        cycleLimit,
        line,
        gate,
        board.cycles + Math.min(this.#run.cyclesToLook, board.cyclesToFrame),
      );
      if (!isNeeded && !drives.isOn) this.#time.runTo(look);
      else {
        const cause = drives.isOn ? this.#run.withDrives(look, check) : this.#run.observed(look, line, check, lines);
        if (cause) return cause;
        // An instruction that the video chip keeps waiting has been asked about in the line before.
        const held = board.cycles === gate && this.#run.isWaiting ? check.holds() : undefined;
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
      if (performance.now() >= until) return this.#run.jam();
      clockDue = board.cycles + this.#run.cyclesToLook;
    }
  }

  #show(): void {
    for (const wake of this.#frameWaiters.splice(0)) wake();
    if (this.#watchers.length === 0) return;
    const frame = this.board.visibleFrame();
    for (const watch of this.#watchers.splice(0)) watch(frame);
  }
}
