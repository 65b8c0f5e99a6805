import type { StopReply } from '../../../links/gdb/stop-reply.ts';
import type { ReportedEvent } from '../../../machine/events.ts';
import type { Cause } from '../../shared/cause.ts';
import type { Armed, BreakpointsSet } from './breakpoints-set.ts';
import { ifThere } from './if-there.ts';
import { bytesToValue } from './register-bytes.ts';
import type { Target } from './target.ts';
import type { TargetVocabulary } from './target-vocabulary.ts';

/** A place where somebody waits for the target, not a breakpoint. */
export interface Goal {
  readonly address: bigint;
  /** Whether this arrival is the one waited for. */
  reached(): Promise<boolean>;
  readonly cause: Cause;
}

/** `known` tells a stop that was ours from one that came from elsewhere. */
export interface Judgement {
  readonly known: boolean;
  readonly cause?: Cause;
}

/** Decides whether what stopped the target is a stop that somebody wants. */
export class Judge {
  readonly #target: Target;
  readonly #table: BreakpointsSet;
  readonly #vocabulary: TargetVocabulary;
  readonly #report: (event: ReportedEvent) => void;
  readonly #describe: (address: bigint) => string;

  /** `describe` writes an address with its name. */
  constructor(
    target: Target,
    table: BreakpointsSet,
    vocabulary: TargetVocabulary,
    report: (event: ReportedEvent) => void,
    describe: (address: bigint) => string,
  ) {
    this.#describe = describe;
    this.#target = target;
    this.#table = table;
    this.#vocabulary = vocabulary;
    this.#report = report;
  }

  /** Breakpoints whose watchpoint was hit. After stepping, QEMU may name an address nobody watches. */
  watched({ watch }: StopReply): Armed[] {
    return watch ? this.#table.watched(watch.type, watch.address) : [];
  }

  /** Behind the access: everything that may stop here. */
  async decide(watched: readonly Armed[], goals: readonly Goal[]): Promise<Judgement> {
    const pc = await this.#target.pc();
    const executed = this.#table.executed(pc);
    const here = goals.filter(({ address }) => address === pc);
    const known = watched.length + executed.length + here.length > 0;
    let cause: Cause | undefined;
    for (const armed of watched) if (await this.#touches(armed)) cause = this.#hit(armed, pc) ?? cause;
    for (const armed of executed) if (await this.#holds(armed)) cause ??= this.#hit(armed, pc);
    for (const goal of here) if (await goal.reached()) cause ??= goal.cause;
    return cause ? { known, cause } : { known };
  }

  /** What would stop a run here, without being counted, logged or used up. */
  async wouldStop(watched: readonly Armed[], goals: readonly Goal[]): Promise<Cause | undefined> {
    for (const armed of watched) if (!armed.logOnly && (await this.#touches(armed))) return passed(armed);
    if (watched.length > 0) return undefined;
    const pc = await this.#target.pc();
    for (const armed of this.#table.executed(pc)) {
      if (!armed.logOnly && (await this.#holds(armed))) return passed(armed);
    }
    return goals.find(({ address }) => address === pc)?.cause;
  }

  /** Before it goes on: so that a write that changes nothing can be told from one that does. */
  async remember(): Promise<void> {
    for (const armed of this.#table.changes()) armed.lastBytes = await this.#bytesOf(armed);
  }

  async #touches(armed: Armed): Promise<boolean> {
    const bytes = await this.#bytesOf(armed);
    if (armed.type === 'change') {
      const before = armed.lastBytes;
      armed.lastBytes = bytes;
      if (before && bytes && Buffer.compare(before, bytes) === 0) return false;
    }
    const value = bytesToValue(bytes?.subarray(0, 8) ?? new Uint8Array(), this.#target.bigEndian);
    this.#vocabulary.access = { address: armed.address, value };
    return this.#holds(armed);
  }

  /** A condition that cannot be evaluated, as with memory that is not mapped, counts as true: better seen than missed. */
  async #holds(armed: Armed): Promise<boolean> {
    if (!armed.holds) return true;
    try {
      return (await armed.holds()) !== 0n;
    } catch {
      return !this.#target.gdb.closed;
    }
  }

  #hit(armed: Armed, pc: bigint): Cause | undefined {
    armed.hits++;
    if (armed.logOnly) {
      const address = `0x${pc.toString(16)}`;
      const data = { id: armed.id, address, vcpu: this.#target.cpuIndex, hits: armed.hits };
      this.#report({ type: 'breakpoint', text: `breakpoint ${armed.id} hit at ${this.#describe(pc)}`, data });
      return undefined;
    }
    if (armed.temporary) this.#table.remove(armed.id);
    return {
      cause: 'breakpoint',
      reason: `breakpoint ${armed.id}, ${armed.type}`,
      breakpoint: { id: armed.id, type: armed.type },
    };
  }

  #bytesOf({ address, length }: Armed): Promise<Uint8Array | undefined> {
    return ifThere(this.#target.memory(address, Math.min(length, 4096)));
  }
}

function passed({ id, type }: Armed): Cause {
  return { cause: 'breakpoint', reason: `breakpoint ${id}, ${type}, on the way back`, breakpoint: { id, type } };
}
