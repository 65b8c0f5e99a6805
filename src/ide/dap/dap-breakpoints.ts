import { hex0x } from '../../formats/hex.ts';
import { MachineError } from '../../machine/errors.ts';
import { type DebuggedMachine, wide } from '../debugged-machine.ts';
import type { DapThread } from './dap-thread.ts';
import type { SourcePaths } from './source-paths.ts';

/** One that an IDE asks for, whatever it is bound to. */
export interface WantedBreakpoint {
  /** `exec`, `read`, `write`. */
  readonly types: readonly string[];
  /** Where on this machine; rejects with why there is no such place. */
  place(machine: DebuggedMachine): Promise<{ readonly address: bigint; readonly length?: number }>;
  readonly condition?: string | undefined;
  readonly hitCondition?: string | undefined;
  readonly logMessage?: string | undefined;
  /** Of the source that was asked for. */
  readonly path?: string | undefined;
}

interface Bound {
  readonly thread: DapThread;
  readonly ids: readonly number[];
  readonly place: Readonly<Record<string, unknown>>;
}

interface Kept {
  readonly id: number;
  readonly wanted: WantedBreakpoint;
  bound: Bound[];
  problem: string | undefined;
  /** Values of its log message that have come, one list per expression. */
  readonly values: string[][];
}

const mostBreakpoints = 1000;
/** Each is a breakpoint of the machine. */
const mostValues = 16;
const longestReference = 80;

/** The breakpoints of an IDE, on every machine of its session. */
export class DapBreakpoints {
  readonly #paths: SourcePaths;
  readonly #kept = new Map<string, Kept[]>();
  #nextId = 1;

  constructor(paths: SourcePaths) {
    this.#paths = paths;
  }

