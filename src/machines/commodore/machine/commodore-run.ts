import { fields } from '../../../chips/mos6510/registers.ts';
import { hex } from '../../../formats/hex.ts';
import type { AddressCapability } from '../../../machine/addresses.ts';
import type { StopEvent } from '../../../machine/state.ts';
import { breakpointCause, type Cause } from '../../shared/cause.ts';
import type { CommodoreBoard, LinesToTell } from '../board/commodore-board.ts';
import type { RealDrive } from '../drive/real-drive.ts';
import type { MetBreakpoint } from './breakpoints/armed-breakpoint.ts';
import type { CommodoreBreakpoints } from './breakpoints/commodore-breakpoints.ts';
import type { CommodoreInterruptLog } from './commodore-interrupt-log.ts';
import type { CommodoreTimeline } from './commodore-timeline.ts';
import type { CommodoreVocabulary } from './commodore-vocabulary.ts';
import { nameOf } from './drive-watch.ts';
import type { Check } from './run-check.ts';

const cyclesBetweenLooks = 1024;
/** Of conditions that take as long as the rest of the machine does, asked in each cycle. */
const charsPerLook = 512;

export interface RunParts {
  readonly board: CommodoreBoard;
  readonly time: CommodoreTimeline;
  readonly breakpoints: CommodoreBreakpoints;
  readonly vocabulary: CommodoreVocabulary;
  readonly addresses: AddressCapability;
  readonly interrupts: CommodoreInterruptLog;
}

