import { isInterruptNext } from '../../../../chips/mos6510/registers.ts';
import type {
  Breakpoint,
  BreakpointCapability,
  BreakpointChange,
  BreakpointSpec,
} from '../../../../machine/breakpoints.ts';
import type { StopEvent } from '../../../../machine/state.ts';
import { BreakpointList, conditionsOf } from '../../../shared/breakpoint-list.ts';
import type { CollisionType, CommodoreBoard, LinesToTell } from '../../board/commodore-board.ts';
import type { Gates } from '../../board/gates.ts';
import { type BusAccess, beforeWrite, eventAt, eventOfAccess, isOwnRead, noteAccess, noteAgain } from '../bus-event.ts';
import { DriveWatch, mainProcessor } from '../drive-watch.ts';
import type { Armed, Hit, MetBreakpoint, Own, Part } from './armed-breakpoint.ts';
import { AskedComposites } from './asked-composites.ts';
import type { BreakpointWires } from './breakpoint-wires.ts';
import { breakpointTypes, checkSpec, placed, placedTree, refuseActions } from './check-spec.ts';
import { withCollisionNotice } from './collision-notice.ts';
import { compileOwn } from './compile-own.ts';
import { isShut, isTrue, type Moment } from './composite.ts';
import { type ConditionScope, scopeOf } from './condition-scope.ts';
import { withDataNotice } from './data-notice.ts';
import { HitLog } from './hit-log.ts';
import { collisionTypes, partsOf } from './parts.ts';
import { ProgramGate, type ProgramPlace } from './program-gate.ts';
import { RasterLines } from './raster-lines.ts';
import { asked, type Trigger } from './trigger.ts';
import { TriggerReach } from './trigger-reach.ts';

/**
 * The breakpoints of a machine. What they wait for marks code, pages or raster lines, so that all else goes at full speed.
 * What happens within an instruction is kept until it ends, and then asked for with `check`.
 */
