import type { X86 } from '../../../chips/x86/x86.ts';
import type { Breakpoint, BreakpointCapability, BreakpointSpec } from '../../../machine/breakpoints.ts';
import { compileCondition, type Reading } from '../../../machine/condition/condition.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { PortWatcher } from '../board/port-map.ts';
import type { DosVocabulary } from './dos-vocabulary.ts';
import type { MemoryWatch, MemoryWatches } from './memory-watches.ts';

interface Armed extends Breakpoint {
  readonly first: number;
  readonly last: number;
  hits: number;
  enabled: boolean;
  readonly holds: Reading | undefined;
}

/** What the breakpoints need to see beside the processor. */
export interface BreakpointWires {
  readonly cpu: X86;
  readonly vocabulary: DosVocabulary;
  readonly watches: MemoryWatches;
  readonly ports: { watcher: PortWatcher | undefined };
  /** Ends the run behind the present instruction, whatever else wants it to go on; the processor's own when left out. */
  stop?(): void;
  log(text: string, data: Record<string, unknown>): void;
}

const types = ['exec', 'read', 'write', 'change', 'in', 'out', 'interrupt', 'time'] as const;
type Type = (typeof types)[number];

/** Highest number of each sort. */
const highest: Readonly<Partial<Record<Type, number>>> = { in: 0xffff, out: 0xffff, interrupt: 0xff };

/**
 * The breakpoints of a PC. Whoever lets time pass asks `limit` how far a run may go, `check` why it ended, and goes on
 * when neither gives a reason to stop.
 */
export class DosBreakpoints implements BreakpointCapability {
  readonly types = types;
  readonly #wires: BreakpointWires;
  readonly #all = new Map<number, Armed>();
  readonly #owner = Symbol('breakpoints');
  #extra: readonly number[] = [];
  /** Met by the instruction under way. */
  #met: Armed[] = [];
  #sliceStart = 0;
  #nextId = 1;

  constructor(wires: BreakpointWires) {
    this.#wires = wires;
  }

  get active(): boolean {
    return this.#enabled().length > 0;
  }

