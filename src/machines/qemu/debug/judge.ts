import type { StopReply } from '../../../links/gdb/stop-reply.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { ReportedEvent } from '../../../machine/events.ts';
import type { StopAccess } from '../../../machine/state.ts';
import { breakpointCause, type Cause, stopping } from '../../shared/cause.ts';
import type { Armed, BreakpointsSet } from './breakpoints-set.ts';
import { ifThere } from './if-there.ts';
import { bytesToValue } from './register-bytes.ts';
import type { Target } from './target.ts';
import type { TargetVocabulary } from './target-vocabulary.ts';

/** Of an access, as a number. */
const mostBytesTold = 8;

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
  /** Why a condition says nothing, where it was asked last. */
  readonly #unclear = new WeakMap<Armed, string>();

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

  /** After the access: everything that may stop here. */
  async decide(watched: readonly Armed[], goals: readonly Goal[]): Promise<Judgement> {
    const pc = await this.#target.pc();
    const executed = this.#table.executed(pc);
    const here = goals.filter(({ address }) => address === pc);
    const known = watched.length + executed.length + here.length > 0;
    let cause: Cause | undefined;
    for (const armed of watched) {
      const access = await this.#touches(armed);
      if (access) cause = (await this.#hit(armed, pc, access)) ?? cause;
    }
    for (const armed of executed) if (await this.#holds(armed)) cause ??= await this.#hit(armed, pc);
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

  /** The access, after which the processor stands, unless it does not count. What was there before is known of changes. */
  async #touches(armed: Armed): Promise<StopAccess | undefined> {
    const { type, address } = armed;
    const bytes = await this.#bytesOf(armed);
    const before = armed.lastBytes;
    if (type === 'change') {
      armed.lastBytes = bytes;
      if (before && bytes && Buffer.compare(before, bytes) === 0) return undefined;
    }
    const value = this.#number(bytes);
    this.#vocabulary.access = { address, value };
    if (!(await this.#holds(armed))) return undefined;
    const kind = type === 'read' || type === 'access' ? type : 'write';
    const old = type === 'change' && before ? { old: this.#number(before) } : {};
    return { kind, address, space: 'cpu', value, ...old, bytes: Math.min(bytes?.length ?? 0, mostBytesTold) };
  }

  #number(bytes: Uint8Array | undefined): bigint {
    return bytesToValue(bytes?.subarray(0, mostBytesTold) ?? new Uint8Array(), this.#target.bigEndian);
  }

  /** A condition that cannot be evaluated, as with memory that is not mapped, counts as true: better seen than missed. */
  async #holds(armed: Armed): Promise<boolean> {
    this.#unclear.delete(armed);
    if (!armed.holds) return true;
    try {
      return (await armed.holds()) !== 0n;
    } catch (error) {
      if (error instanceof MachineError) this.#unclear.set(armed, error.message);
      return !this.#target.gdb.closed;
    }
  }

  /** `pc`: where the processor is; on an access, after the instruction that made it. */
  async #hit(armed: Armed, pc: bigint, access?: StopAccess): Promise<Cause | undefined> {
    const outcome = this.#table.met(armed);
    if (outcome === 'ignored') return undefined;
    const { id, group } = armed;
    const logged = armed.logs && (await ifThere(Promise.resolve(armed.logs())));
    const more = logged === undefined ? {} : { logged };
    if (outcome === 'log') {
      const address = `0x${pc.toString(16)}`;
      const data = { id, address, vcpu: this.#target.cpuIndex, hits: armed.hits, ...(group && { group }), ...more };
      const said = logged === undefined ? '' : `: log = ${logged}`;
      this.#report({ type: 'breakpoint', text: `breakpoint ${id} hit at ${this.#describe(pc)}${said}`, data });
      return undefined;
    }
    if (armed.temporary) this.#table.remove(id);
    const cause = breakpointCause(stopping(armed, logged), access ? { access } : { pc });
    const why = this.#unclear.get(armed);
    return why === undefined
      ? cause
      : { ...cause, reason: `${cause.reason}; its condition cannot be evaluated: ${why}` };
  }

  #bytesOf({ address, length }: Armed): Promise<Uint8Array | undefined> {
    return ifThere(this.#target.memory(address, Math.min(length, 4096)));
  }
}

function passed({ id, type }: Armed): Cause {
  return { cause: 'breakpoint', reason: `breakpoint ${id}, ${type}, on the way back`, breakpoint: { id, type } };
}