export class CommodoreBreakpoints implements BreakpointCapability {
  readonly types: readonly string[];
  readonly #board: CommodoreBoard;
  readonly #wires: BreakpointWires;
  readonly #hits: HitLog;
  readonly #list = new BreakpointList<Own>(
    (spec) => this.#arm(spec),
    () => this.#board.frameCount,
  );
  /** What is waited for on drives. */
  readonly drives: DriveWatch<Armed>;
  #active = false;
  #parts = partsOf([]);
  #composites: readonly Armed[] = [];
  readonly #lines: RasterLines;
  #linesToTell: LinesToTell | undefined;
  readonly #askedComposites: AskedComposites;
  readonly #reach: TriggerReach;
  readonly #gate: ProgramGate;
  #usesOld = false;
  #pending: Hit[] = [];
  /** Triggers of composites that have happened in the instruction under way. */
  #now: Trigger[] = [];
  readonly #owner = Symbol('breakpoints');
  #goal: number | undefined;
  #seesInterrupts = false;
  #conditionChars = 0;

  constructor(board: CommodoreBoard, wires: BreakpointWires) {
    this.#board = board;
    this.#wires = wires;
    this.types = breakpointTypes(board);
    this.#lines = new RasterLines(board);
    this.#askedComposites = new AskedComposites(board);
    this.#reach = new TriggerReach(board, wires);
    this.#gate = new ProgramGate(board, wires.model);
    this.drives = new DriveWatch(board);
    this.#hits = new HitLog((text, data) => wires.log(text, data));
  }

  get chips(): readonly string[] {
    return this.#wires.model.chips.map(({ name }) => name);
  }

  /** Whether anything may stop a run. */
  get active(): boolean {
    return this.#active;
  }

  /** How long the conditions are that may have to be asked at each access, in characters. */
  get conditionChars(): number {
    return this.#conditionChars;
  }

  /** Whether a composite has to be asked before every instruction while the beam is in this line. */
  get asksEach(): boolean {
    return this.#askedComposites.isEach;
  }

  /** While `asksEach`: whether one of these composites is no longer what it was; undefined where only `check` can tell. */
  get asks(): (() => boolean) | undefined {
    this.#moment.isAtBorder = true;
    return this.#askedComposites.asks;
  }

  /** While `asksEach`: see `Questions`. */
  get isMomentary(): boolean {
    return !this.#askedComposites.isPlain;
  }

  get gates(): Gates | undefined {
    return this.#askedComposites.gates;
  }

  /** When a condition has to be asked. */
  scopeOf(condition: string): ConditionScope {
    return scopeOf(condition, this.#wires.vocabulary, this.#board, this.#wires.model.io);
  }

  /** Until `lineBegan` has to be called, in cycles. */
  get cyclesToLine(): number {
    return this.#lines.cyclesToNext;
  }

  /** Lines that a run can call `lineBegan` for; undefined where it has to end there. */
  get linesToTell(): LinesToTell | undefined {
    return this.#linesToTell;
  }

  /** Whether `check` has something to say before the instruction that comes next, wherever that is. */
  get isPending(): boolean {
    return this.#pending.length > 0;
  }

  /** For a run that ends at an address, or sees every interrupt: `runObserved` of the board then ends there too. */
  alsoEndAt(goal: number | undefined, interrupts: boolean): void {
    if (goal === this.#goal && interrupts === this.#seesInterrupts) return;
    this.#goal = goal;
    this.#seesInterrupts = interrupts;
    this.#rearm();
  }

  async set(asked: BreakpointSpec): Promise<Breakpoint> {
    const { chips } = this.#wires.model;
    const tree = asked.tree && placedTree(asked.tree, chips);
    const cpu = asked.cpu === mainProcessor ? undefined : asked.cpu;
    const spec = { ...placed(asked, chips), ...(tree && { tree }), cpu };
    refuseActions(spec);
    checkSpec(spec, this.#board, chips);
    const armed = this.#list.add(spec);
    this.#rearm();
    return this.#withNotices(this.#list.listed(armed));
  }

  async list(): Promise<readonly Breakpoint[]> {
    return this.#list.list().map((each) => this.#withNotices(each));
  }

  /** While the action lasts nothing is watched for before the processor has come to a program. */
  async beforeProgram<Result>(place: ProgramPlace, action: () => Promise<Result>): Promise<Result> {
    this.#gate.shut(place);
    this.#rearm();
    try {
      return await action();
    } finally {
      this.#openGate();
    }
  }

  /** Other chips are in now: the raster may have other lines. */
  refitted(): void {
    this.#list.renew();
    this.#rearm();
  }

  /** A label has moved, and the breakpoint with it. */
  move(id: number, address: bigint): void {
    this.#list.move(id, address);
    this.#rearm();
  }

  async delete(id: number): Promise<void> {
    this.#list.remove(id);
    this.#rearm();
  }

  async change(id: number, change: BreakpointChange): Promise<Breakpoint> {
    refuseActions(change);
    const armed = this.#list.change(id, change);
    this.#rearm();
    return this.#withNotices(this.#list.listed(armed));
  }

  /**
   * The breakpoint that stops execution before the instruction at `pc`, or after what the last one did. Without `counting`
   * the table stays as it is: the past is only being looked at.
   */
  check(pc: number, counting: boolean): MetBreakpoint | undefined {
    this.#endInstruction();
    if (counting && this.#gate.opensFor(pc)) this.#openGate();
    if (this.#parts.interrupts.length > 0) this.#lookForInterrupt();
    // It is executed after the interrupt, and met then.
    const code = isInterruptNext(this.#board.cpu.state) ? [] : this.#parts.code;
    for (const { armed, trigger } of code) {
      if (pc < trigger.first || pc > trigger.last) continue;
      const isMet =
        armed.type === 'composite'
          ? this.#weigh(armed, true)
          : this.#reach.isBank(trigger, 'read', pc) && asked(trigger);
      if (isMet && !(counting && this.#isOnlyCounted(armed))) this.#happened(armed, {});
    }
    if (this.asksEach) for (const armed of this.#composites) if (this.#weigh(armed, true)) this.#happened(armed, {});
    return this.takePending(counting);
  }

  /** As `check`, of what has happened already. */
  takePending(counting: boolean): MetBreakpoint | undefined {
    const hits = this.#pending;
    if (hits.length > 0) this.#pending = [];
    this.#wires.watch.observation.isStopWanted = false;
    return this.#firstOf(hits, counting);
  }

  /** The breakpoint that a drive's processor has come to. */
  checkDrives(counting: boolean): MetBreakpoint | undefined {
    return this.#firstOf(this.drives.take(), counting);
  }

  #firstOf(hits: readonly Hit[], counting: boolean): MetBreakpoint | undefined {
    let first: MetBreakpoint | undefined;
    for (const hit of hits) first = this.#met(hit, counting, first);
    return first;
  }

  /** The beam may have come to a line that somebody waits for, in the cycle that is over. */
  lineBegan(): void {
    if (!this.#lines.isHere) return;
    const line = this.#board.rasterLine;
    for (const { armed, trigger } of this.#parts.rasters) {
      if (armed.type === 'composite') continue;
      const isIt = trigger.each ? line >= trigger.first && line <= trigger.last : line === trigger.first;
      if (isIt && asked(trigger)) this.#happened(armed, { event: this.#cycleBefore() });
    }
    for (const armed of this.#composites) {
      if (this.#weigh(armed, false)) this.#happened(armed, { event: this.#cycleBefore() });
    }
  }

  readonly #lineBeganWithin = (): boolean => {
    this.lineBegan();
    return this.isPending;
  };

  /** A frame is over. */
  frameEnded(): void {
    if (this.#gate.isShut) return;
    // A hit of the instruction under way still counts, and one that stops goes on until it has.
    const isMet = (armed: Armed) => this.#pending.some((hit) => hit.armed === armed);
    const over = this.#list.expire((armed) => !armed.logOnly && isMet(armed));
    if (over.length === 0) return;
    const met = this.#pending;
    this.#pending = met.filter(({ armed }) => !over.includes(armed));
    for (const hit of met) if (over.includes(hit.armed)) this.#met(hit, true, undefined);
    for (const { id, type, frames = 0, hits } of over) {
      const text = `breakpoint ${id} was on for ${frames} frame${frames === 1 ? '' : 's'} and is off now: ${hits} hits`;
      this.#wires.log(text, { id, type, frames, hits });
    }
    this.#rearm();
  }

  /** The run is over: tells what has only been counted. */
  tellHits(): void {
    this.#hits.flush();
  }

  /** What happens meanwhile has been seen before. */
  ignoring(action: () => void): void {
    const [pending, now] = [this.#pending, this.#now];
    const composites = this.#composites.map((armed) => ({ armed, wasTrue: armed.wasTrue }));
    this.#pending = [];
    this.#now = [];
    action();
    for (const trigger of this.#now) trigger.isNow = false;
    this.#pending = pending;
    this.#now = now;
    for (const trigger of now) trigger.isNow = true;
    for (const { armed, wasTrue } of composites) armed.wasTrue = wasTrue;
    this.#wires.watch.observation.isStopWanted = pending.length + now.length > 0;
    this.#wires.interrupts.forget();
  }

  /** Forgets what has not been asked for, when the machine is put elsewhere. */
  forget(): void {
    this.#pending = [];
    this.drives.forget();
    this.#endInstruction();
    this.#wires.watch.observation.isStopWanted = false;
    this.#wires.interrupts.forget();
    for (const armed of this.#composites) armed.wasTrue = isTrue(armed.root, this.#board.rasterLine, undefined);
  }

  #withNotices(breakpoint: Breakpoint): Breakpoint {
    const board = this.#board;
    const dataAt = (address: number) => this.#wires.dataAt(address);
    return withDataNotice(withCollisionNotice(breakpoint, board), { board, dataAt });
  }

  /** Those that are on for some frames have all of them before them. */
  #openGate(): void {
    this.#gate.open();
    this.#list.restart();
    this.#rearm();
  }

  #endInstruction(): void {
    if (this.#now.length === 0) return;
    for (const trigger of this.#now) trigger.isNow = false;
    this.#now = [];
  }

  #lookForInterrupt(): void {
    const interrupt = this.#wires.interrupts.take();
    if (!interrupt) return;
    const event = { ...eventAt(this.#board, this.#wires.nameOf), interrupt };
    for (const { armed, trigger } of this.#parts.interrupts) {
      const isMet = trigger.type === interrupt.line && asked(trigger) && this.#completes(armed, trigger, true);
      if (isMet) this.#happened(armed, { event });
    }
  }

  #collided(type: CollisionType, sprites: number): void {
    for (const { armed, trigger } of this.#parts.collisions) {
      if (trigger.type !== type || (sprites & trigger.mask) === 0 || !asked(trigger)) continue;
      const event = { ...eventAt(this.#board, this.#wires.nameOf), collision: { type, sprites } };
      if (this.#completes(armed, trigger, false)) this.#happened(armed, { event });
    }
  }

  /** Before the access reaches the memory. */
  #access(kind: BusAccess['kind'], address: number, value: number): void {
    const board = this.#board;
    const { io } = this.#wires.model;
    if (kind === 'read' && isOwnRead(board.cpu.state, address)) return;
    const parts = kind === 'read' ? this.#parts.reads : this.#parts.writes;
    for (let at = 0; at < parts.length; at += 1) {
      const { armed, trigger } = parts[at] as Part;
      if (!this.#reach.isWatched(trigger, address)) continue;
      if (!this.#reach.isBank(trigger, kind, address)) continue;
      if (trigger.type === 'change' && beforeWrite(board, io, address) === value) continue;
      const { access } = this.#wires.vocabulary;
      access.address = address;
      access.value = value;
      if (this.#usesOld) access.old = kind === 'write' ? beforeWrite(board, io, address) : value;
      if (!asked(trigger)) continue;
      const met = this.#pending.find((hit) => hit.armed === armed);
      if (met) {
        if (met.access) noteAgain(board, met.access, kind, address, value);
        continue;
      }
      if (!this.#completes(armed, trigger, false)) continue;
      this.#happened(armed, { access: noteAccess(board, io, kind, address, value) });
    }
  }

  /** Whether `#access` would only find conditions that do not hold, and would whenever the write came. */
  #isUnwanted(address: number, value: number): boolean {
    if (this.#pending.length > 0) return false;
    const { access } = this.#wires.vocabulary;
    access.address = address;
    access.value = value;
    if (this.#usesOld) access.old = beforeWrite(this.#board, this.#wires.model.io, address);
    for (const { armed, trigger } of this.#parts.writes) {
      if (!this.#reach.isWatched(trigger, address)) continue;
      if (trigger.type === 'chip_write') return false;
      if (trigger.isTimeless && !asked(trigger)) continue;
      const isPart = armed.type === 'composite' && armed.isMomentary && !armed.isCombining;
      if (!isPart || !isShut(armed.root)) return false;
    }
    return true;
  }

  /** Whether `check` would only find that what waits for the instruction there does not hold, and would whenever in a run it came. */
  #passes(pc: number): boolean {
    if (pc === this.#goal || this.#gate.isShut || this.#pending.length > 0) return false;
    for (const { armed, trigger } of this.#parts.code) {
      if (pc < trigger.first || pc > trigger.last) continue;
      if (armed.type === 'composite' || !trigger.isPlain || asked(trigger)) return false;
    }
    return true;
  }

  /** A trigger has happened: whether that is all the breakpoint waits for, or makes its tree true. */
  #completes(armed: Armed, trigger: Trigger, isAtBorder: boolean): boolean {
    if (armed.type !== 'composite') return true;
    trigger.isNow = true;
    const becomesTrue = this.#weigh(armed, isAtBorder);
    if (!armed.isCombining) trigger.isNow = false;
    else {
      this.#now.push(trigger);
      this.#wires.watch.observation.isStopWanted = true;
    }
    return becomesTrue;
  }

  /** Whether a composite's tree becomes true, which it is not told of twice in an instruction. */
  #weigh(armed: Armed, isAtBorder: boolean): boolean {
    this.#moment.isAtBorder = isAtBorder;
    const isNow = armed.test();
    const becomesTrue = isNow && !armed.wasTrue && !this.#pending.some((hit) => hit.armed === armed);
    armed.wasTrue = isNow && !armed.isMomentary && isTrue(armed.root, this.#board.rasterLine, undefined);
    return becomesTrue;
  }

  readonly #moment: Moment & { isAtBorder: boolean } = {
    isAtBorder: false,
    isExecuted: (trigger) => this.#reach.isExecuted(trigger, this.#moment.isAtBorder) && asked(trigger),
  };

  /** A tight loop meets one that logs so often that telling takes most of the time: what there is no room for is counted at once. */
  #isOnlyCounted(armed: Armed): boolean {
    if (!armed.logOnly || armed.ignoreLeft > 0 || !this.#hits.countOnly(armed.id, this.#board.frameCount)) return false;
    this.#list.met(armed);
    return true;
  }

  #happened(armed: Armed, what: Pick<Hit, 'access' | 'event'>): void {
    const logged = armed.logs === undefined ? undefined : BigInt(Math.trunc(armed.logs()));
    this.#pending.push({ armed, ...what, logged });
    this.#wires.watch.observation.isStopWanted = true;
  }

  /** What began in the cycle that is over. */
  #cycleBefore(): StopEvent {
    const event = eventAt(this.#board, this.#wires.nameOf);
    return { ...event, time: event.time - 1 };
  }

  /** One that was met before it stays the first. */
  #met(
    { armed, access, event, logged }: Hit,
    counting: boolean,
    before: MetBreakpoint | undefined,
  ): MetBreakpoint | undefined {
    const outcome = counting ? this.#list.met(armed) : this.#list.wouldBe(armed);
    if (outcome === 'ignored') return before;
    const { id, type, group, cpu } = armed;
    const details = () => (access ? eventOfAccess(access, this.#wires.nameOf) : event);
    const breakpoint = () => ({
      ...{ id, type },
      ...(group !== undefined && { group }),
      ...(cpu !== undefined && { cpu }),
      ...(logged !== undefined && { logged }),
      ...(counting && armed.snapshot && { snapshot: this.#wires.save(id, armed.hits) }),
    });
    if (outcome === 'log') {
      const told = () => ({ breakpoint: breakpoint(), event: details() ?? eventAt(this.#board, this.#wires.nameOf) });
      if (counting) this.#hits.hit(id, this.#board.frameCount, told);
      return before;
    }
    if (counting && armed.temporary) {
      this.#list.remove(id);
      this.#rearm();
    }
    if (before) return before;
    const exact = details();
    return { breakpoint: breakpoint(), ...(exact && { event: exact }) };
  }

  #arm(spec: BreakpointSpec): Own {
    return compileOwn(spec, {
      board: this.#board,
      moment: this.#moment,
      vocabulary: spec.cpu === undefined ? this.#wires.vocabulary : this.drives.vocabularyFor(spec.cpu, spec),
      scopeOf: (condition) => this.scopeOf(condition),
    });
  }

  #rearm(): void {
    const wanted = this.#list.enabled();
    // Until the program comes only its coming is watched for.
    const all = this.#gate.isShut ? [] : wanted;
    const enabled = all.filter(({ cpu }) => cpu === undefined);
    this.drives.become(all.filter(({ cpu }) => cpu !== undefined));
    const hadInterrupts = this.#parts.interrupts.length > 0;
    this.#parts = partsOf(enabled);
    this.#active = enabled.length > 0 || (this.#gate.isShut && wanted.length > 0);
    if (!hadInterrupts) this.#wires.interrupts.forget();
    this.#composites = enabled.filter(({ type }) => type === 'composite');
    const conditions = all.flatMap(conditionsOf);
    this.#conditionChars = conditions.reduce((sum, { length }) => sum + length, 0);
    this.#usesOld = conditions.some((condition) => /old_value/i.test(condition));
    this.#markLines();
    this.#watch();
  }

  #markLines(): void {
    const isComposite = ({ armed }: Part) => armed.type === 'composite';
    this.#lines.clear();
    for (const part of this.#parts.rasters) this.#lines.markFor(part.trigger, isComposite(part));
    this.#askedComposites.become(this.#composites, (line) => this.#lines.mark(line));
    const isPlain = this.#composites.length === 0 && this.#parts.rasters.every(({ trigger }) => trigger.isPlain);
    this.#linesToTell = isPlain ? this.#lines.toTell(this.#lineBeganWithin) : undefined;
  }

  #watch(): void {
    const goal = this.#goal === undefined ? [] : [{ first: this.#goal, last: this.#goal }];
    const interrupts = this.#seesInterrupts || this.#parts.interrupts.length > 0;
    const isNeeded = this.#active || goal.length > 0 || interrupts;
    if (!isNeeded) {
      this.#wires.watch.set(this.#owner, undefined);
      return;
    }
    this.#wires.watch.set(this.#owner, {
      code: [...this.#parts.code.map(({ trigger }) => trigger), ...goal, ...this.#gate.code],
      reads: this.#parts.reads.map(({ trigger }) => trigger),
      writes: this.#parts.writes.flatMap(({ trigger }) => this.#reach.spansWritten(trigger)),
      access: (kind, address, value) => this.#access(kind, address, value),
      isUnwanted: (address, value) => this.#isUnwanted(address, value),
      passes: (pc) => this.#passes(pc),
      interrupts,
      collisions: collisionTypes.filter((type) => this.#parts.collisions.some(({ trigger }) => trigger.type === type)),
      collision: (type, sprites) => this.#collided(type, sprites),
    });
  }
}