  async set(spec: BreakpointSpec): Promise<Breakpoint> {
    const most = highest[spec.type as Type] ?? Number.MAX_SAFE_INTEGER;
    const first = Number(spec.address);
    const last = first + spec.length - 1;
    if (first < 0 || last > (isMemory(spec.type) ? this.#wires.cpu.memory.ram.length - 1 : most)) {
      const range = isMemory(spec.type) ? 'memory' : `0-0x${most.toString(16)}`;
      throw new MachineError('ADDRESS_OUT_OF_BOUNDS', `The breakpoint lies outside of ${range}.`, `Stay in ${range}.`);
    }
    const holds = spec.condition === undefined ? undefined : compileCondition(spec.condition, this.#wires.vocabulary);
    const armed: Armed = { ...spec, first, last, id: this.#nextId++, enabled: true, hits: 0, holds };
    this.#all.set(armed.id, armed);
    this.rearm();
    return listed(armed);
  }

  async list(): Promise<readonly Breakpoint[]> {
    return [...this.#all.values()].map(listed);
  }

  async delete(id: number): Promise<void> {
    this.#find(id);
    this.#all.delete(id);
    this.rearm();
  }

  async enable(id: number, enabled: boolean): Promise<void> {
    this.#find(id).enabled = enabled;
    this.rearm();
  }

  /** Has the processor stop at these linear addresses too, for whoever runs to one. */
  alsoStopAt(addresses: readonly number[]): void {
    this.#extra = addresses;
    this.rearm();
  }

  /** How far the next run may go: to the next breakpoint in time, if that comes before. */
  limit(until: number, leaving = true): number {
    const now = this.#wires.cpu.instructions;
    this.#sliceStart = leaving ? now : -1;
    this.#met = [];
    return this.#enabled('time').reduce((limit, { first }) => (first > now ? Math.min(limit, first) : limit), until);
  }

  /**
   * The breakpoint that ends the run, after the processor has stopped for whatever reason. Without `counting` the table
   * stays as it is: the past is only being looked at.
   */
  check(counting: boolean): Breakpoint | undefined {
    const { cpu } = this.#wires;
    const now = cpu.instructions;
    const here = cpu.get('cs') * 16 + cpu.get('ip');
    const met = [
      ...this.#met.splice(0),
      ...this.#enabled('time').filter(({ first }) => first === now && now > this.#sliceStart),
      ...this.#enabled('exec').filter(({ first, last }) => here >= first && here <= last && now > this.#sliceStart),
    ].filter((armed, index, all) => all.indexOf(armed) === index);
    const stopping = met.filter((armed) => (isAccess(armed.type) || holds(armed)) && this.#stops(armed, counting));
    return stopping[0] && listed(stopping[0]);
  }

  /** Makes the processor watch what has to be watched; also after memory was replaced. */
  rearm(): void {
    const { cpu, watches, ports } = this.#wires;
    const code = this.#enabled('exec').flatMap(({ first, last }) => range(first, last));
    cpu.setBreakpoints(new Set([...code, ...this.#extra]));
    watches.set(this.#owner, this.#memoryWatches());
    const interrupts = this.#enabled('interrupt');
    cpu.onInterrupt = interrupts.length === 0 ? null : (vector) => this.#interrupt(interrupts, vector);
    const watched = this.#enabled('in', 'out');
    ports.watcher = watched.length === 0 ? undefined : (kind, port, value) => this.#port(watched, kind, port, value);
  }

  #memoryWatches(): readonly MemoryWatch[] {
    return this.#enabled('read', 'write', 'change').map((armed) => ({
      first: armed.first,
      last: armed.last,
      kind: armed.type === 'read' ? 'read' : 'write',
      touched: ({ address, value, before }) =>
        (armed.type !== 'change' || value !== before) && this.#accessed(armed, address, value),
    }));
  }

  /** Registers are still what whoever caused the interrupt left there. */
  #interrupt(armed: readonly Armed[], vector: number): void {
    for (const each of armed) {
      if (vector >= each.first && vector <= each.last && this.#accessed(each, vector, vector)) this.#stop();
    }
  }

  #port(watched: readonly Armed[], kind: 'in' | 'out', port: number, value: number): void {
    for (const armed of watched) {
      if (armed.type !== kind || port < armed.first || port > armed.last) continue;
      if (this.#accessed(armed, port, value)) this.#stop();
    }
  }

  /** Conditions of accesses are asked at the access: `value` and `address` mean this one. */
  #accessed(armed: Armed, address: number, value: number): boolean {
    this.#wires.vocabulary.access = { address, value };
    if (!holds(armed)) return false;
    this.#met.push(armed);
    return true;
  }

  #stop(): void {
    if (this.#wires.stop) this.#wires.stop();
    else this.#wires.cpu.stop();
  }

  #stops(armed: Armed, counting: boolean): boolean {
    if (!counting) return !armed.logOnly;
    armed.hits++;
    if (armed.logOnly) {
      const { id, type } = armed;
      this.#wires.log(`breakpoint ${id} hit`, { id, type, instruction: this.#wires.cpu.instructions });
      return false;
    }
    if (armed.temporary) {
      this.#all.delete(armed.id);
      this.rearm();
    }
    return true;
  }

  #enabled(...wanted: readonly Type[]): readonly Armed[] {
    return [...this.#all.values()].filter(
      ({ enabled, type }) => enabled && (wanted.length === 0 || wanted.includes(type as Type)),
    );
  }

  #find(id: number): Armed {
    const found = this.#all.get(id);
    if (found) return found;
    const ids = [...this.#all.keys()].join(', ');
    throw new MachineError('NOT_FOUND', `No breakpoint ${id}.`, ids ? `There are: ${ids}.` : 'There are none.');
  }
}

function isMemory(type: string): boolean {
  return type === 'exec' || type === 'read' || type === 'write' || type === 'change';
}

/** Their conditions have been asked already. */
function isAccess(type: string): boolean {
  return type !== 'exec' && type !== 'time';
}

function holds({ holds: condition }: Armed): boolean {
  return condition === undefined || condition() !== 0;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function listed({ holds: _holds, first: _first, last: _last, ...breakpoint }: Armed): Breakpoint {
  return { ...breakpoint };
}
