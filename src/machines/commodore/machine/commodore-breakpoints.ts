import type { Breakpoint, BreakpointCapability, BreakpointSpec } from '../../../machine/breakpoints.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { StopEvent } from '../../../machine/state.ts';
import { type Armed as ArmedWith, BreakpointList, listed } from '../../shared/breakpoint-list.ts';
import { compileCondition, type Reading } from '../../shared/condition/condition.ts';
import type { CommodoreBoard } from '../board/commodore-board.ts';
import { Observation } from '../board/observation.ts';
import { type BusAccess, beforeWrite, eventAt, eventOfAccess, noteAccess } from './bus-event.ts';
import type { CommodoreModel } from './commodore-model.ts';
import type { CommodoreVocabulary } from './commodore-vocabulary.ts';
import { DriveWatch, mainProcessor } from './drive-watch.ts';
import { HitLog } from './hit-log.ts';
import { type BusWatcher, watchBus } from './watch-bus.ts';

type Armed = ArmedWith<{ readonly first: number; readonly holds: Reading | undefined }>;

interface Touch {
  readonly armed: Armed;
  readonly access: BusAccess;
}

/** A breakpoint that was met, and what met it. */
export interface MetBreakpoint {
  readonly breakpoint: Breakpoint;
  /** Left out where it would say no more than where the machine is. */
  readonly event?: StopEvent;
}

/** What a table needs to know beside the board. */
export interface BreakpointWires {
  readonly vocabulary: CommodoreVocabulary;
  readonly io: CommodoreModel['io'];
  /** The name of exactly this address. */
  nameOf(address: number): string | undefined;
  log(text: string, data: Record<string, unknown>): void;
}

/** The breakpoints of a machine. While none watches memory, the board's bus is untouched and costs nothing. */
export class CommodoreBreakpoints implements BreakpointCapability {
  readonly types = ['exec', 'read', 'write', 'change'] as const;
  readonly #board: CommodoreBoard;
  readonly #observation: Observation;
  readonly #wires: BreakpointWires;
  readonly #hits: HitLog;
  readonly #list = new BreakpointList((spec) => this.#arm(spec));
  /** What is waited for on drives. */
  readonly drives: DriveWatch<Armed>;
  #executions: readonly Armed[] = [];
  #watches: readonly Armed[] = [];
  /** What the last instruction has touched: the first access for each breakpoint. */
  #touched: Touch[] = [];
  #goal: number | undefined;
  #seesInterrupts = false;

  #conditionChars = 0;

  constructor(board: CommodoreBoard, wires: BreakpointWires) {
    this.#board = board;
    this.#observation = new Observation(board.addressSpace);
    this.#wires = wires;
    this.drives = new DriveWatch(board);
    this.#hits = new HitLog((text, data) => wires.log(text, data));
  }

  /** Whether anything may stop a run. */
  get active(): boolean {
    return this.#executions.length + this.#watches.length > 0;
  }

  /** How long the conditions are that may have to be asked at each access, in characters. */
  get conditionChars(): number {
    return this.#conditionChars;
  }

