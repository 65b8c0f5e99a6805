import type { X86 } from '../../../chips/x86/x86.ts';
import { lowerHex } from '../../../formats/hex.ts';
import type {
  Breakpoint,
  BreakpointCapability,
  BreakpointChange,
  BreakpointSpec,
} from '../../../machine/breakpoints.ts';
import { MachineError } from '../../../machine/errors.ts';
import { type Armed as ArmedWith, BreakpointList, listed, refuseSpecial } from '../../shared/breakpoint-list.ts';
import { compileCondition, type Reading } from '../../shared/condition/condition.ts';
import type { PortWatcher } from '../board/port-map.ts';
import { type ActionEvent, compileActions } from './breakpoint-actions.ts';
import { placeOf } from './dos-addresses.ts';
import type { DosVocabulary } from './dos-vocabulary.ts';
import type { MemoryWatch, MemoryWatches } from './memory-watches.ts';
import type { JudgedBreakpoint, JudgeMode, PortAccess, StopJudge } from './stop-judge.ts';

/** What is kept of a breakpoint here. */
interface Own {
  readonly first: number;
  readonly last: number;
  readonly holds: Reading | undefined;
  readonly logs: Reading | undefined;
  readonly actions: ReturnType<typeof compileActions>;
  /** What it costs to ask the condition, in the processor's rounds. */
  readonly rounds: number;
  /** When it was last logged: accesses of one instruction are one, and one that a stop keeps from running is met twice. */
  loggedAt: number;
  /** The same for what it does to the machine. */
  actedAt: number;
}

type Armed = ArmedWith<Own>;

/** What the breakpoints need to see beside the processor. */
export interface BreakpointWires {
  readonly cpu: X86;
  readonly vocabulary: DosVocabulary;
  readonly watches: MemoryWatches;
  readonly ports: { watcher: PortWatcher | undefined };
  /** Ends the run after the present instruction, whatever else wants it to go on; the processor's own when left out. */
  stop?(): void;
  /** Does to the machine what a breakpoint wants, so that whoever keeps its history hears of it. */
  act(event: ActionEvent): void;
  /** Saves a snapshot; answers its name, or why there is none. */
  save(breakpoint: number, hit: number): string;
  log(text: string, data: Record<string, unknown>): void;
}

const types = [
  ...(['exec', 'read', 'write', 'access', 'change', 'in', 'out', 'port'] as const),
  ...(['interrupt', 'time', 'program'] as const),
] as const;
type Type = (typeof types)[number];

/** What it costs to write an event, in the processor's rounds. */
const logRounds = 4000;
const saveRounds = 100_000;
/** What these breakpoints know beyond what those of all machines do. */
const knownOptions = ['snapshot', 'set', 'skip', 'keep'] as const;

/** Highest number of each sort. */
const highest: Readonly<Partial<Record<Type, number>>> = {
  ...{ in: 0xffff, out: 0xffff, port: 0xffff },
  interrupt: 0xff,
};

/**
 * The breakpoints of a PC. Whoever lets time pass asks `limit` how far a run may go, `check` why it ended, and goes on
 * when neither gives a reason to stop. Conditions are asked, and logs written, without ending a run.
 */
export class DosBreakpoints implements BreakpointCapability, StopJudge {
  readonly types = types;
  readonly actions = true;
  readonly #wires: BreakpointWires;
  readonly #list = new BreakpointList((spec) => this.#arm(spec));
  readonly #owner = Symbol('breakpoints');
  mode: JudgeMode = 'run';
  #extra: readonly number[] = [];
  #execution: readonly Armed[] = [];
  /** Where the program that was loaded last begins. */
  #entry = -1;
  /** The interrupt that was met last. */
  #interrupted: JudgedBreakpoint['interrupt'];
  /** The access to a port that was met last. */
  #ported: PortAccess | undefined;
  jumped = false;
  /** Met by the instruction under way. */
  #met: Armed[] = [];
  #sliceStart = 0;
  /** What is at the instruction that the slice began with has been seen. */
  #leavesPlace = true;