/** How a board runs while something may stop it: from one place at which something has to be asked to the next. */
export class CommodoreRun {
  readonly board: CommodoreBoard;
  readonly time: CommodoreTimeline;
  readonly breakpoints: CommodoreBreakpoints;
  readonly vocabulary: CommodoreVocabulary;
  readonly interrupts: CommodoreInterruptLog;
  /** Called before each instruction. */
  readonly looks = new Set<() => void>();
  readonly #addresses: AddressCapability;
  /** The breakpoint we stand at must not stop us again before we have moved. */
  #leaving = false;
  /** The cycle in which a run ended that had asked about the instruction that comes next. */
  #askedAt = -1;
  /** The cycle in which the last run began. */
  #begunAt = -1;
  /** Of the run under way, and what has stopped it. */
  #check: Check | undefined;
  #cause: Cause | undefined;
  readonly #ask = (): boolean => {
    if (this.interrupts.isOn) this.interrupts.look();
    this.#look();
    this.#cause = this.#check?.stops();
    return this.#cause !== undefined;
  };
  /** The drive whose processor has ended the run: the computer's may be within an instruction. */
  stoppedBy: RealDrive | undefined;

  constructor({ board, time, breakpoints, vocabulary, addresses, interrupts }: RunParts) {
    this.board = board;
    this.time = time;
    this.breakpoints = breakpoints;
    this.vocabulary = vocabulary;
    this.#addresses = addresses;
    this.interrupts = interrupts;
  }

  /** Of the next instruction, or of the one under way. */
  get pc(): number {
    const { state } = this.board.cpu;
    return this.time.isAtBorder ? state[fields.pc] : state[fields.instructionPc];
  }

  /** How far to run before somebody looks at the clock. */
  get cyclesToLook(): number {
    return Math.ceil(cyclesBetweenLooks / (1 + this.breakpoints.conditionChars / charsPerLook));
  }

  /** A run begins: what is at the first instruction has been seen. */
  begin(): void {
    this.#leaving = true;
    this.#begunAt = this.board.cycles;
    this.stoppedBy = undefined;
  }

  /** The machine has been put elsewhere. */
  moved(): void {
    this.#askedAt = -1;
  }

  /** The instruction that comes next has been asked about already: the video chip keeps it waiting. */
  get isWaiting(): boolean {
    return this.time.isAtBorder && this.#askedAt === this.board.cycles;
  }

  /** As of the breakpoints; undefined where inputs are due, which reach the machine before somebody asks about the line. */
  get linesToTell(): LinesToTell | undefined {
    const isAlone = this.time.history.nextInputTime > this.board.cycles + cyclesBetweenLooks;
    return isAlone ? this.breakpoints.linesToTell : undefined;
  }

  /**
   * To this cycle, or to what stops it before. `line`: where a line begins that breakpoints wait for, unless the run itself is to tell
   * of `lines`.
   */
  observed(look: number, line: number, check: Check, lines?: LinesToTell): Cause | undefined {
    const { board } = this;
    this.#check = check;
    this.#cause = undefined;
    const isAsked = this.#leaving || this.#askedAt === board.cycles;
    this.#leaving = false;
    // One that has been asked about need not have been looked at: a run may have ended before it.
    if (isAsked && this.time.isAtBorder) this.#look();
    const { isEach, asks, isMomentary, gates } = check;
    this.time.runObserved(look, { isEach, asks, isMomentary, gates, isAsked, lines, ask: this.#ask });
    if (this.#cause) {
      this.#askedAt = -1;
      return this.#cause;
    }
    this.#askedAt = board.hasAsked ? board.cycles : -1;
    if (board.cycles === line) this.breakpoints.lineBegan();
    if (!this.breakpoints.isPending || !this.time.isAtBorder) return undefined;
    if (this.#askedAt === board.cycles) return check.pending();
    this.#askedAt = board.cycles;
    this.#ask();
    return this.#cause;
  }

  /** The same with the drives looked at in every cycle: to where one has come to what somebody waits for. */
  withDrives(look: number, check: Check, isOver = () => false): Cause | undefined {
    const isNeeded = check.isNeeded();
    const { board } = this;
    let line = -1;
    const pass = (next: number) => {
      if (board.cycles >= line) line = board.cycles + this.breakpoints.cyclesToLine;
      if (isNeeded) return this.observed(next, line, check);
      this.time.runTo(next);
      return undefined;
    };
    return this.besideDrives(look, pass, () => this.metByDrive(true), isOver);
  }

  besideDrives(
    look: number,
    pass: (next: number) => Cause | undefined,
    met: () => Cause | undefined,
    isOver = () => false,
  ): Cause | undefined {
    const { board } = this;
    const { drives } = this.breakpoints;
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

  metByDrive(counting: boolean): Cause | undefined {
    const met = this.breakpoints.checkDrives(counting);
    if (!met) return undefined;
    if (counting) this.stoppedBy = this.board.drives.real.find(({ unit }) => nameOf(unit) === met.breakpoint.cpu);
    return breakpointCause(met.breakpoint, met.event, this.#addresses);
  }

  /** One instruction, or the rest of the one under way. */
  step(): Cause | undefined {
    if (this.time.isAtBorder) this.#look();
    if (this.breakpoints.drives.isOn) return this.#stepBesideDrives();
    const line = this.board.cycles + this.breakpoints.cyclesToLine;
    const goesOn = this.time.stepInstruction(line, () => this.breakpoints.lineBegan());
    if (this.interrupts.isOn) this.interrupts.look();
    return goesOn ? undefined : this.jam();
  }

  /** As it does so cycle by cycle, a drive may stop it within the instruction. */
  #stepBesideDrives(): Cause | undefined {
    let hasBegun = !this.time.isAtBorder;
    let line = this.board.cycles + this.breakpoints.cyclesToLine;
    const pass = (next: number) => {
      this.time.runTo(next);
      if (next === line) {
        this.breakpoints.lineBegan();
        line = next + this.breakpoints.cyclesToLine;
      }
      hasBegun ||= !this.time.isAtBorder;
      return this.jam();
    };
    const isOver = () => hasBegun && this.time.isAtBorder;
    const cause = this.besideDrives(Number.POSITIVE_INFINITY, pass, () => this.metByDrive(true), isOver);
    if (this.interrupts.isOn) this.interrupts.look();
    return cause;
  }

  met(pc: number, counting: boolean): Cause | undefined {
    return this.#causeOf(this.breakpoints.check(pc, counting));
  }

  /** What has happened, wherever the machine is now. */
  metBefore(counting: boolean): Cause | undefined {
    return this.#causeOf(this.breakpoints.takePending(counting));
  }

  /**
   * The same, unless the instruction that did it is still under way. `isCutShort`: the run would have gone on, and have asked about the
   * instruction that comes next; the run after this one leaves that behind.
   */
  metAtBorder(isCutShort = false): Cause | undefined {
    if (!this.time.isAtBorder) return undefined;
    const { cycles } = this.board;
    const isNew = cycles !== this.#begunAt && cycles !== this.#askedAt;
    return isCutShort && isNew ? this.met(this.pc, true) : this.metBefore(true);
  }

  jam(): Cause | undefined {
    const { state } = this.board.cpu;
    if (state[fields.jammed] === 0) return undefined;
    // What was fetched, whatever lies there now.
    const opcode = hex(state[fields.step] >> 3, 2);
    const where = hex(state[fields.instructionPc], 4);
    const reason = `the processor is jammed by opcode $${opcode} at $${where} (way out: set PC past it, step back, or reset)`;
    return { cause: 'fault', reason };
  }

  /** With the line of source that the instruction was written as, where that is known. */
  withSource(event: StopEvent): StopEvent {
    const source = event.pc === undefined ? undefined : this.#addresses.source?.(event.pc);
    return source === undefined ? event : { ...event, source };
  }

  #causeOf(met: MetBreakpoint | undefined): Cause | undefined {
    return met && breakpointCause(met.breakpoint, met.event && this.withSource(met.event), this.#addresses);
  }

  #look(): void {
    if (this.looks.size === 0) return;
    for (const look of this.looks) look();
  }
}
