import {
  type Breakpoint,
  type BreakpointCapability,
  type BreakpointSpec,
  requireRoom,
} from '../../../../machine/breakpoints.ts';
import { compileCondition, type Reading } from '../../../../machine/condition/condition.ts';
import { MachineError } from '../../../../machine/errors.ts';
import type { C64Board } from '../c64-board.ts';
import type { C64Vocabulary } from './vocabulary.ts';
import { watchBus } from './watch-bus.ts';

interface Armed extends Breakpoint {
  readonly first: number;
  hits: number;
  enabled: boolean;
  readonly holds: Reading | undefined;
}

type Access = 'read' | 'write';

/** The breakpoints of a machine. While none watches memory, the board's bus is untouched and costs nothing. */
export class BreakpointTable implements BreakpointCapability {
  readonly types = ['exec', 'read', 'write', 'change'] as const;
  readonly #board: C64Board;
  readonly #vocabulary: C64Vocabulary;
  readonly #all = new Map<number, Armed>();
  readonly #log: (text: string, data: Record<string, unknown>) => void;
  /** Addresses at which an instruction may have to stop. */
  readonly #isExecution = new Uint8Array(0x10000);
  #executions: readonly Armed[] = [];
  #watches: readonly Armed[] = [];
  #hit: Armed | undefined;
  #nextId = 1;

  constructor(board: C64Board, vocabulary: C64Vocabulary, log: (text: string, data: Record<string, unknown>) => void) {
    this.#board = board;
    this.#vocabulary = vocabulary;
    this.#log = log;
  }

  /** Whether instructions have to be looked at one by one. */
  get active(): boolean {
    return [...this.#all.values()].some(({ enabled }) => enabled);
  }

  async set(spec: BreakpointSpec): Promise<Breakpoint> {
    const first = Number(spec.address);
    if (first < 0 || first + spec.length > 0x10000) {
      throw new MachineError(
        'ADDRESS_OUT_OF_BOUNDS',
        'The breakpoint lies outside of memory.',
        'Use addresses from $0000 to $FFFF.',
        { valid_range: '$0000-$FFFF' },
      );
    }
    requireRoom([...this.#all.values()], spec);
    const holds = spec.condition === undefined ? undefined : compileCondition(spec.condition, this.#vocabulary);
    const armed: Armed = { ...spec, first, id: this.#nextId++, enabled: true, hits: 0, holds };
    this.#all.set(armed.id, armed);
    this.#rearm();
    return listed(armed);
  }

  async list(): Promise<readonly Breakpoint[]> {
    return [...this.#all.values()].map(listed);
  }

  async delete(id: number): Promise<void> {
    this.#find(id);
    this.#all.delete(id);
    this.#rearm();
  }

  async enable(id: number, enabled: boolean): Promise<void> {
    this.#find(id).enabled = enabled;
    this.#rearm();
  }

  /**
   * The breakpoint that stops execution before the instruction at `pc`, or after the accesses of the last one. Without
   * `counting` the table stays as it is: the past is only being looked at.
   */
  check(pc: number, counting: boolean): Breakpoint | undefined {
    const touched = this.#hit;
    this.#hit = undefined;
    if (touched && this.#stops(touched, counting)) return listed(touched);
    if (this.#isExecution[pc] === 0) return undefined;
    for (const armed of this.#executions) {
      if (pc < armed.first || pc >= armed.first + armed.length) continue;
      if (armed.holds && armed.holds() === 0) continue;
      if (this.#stops(armed, counting)) return listed(armed);
    }
    return undefined;
  }

  /** Forgets an access that has not been asked for, when the machine is put elsewhere. */
  forget(): void {
    this.#hit = undefined;
  }

  #stops(armed: Armed, counting: boolean): boolean {
    if (!counting) return !armed.logOnly;
    armed.hits++;
    if (armed.logOnly) {
      this.#log(`breakpoint ${armed.id} hit`, { id: armed.id, cycle: this.#board.cycles });
      return false;
    }
    if (armed.temporary) {
      this.#all.delete(armed.id);
      this.#rearm();
    }
    return true;
  }

  #rearm(): void {
    this.#isExecution.fill(0);
    const enabled = [...this.#all.values()].filter((armed) => armed.enabled);
    this.#executions = enabled.filter(({ type }) => type === 'exec');
    for (const { first, length } of this.#executions) this.#isExecution.fill(1, first, first + length);
    this.#watches = enabled.filter(({ type }) => type !== 'exec');
    const watcher = (kind: Access, address: number, value: number) => this.#access(kind, address, value);
    watchBus(this.#board, this.#watches.length > 0 ? watcher : undefined);
  }

  /** Before the access reaches the memory. */
  #access(kind: Access, address: number, value: number): void {
    for (const watch of this.#watches) {
      if (address < watch.first || address >= watch.first + watch.length) continue;
      if (watch.type === 'read' ? kind !== 'read' : kind !== 'write') continue;
      if (watch.type === 'change' && this.#board.peek('cpu', address) === value) continue;
      this.#vocabulary.access = { address, value };
      if (watch.holds && watch.holds() === 0) continue;
      this.#hit ??= watch;
    }
  }

  #find(id: number): Armed {
    const found = this.#all.get(id);
    if (found) return found;
    const ids = [...this.#all.keys()].join(', ');
    throw new MachineError('NOT_FOUND', `No breakpoint ${id}.`, ids ? `There are: ${ids}.` : 'There are none.');
  }
}

function listed({ holds: _holds, first: _first, ...breakpoint }: Armed): Breakpoint {
  return { ...breakpoint };
}