  /** For a run that ends at an address, or sees every interrupt: `runObserved` of the board then ends there too. */
  alsoEndAt(goal: number | undefined, interrupts: boolean): void {
    if (goal === this.#goal && interrupts === this.#seesInterrupts) return;
    this.#goal = goal;
    this.#seesInterrupts = interrupts;
    this.#rearm();
  }

  async set(given: BreakpointSpec): Promise<Breakpoint> {
    const spec = given.cpu === mainProcessor ? { ...given, cpu: undefined } : given;
    const first = Number(spec.address);
    if (first < 0 || first + spec.length > this.#board.addressSpace) {
      const range = `$0000-$${(this.#board.addressSpace - 1).toString(16).toUpperCase()}`;
      throw new MachineError(
        'ADDRESS_OUT_OF_BOUNDS',
        'The breakpoint lies outside of memory.',
        `Use addresses from ${range.replace('-', ' to ')}.`,
        { valid_range: range },
      );
    }
    const armed = this.#list.add(spec);
    this.#rearm();
    return listed(armed);
  }

  async list(): Promise<readonly Breakpoint[]> {
    return this.#list.list();
  }

  async delete(id: number): Promise<void> {
    this.#list.remove(id);
    this.#rearm();
  }

  async enable(id: number, enabled: boolean): Promise<void> {
    this.#list.find(id).enabled = enabled;
    this.#rearm();
  }

  /**
   * The breakpoint that stops execution before the instruction at `pc`, or after the accesses of the last one. Without
   * `counting` the table stays as it is: the past is only being looked at.
   */
  check(pc: number, counting: boolean): MetBreakpoint | undefined {
    const touched = this.#touched;
    let first: MetBreakpoint | undefined;
    if (touched.length > 0) {
      this.forget();
      for (const { armed, access } of touched) {
        first = this.#met(armed, counting, () => eventOfAccess(access, this.#wires.nameOf), first);
      }
    }
    if (this.#observation.code[pc] === 0) return first;
    for (const armed of this.#executions) {
      if (pc < armed.first || pc >= armed.first + armed.length) continue;
      if (armed.holds && armed.holds() === 0) continue;
      first = this.#met(armed, counting, undefined, first);
    }
    return first;
  }

  /** The breakpoint that a drive's processor has come to. */
  checkDrives(counting: boolean): MetBreakpoint | undefined {
    let first: MetBreakpoint | undefined;
    for (const { armed, event } of this.drives.take()) first = this.#met(armed, counting, () => event, first);
    return first;
  }

  /** The run is over: tells what has only been counted. */
  tellHits(): void {
    this.#hits.flush();
  }

  /** Accesses that are made meanwhile have been seen before. */
  ignoring(action: () => void): void {
    const touched = this.#touched;
    this.#touched = [];
    action();
    this.#touched = touched;
    this.#observation.isStopWanted = touched.length > 0;
  }

  /** Forgets an access that has not been asked for, when the machine is put elsewhere. */
  forget(): void {
    this.#touched = [];
    this.#observation.isStopWanted = false;
  }

  /** `event`: what happened, if that is more than that the machine has come here. One that was met before it stays the first. */
  #met(
    armed: Armed,
    counting: boolean,
    event: (() => StopEvent) | undefined,
    before: MetBreakpoint | undefined,
  ): MetBreakpoint | undefined {
    if (counting) armed.hits++;
    if (armed.logOnly) {
      const here = () => eventAt(this.#board, this.#wires.nameOf);
      if (counting) this.#hits.hit(armed.id, this.#board.frameCount, event ?? here);
      return before;
    }
    if (counting && armed.temporary) {
      this.#list.remove(armed.id);
      this.#rearm();
    }
    return before ?? { breakpoint: listed(armed), ...(event && { event: event() }) };
  }

  #arm(spec: BreakpointSpec) {
    if (spec.cpu !== undefined) return this.drives.arm(spec);
    const { address, condition } = spec;
    const holds = condition === undefined ? undefined : compileCondition(condition, this.#wires.vocabulary);
    return { first: Number(address), holds };
  }

  #rearm(): void {
    const observation = this.#observation;
    const enabled = this.#list.enabled().filter(({ cpu }) => cpu === undefined);
    this.drives.become(this.#list.enabled().filter(({ cpu }) => cpu !== undefined));
    this.#executions = enabled.filter(({ type }) => type === 'exec');
    this.#watches = enabled.filter(({ type }) => type !== 'exec');
    this.#conditionChars = enabled.reduce((sum, { condition }) => sum + (condition?.length ?? 0), 0);
    observation.clear();
    for (const { first, length } of this.#executions) observation.code.fill(1, first, first + length);
    if (this.#goal !== undefined) observation.code[this.#goal] = 1;
    for (const { type, first, length } of this.#watches) {
      observation.watch(type === 'read' ? 'read' : 'write', first, first + length - 1);
    }
    observation.seesInterrupts = this.#seesInterrupts;
    const watcher: BusWatcher = (kind, address, value) => this.#access(kind, address, value);
    watchBus(this.#board, observation, this.#watches.length > 0 ? watcher : undefined);
    const isNeeded = this.active || this.#goal !== undefined || this.#seesInterrupts;
    this.#board.observe(isNeeded ? observation : undefined);
  }

  /** Before the access reaches the memory. */
  #access(kind: BusAccess['kind'], address: number, value: number): void {
    for (const armed of this.#watches) {
      if (address < armed.first || address >= armed.first + armed.length) continue;
      if (armed.type === 'read' ? kind !== 'read' : kind !== 'write') continue;
      if (armed.type === 'change' && beforeWrite(this.#board, this.#wires.io, address) === value) continue;
      this.#wires.vocabulary.access = { address, value };
      if (armed.holds && armed.holds() === 0) continue;
      this.#observation.isStopWanted = true;
      if (this.#touched.some((touch) => touch.armed === armed)) continue;
      this.#touched.push({ armed, access: noteAccess(this.#board, this.#wires.io, kind, address, value) });
    }
    for (const { access } of this.#touched) {
      // INC and its kin write twice: the old value, then the new one.
      if (access.kind !== kind || access.address !== address) continue;
      access.value = value;
      access.cycle = this.#board.cycles;
    }
  }
}