  /** All of one sort, instead of those there were: of a file, of functions, of data, of instructions. */
  async replace(sort: string, wanted: readonly WantedBreakpoint[], threads: readonly DapThread[]): Promise<unknown[]> {
    const before = this.#kept.get(sort) ?? [];
    this.#kept.delete(sort);
    await this.#drop(before);
    const all = [...this.#kept.values()].reduce((sum, each) => sum + each.length, 0);
    const kept = wanted.slice(0, Math.max(0, mostBreakpoints - all)).map((each): Kept => {
      return { id: this.#nextId++, wanted: each, bound: [], problem: undefined, values: [] };
    });
    if (kept.length > 0) this.#kept.set(sort, kept);
    for (const each of kept) for (const thread of threads) await this.#bind(each, thread);
    return wanted.map((_, index) => (kept[index] ? described(kept[index]) : { verified: false, message: 'too many' }));
  }

  /** A machine has come into the session. */
  async bindAll(thread: DapThread): Promise<void> {
    for (const each of [...this.#kept.values()].flat()) await this.#bind(each, thread);
  }

  forget(thread: DapThread): void {
    for (const each of [...this.#kept.values()].flat())
      each.bound = each.bound.filter((bound) => bound.thread !== thread);
  }

  async clear(): Promise<void> {
    for (const kept of this.#kept.values()) await this.#drop(kept);
    this.#kept.clear();
  }

  /** The number by which the IDE knows one of a machine's; undefined for those of others. */
  idOf(thread: DapThread, id: number): { readonly id: number; readonly sort: string } | undefined {
    for (const [sort, kept] of this.#kept) {
      const found = kept.find(({ bound }) => bound.some((each) => each.thread === thread && each.ids.includes(id)));
      if (found) return { id: found.id, sort };
    }
    return undefined;
  }

  /** One that only logs was met. The answer is the message, once all its values are there. */
  logged(thread: DapThread, id: number, value: string): string | undefined {
    for (const kept of [...this.#kept.values()].flat()) {
      const bound = kept.bound.find((each) => each.thread === thread && each.ids.includes(id));
      if (!bound || kept.wanted.logMessage === undefined) continue;
      const index = bound.ids.indexOf(id);
      kept.values[index] = [...(kept.values[index] ?? []), value].slice(-100);
      if (!bound.ids.every((_, each) => (kept.values[each]?.length ?? 0) > 0)) return undefined;
      const values = bound.ids.map((_, each) => kept.values[each]?.shift() ?? '');
      let next = 0;
      return kept.wanted.logMessage.replace(/\{[^{}]*\}/g, () => values[next++] ?? '');
    }
    return undefined;
  }

  async #bind(kept: Kept, thread: DapThread): Promise<void> {
    const { wanted } = kept;
    try {
      const { address, length } = await wanted.place(thread.machine);
      const ids: number[] = [];
      for (const options of optionsOf(wanted)) {
        for (const type of wanted.types) {
          const { id } = await thread.machine.call('breakpoint_set', {
            ...{ type, address: hex0x(address), ...(length !== undefined && { length }) },
            ...(wanted.condition ? { condition: wanted.condition } : {}),
            log_only: wanted.logMessage !== undefined,
            options: { group: 'ide', ...options },
          });
          ids.push(Number(id));
        }
      }
      const { frames } = await thread.machine.call('instructions_read', { address: hex0x(address), count: 1 }).then(
        ({ instructions }) => ({ frames: instructions as { file?: string; line?: number }[] }),
        () => ({ frames: [] }),
      );
      const { file, line } = frames[0] ?? {};
      const path = wanted.path ?? (file ? this.#paths.absolute(file) : undefined);
      const place = {
        ...(wanted.types.includes('exec') && { instructionReference: hex0x(address) }),
        ...(typeof line === 'number' && wanted.types.includes('exec') && { line, ...(path && { source: { path } }) }),
      };
      kept.bound.push({ thread, ids, place });
      kept.problem = undefined;
    } catch (error) {
      if (!(error instanceof MachineError)) throw error;
      kept.problem = error.message;
    }
  }

  async #drop(kept: readonly Kept[]): Promise<void> {
    for (const { bound } of kept) {
      for (const { thread, ids } of bound) {
        // Somebody else may have deleted it.
        for (const id of ids) await thread.machine.call('breakpoint_delete', { id }).catch(() => {});
      }
    }
  }
}

function described({ id, bound, problem }: Kept): Record<string, unknown> {
  const [first] = bound;
  return first
    ? { id, verified: true, ...first.place }
    : { id, verified: false, message: problem ?? 'no machine is in this session yet' };
}

/** One set of options for each breakpoint that is needed: a message with several values takes several. */
function optionsOf({ hitCondition, logMessage }: WantedBreakpoint): readonly Record<string, unknown>[] {
  const ignore = hitCondition ? { ignore: hitsToIgnore(hitCondition) } : {};
  const expressions = [...(logMessage ?? '').matchAll(/\{([^{}]*)\}/g)].map(([, inner = '']) => inner.trim());
  if (expressions.length === 0) return [ignore];
  if (expressions.length > mostValues) {
    const fix = `Write up to ${mostValues} in one message.`;
    throw new MachineError('INVALID_ARGUMENT', `${expressions.length} values in one message are too many.`, fix);
  }
  return expressions.map((log) => ({ ...ignore, log }));
}

function hitsToIgnore(text: string): number {
  const [, operator = '', digits = ''] = /^\s*(>=|>|)\s*(\d{1,9})\s*$/.exec(text) ?? [];
  if (digits !== '') return Math.max(0, Number(digits) - (operator === '>' ? 0 : 1));
  throw new MachineError('INVALID_ARGUMENT', `${text.slice(0, 40)} is not a hit count.`, 'Write 5, >= 5 or > 5.');
}

/** An address as an IDE writes one in a reference, with an offset. */
export function referenced(reference: unknown, offset: unknown): bigint {
  try {
    if (typeof reference !== 'string' && typeof reference !== 'number') throw new RangeError('no reference');
    if (String(reference).length > longestReference) throw new RangeError('too long');
    return wide(reference) + BigInt(typeof offset === 'number' ? Math.trunc(offset) : 0);
  } catch {
    throw new MachineError('INVALID_ARGUMENT', `${String(reference).slice(0, 40)} is not an address.`, 'Write 0x1234.');
  }
}