  constructor(wires: BreakpointWires) {
    this.#wires = wires;
  }

  get active(): boolean {
    return this.#list.enabled().length > 0;
  }

  async set(spec: BreakpointSpec): Promise<Breakpoint> {
    const most = highest[spec.type as Type] ?? Number.MAX_SAFE_INTEGER;
    const first = Number(spec.address);
    const last = first + spec.length - 1;
    if (first < 0 || last > (isMemory(spec.type) ? this.#highest : most)) {
      const range = isMemory(spec.type) ? 'memory' : `0-0x${most.toString(16)}`;
      throw new MachineError('ADDRESS_OUT_OF_BOUNDS', `The breakpoint is outside ${range}.`, `Stay in ${range}.`);
    }
    refuseSpecial(spec, knownOptions);
    const armed = this.#list.add(spec);
    this.#rearm();
    return listed(armed);
  }

  /** Code and data may lie anywhere where there are pages. */
  get #highest(): number {
    return this.#wires.cpu.isPaged ? 0xffffffff : this.#wires.cpu.memory.ram.length - 1;
  }

  async list(): Promise<readonly Breakpoint[]> {
    return this.#list.list();
  }

  async delete(id: number): Promise<void> {
    this.#list.remove(id);
    this.#rearm();
  }

  async change(id: number, change: BreakpointChange): Promise<Breakpoint> {
    refuseSpecial(change, knownOptions);
    const armed = this.#list.change(id, change);
    this.#rearm();
    return listed(armed);
  }

  /** Has the processor stop at these linear addresses too, for whoever runs to one. */
  alsoStopAt(addresses: readonly number[]): void {
    this.#extra = addresses;
    this.#rearm();
  }

  /** How far the next run may go: to the next breakpoint in time, if that comes before. */
  limit(until: number, leaving = true): number {
    const { cpu } = this.#wires;
    const now = cpu.instructions;
    this.#sliceStart = leaving ? now : -1;
    this.#leavesPlace = leaving && !cpu.interruptIsNext;
    this.#met = [];
    this.#ported = undefined;
    return this.#enabled('time').reduce((limit, { first }) => (first > now ? Math.min(limit, first) : limit), until);
  }

  /** The breakpoint that ends the run, after the processor has stopped for whatever reason. */
  check(): JudgedBreakpoint | undefined {
    const { cpu } = this.#wires;
    const now = cpu.instructions;
    const here = cpu.pc;
    const isNew = now > this.#sliceStart;
    const isPlace = (isNew || !this.#leavesPlace) && !cpu.interruptIsNext;
    const met = [
      ...this.#met.splice(0),
      ...this.#enabled('time').filter(({ first }) => first === now && isNew),
      ...this.#execution.filter((armed) => !isQuiet(armed) && isPlace && covers(armed, here)),
      ...(here === this.#entry && isPlace ? this.#enabled('program') : []),
    ].filter((armed, index, all) => all.indexOf(armed) === index);
    let first: JudgedBreakpoint | undefined;
    for (const armed of met) {
      if (!isAccess(armed.type) && !this.#holds(armed)) continue;
      const logged = armed.logs && { logged: BigInt(Math.trunc(armed.logs())) };
      const saved = this.#stops(armed);
      if (saved === undefined) continue;
      const interrupt = armed.type === 'interrupt' && this.#interrupted && { interrupt: this.#interrupted };
      const port = isPort(armed.type) && this.#ported && { port: this.#ported };
      first ??= { ...listed(armed), ...logged, ...interrupt, ...port, ...saved };
    }
    this.jumped = cpu.pc !== here;
    return first;
  }

  /** DOS is about to start a program at this linear address. */
  programLoaded(entry: number): void {
    this.#entry = entry;
    if (this.#enabled('program').length > 0) this.#rearm();
  }

  /** The machine was put to another time, with other memory: what was met there has not been met. */
  moved(): void {
    this.#met = [];
    for (const armed of this.#list.all) Object.assign(armed, { loggedAt: -1, actedAt: -1 });
    this.#rearm();
  }

  #arm(spec: BreakpointSpec): Own {
    const { address, length, condition, log } = spec;
    const { vocabulary, cpu } = this.#wires;
    const first = Number(address);
    const compiled = (source: string | undefined) =>
      source === undefined ? undefined : compileCondition(source, vocabulary);
    return {
      ...{ first, last: first + length - 1, holds: compiled(condition), logs: compiled(log) },
      actions: compileActions(spec, vocabulary, cpu),
      ...{ rounds: 5 + (condition?.length ?? 0), loggedAt: -1, actedAt: -1 },
    };
  }

  /** Makes the processor watch what has to be watched. */
  #rearm(): void {
    const { cpu, watches, ports } = this.#wires;
    this.#execution = this.#enabled('exec');
    const entries = this.#entry >= 0 && this.#enabled('program').length > 0 ? [this.#entry] : [];
    const extra = [...this.#extra, ...entries].map((address) => ({ first: address, last: address }));
    cpu.setBreakpoints([...this.#execution, ...extra], (linear) => this.#reached(linear));
    watches.set(this.#owner, this.#memoryWatches());
    const interrupts = this.#enabled('interrupt');
    cpu.onInterrupt =
      interrupts.length === 0 ? null : (vector, cause) => this.#interrupt(interrupts, vector, cause === 'hardware');
    const watched = this.#enabled('in', 'out', 'port');
    ports.watcher = watched.length === 0 ? undefined : (kind, port, value) => this.#port(watched, kind, port, value);
  }

  #memoryWatches(): readonly MemoryWatch[] {
    return this.#enabled('read', 'write', 'access', 'change').flatMap((armed) => {
      const { type, first, last } = armed;
      const touched: MemoryWatch['touched'] = ({ address, value, before }) =>
        (type !== 'change' || value !== before) && this.#accessed(armed, address, value);
      const kinds = type === 'access' ? (['read', 'write'] as const) : ([type === 'read' ? type : 'write'] as const);
      return kinds.map((kind) => ({ first, last, kind, touched }));
    });
  }

  /** Before the instruction at a watched address runs: whether the run has to stop there. */
  #reached(linear: number): boolean {
    if (this.mode === 'pass') return false;
    let stops = this.#extra.includes(linear) || (linear === this.#entry && this.#enabled('program').length > 0);
    this.#wires.cpu.tire(this.#execution.length);
    for (const armed of this.#execution) {
      if (!covers(armed, linear) || (stops && !isQuiet(armed)) || !this.#holds(armed)) continue;
      if (isQuiet(armed)) this.#log(armed, this.#wires.cpu.instructions);
      else stops = true;
    }
    return stops;
  }

  /** Registers are still what whoever caused the interrupt left there. */
  #interrupt(armed: readonly Armed[], vector: number, isBetween: boolean): void {
    const { cpu } = this.#wires;
    const { where } = placeOf(cpu.here);
    this.#interrupted = { line: `int ${lowerHex(vector, 2)}h`, interrupted: BigInt(cpu.pc), place: where };
    for (const each of armed) {
      if (covers(each, vector) && this.#accessed(each, vector, vector, isBetween)) this.#stop();
    }
  }

  #port(watched: readonly Armed[], kind: 'in' | 'out', port: number, value: number): void {
    for (const armed of watched) {
      if (armed.type !== kind && armed.type !== 'port') continue;
      if (!covers(armed, port) || !this.#accessed(armed, port, value)) continue;
      this.#ported = joined(this.#ported, { kind, number: port, value, bytes: 1 });
      this.#stop();
    }
  }

  /**
   * Conditions of accesses are asked at the access: `value` and `address` mean this one. True if the run has to end
   * after the instruction; `isBetween`: there is none under way.
   */
  #accessed(armed: Armed, address: number, value: number, isBetween = false): boolean {
    if (this.mode === 'pass') return false;
    this.#wires.vocabulary.access = { address, value };
    if (!this.#holds(armed)) return false;
    if (isQuiet(armed)) this.#log(armed, this.#wires.cpu.instructions + (isBetween ? 0 : 1));
    else this.#met.push(armed);
    return !isQuiet(armed);
  }

  #stop(): void {
    if (this.#wires.stop) this.#wires.stop();
    else this.#wires.cpu.stop();
  }

  /** Does what a hit does; undefined if the run goes on. */
  #stops(armed: Armed): Pick<JudgedBreakpoint, 'saved'> | undefined {
    const now = this.#wires.cpu.instructions;
    if (this.mode !== 'run') return armed.logOnly ? undefined : {};
    if (isQuiet(armed)) {
      this.#log(armed, now);
      return undefined;
    }
    if (acts(armed)) {
      if (armed.actedAt === now) return undefined;
      armed.actedAt = now;
    }
    if (this.#list.met(armed) === 'ignored') return undefined;
    const logged = armed.logOnly ? armed.logs?.() : undefined;
    const saved = armed.snapshot ? this.#save(armed) : {};
    const problems = armed.actions.flatMap((act) => act((event) => this.#wires.act(event)) ?? []);
    if (armed.logOnly || problems.length > 0) this.#tell(armed, now, logged, [...Object.values(saved), ...problems]);
    if (armed.logOnly) return undefined;
    if (armed.temporary) {
      this.#list.remove(armed.id);
      this.#rearm();
    }
    return saved;
  }

  #save({ id, hits }: Armed): Pick<JudgedBreakpoint, 'saved'> {
    this.#wires.cpu.tire(saveRounds);
    return { saved: this.#wires.save(id, hits) };
  }

  #log(armed: Armed, instruction: number): void {
    if (this.mode !== 'run' || armed.loggedAt === instruction) return;
    armed.loggedAt = instruction;
    if (this.#list.met(armed) === 'ignored') return;
    this.#tell(armed, instruction, armed.logs?.());
  }

  #tell(
    { id, type, group }: Armed,
    instruction: number,
    logged: number | undefined,
    more: readonly string[] = [],
  ): void {
    this.#wires.cpu.tire(logRounds);
    const said = [...(logged === undefined ? [] : [`log = ${logged}`]), ...more].join('; ');
    const data = { ...(group !== undefined && { group }), ...(logged !== undefined && { logged }) };
    this.#wires.log(`breakpoint ${id} hit${said && `: ${said}`}`, { id, type, instruction, ...data });
  }

  /** Conditions may be long, and asked before every instruction. */
  #holds({ holds, rounds }: Armed): boolean {
    this.#wires.cpu.tire(rounds);
    return holds === undefined || holds() !== 0;
  }

  #enabled(...wanted: readonly Type[]): readonly Armed[] {
    return this.#list.enabled(...wanted);
  }
}

/** Does something to the machine, or to what is kept of it: the run ends for it, where its history can note that. */
function acts({ actions, snapshot }: Armed): boolean {
  return actions.length > 0 || snapshot === true;
}

/** Only writes events, and no run ends for it. */
function isQuiet(armed: Armed): boolean {
  return armed.logOnly && !acts(armed);
}

function isMemory(type: string): boolean {
  return ['exec', 'read', 'write', 'access', 'change'].includes(type);
}

/** IN and OUT of words give one byte after the other. */
function joined(before: PortAccess | undefined, access: PortAccess): PortAccess {
  if (before?.kind !== access.kind) return access;
  return { ...before, value: before.value + access.value * 2 ** (8 * before.bytes), bytes: before.bytes + 1 };
}

function isPort(type: string): boolean {
  return type === 'in' || type === 'out' || type === 'port';
}

/** Their conditions have been asked already. */
function isAccess(type: string): boolean {
  return type !== 'exec' && type !== 'time' && type !== 'program';
}

function covers({ first, last }: Armed, number: number): boolean {
  return number >= first && number <= last;
}
