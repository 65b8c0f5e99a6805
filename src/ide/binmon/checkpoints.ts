import { hex0x } from '../../formats/hex.ts';
import { failure, u16, u32 } from '../../links/vice/wire.ts';
import { MachineError } from '../../machine/errors.ts';
import { type DebuggedMachine, type SeenStop, wide } from '../debugged-machine.ts';
import { driveOf } from './facts.ts';
import { Refusal } from './wire.ts';

/** One bit for each thing that a checkpoint watches for. */
const operations: readonly (readonly [number, string])[] = [
  [1, 'read'],
  [2, 'write'],
  [4, 'exec'],
];
const mostCheckpoints = 1000;

interface Checkpoint {
  readonly ids: Set<number>;
  readonly start: number;
  readonly end: number;
  readonly operation: number;
  readonly memspace: number;
  readonly isTemporary: boolean;
  isConditional: boolean;
}

export interface CheckpointWanted {
  readonly start: number;
  readonly end: number;
  readonly stops: boolean;
  readonly isEnabled: boolean;
  readonly operation: number;
  readonly isTemporary: boolean;
  readonly memspace: number;
}

interface Listed {
  readonly id: number;
  readonly type: string;
  readonly address: number | string;
  readonly length: number;
  readonly enabled: boolean;
  readonly logOnly: boolean;
  readonly temporary: boolean;
  readonly hits: number;
  readonly ignoreLeft?: number;
  readonly condition?: string;
  readonly cpu?: string;
}

/**
 * The machine's breakpoints under numbers of this client's, its own and those of others. One checkpoint is a breakpoint for each
 * thing it watches for; breakpoints that no checkpoint can be, such as those of raster lines, are left out.
 */
export class Checkpoints {
  readonly #machine: DebuggedMachine;
  readonly #known = new Map<number, Checkpoint>();
  /** Those set here. */
  readonly #own = new Set<number>();
  #last = 0;

  constructor(machine: DebuggedMachine) {
    this.#machine = machine;
  }

  async set(wanted: CheckpointWanted): Promise<number> {
    const { start, end, operation, isTemporary, memspace } = wanted;
    const cpu = driveOf(memspace);
    const types = operations.filter(([bit]) => (operation & bit) !== 0).map(([, type]) => type);
    if (types.length === 0 || end < start) throw new Refusal(failure.parameter);
    if (this.#own.size >= mostCheckpoints) throw new Refusal(failure.failed);
    const ids = new Set<number>();
    for (const type of types) {
      const { id } = await this.#machine.call('breakpoint_set', {
        type,
        address: hex0x(BigInt(start)),
        length: end - start + 1,
        log_only: !wanted.stops,
        temporary: isTemporary,
        options: { group: 'binmon' },
        ...(cpu !== undefined && { cpu }),
      });
      ids.add(Number(id));
      if (!wanted.isEnabled) await this.#machine.call('breakpoint_set', { id, options: { enabled: false } });
    }
    const number = ++this.#last;
    this.#own.add(number);
    this.#known.set(number, { ids, start, end, operation, memspace, isTemporary, isConditional: false });
    return number;
  }

  async delete(number: number): Promise<void> {
    await this.#remove(number, await this.#find(number));
  }

  async toggle(number: number, enabled: boolean): Promise<void> {
    const { ids } = await this.#find(number);
    for (const id of ids) await this.#machine.call('breakpoint_set', { id, options: { enabled } });
  }

  async setCondition(number: number, condition: string): Promise<void> {
    const checkpoint = await this.#find(number);
    for (const id of checkpoint.ids) await this.#machine.call('breakpoint_set', { id, condition });
    checkpoint.isConditional = true;
  }

  /** As an answer has it. */
  async describe(number: number, isHit = false): Promise<Buffer> {
    const listed = await this.#refresh();
    const checkpoint = this.#known.get(number);
    if (!checkpoint) throw new Refusal(failure.missing);
    const its = listed.filter(({ id }) => checkpoint.ids.has(id));
    return encode(number, checkpoint, its, isHit);
  }

  async list(): Promise<readonly Buffer[]> {
    const listed = await this.#refresh();
    return [...this.#known].map(([number, checkpoint]) =>
      encode(
        number,
        checkpoint,
        listed.filter(({ id }) => checkpoint.ids.has(id)),
        false,
      ),
    );
  }

  /** The checkpoint that a breakpoint is part of, described as hit; nothing where it is none. A temporary one that stopped is gone then. */
  async hit(breakpoint: SeenStop['breakpoint'], hasStopped: boolean): Promise<Buffer | undefined> {
    if (!breakpoint) return undefined;
    const numberOf = () => [...this.#known].find(([, { ids }]) => ids.has(breakpoint.id))?.[0];
    let number = numberOf();
    if (number === undefined) await this.#refresh();
    number ??= numberOf();
    const checkpoint = number === undefined ? undefined : this.#known.get(number);
    if (number === undefined || !checkpoint) return undefined;
    const { breakpoints } = await this.#machine.call('breakpoint_list');
    const its = (breakpoints as Listed[]).filter(({ id }) => checkpoint.ids.has(id));
    const body = encode(number, checkpoint, its, true);
    if (hasStopped && checkpoint.isTemporary) await this.#remove(number, checkpoint);
    return body;
  }

  async removeOwn(): Promise<void> {
    for (const number of [...this.#own]) await this.delete(number).catch(() => {});
  }

  /** The machine may have removed some of it already. */
  async #remove(number: number, { ids }: Checkpoint): Promise<void> {
    for (const id of ids) {
      await this.#machine.call('breakpoint_delete', { id }).catch((error: unknown) => {
        if (!(error instanceof MachineError) || error.type !== 'NOT_FOUND') throw error;
      });
    }
    this.#forget(number);
  }

  async #find(number: number): Promise<Checkpoint> {
    await this.#refresh();
    const found = this.#known.get(number);
    if (found) return found;
    throw new Refusal(failure.missing);
  }

  /** Forgets what is gone, and gives numbers to what others have set. */
  async #refresh(): Promise<readonly Listed[]> {
    const { breakpoints } = await this.#machine.call('breakpoint_list');
    const listed = breakpoints as Listed[];
    const alive = new Set(listed.map(({ id }) => id));
    const numbered = new Set<number>();
    for (const [number, { ids }] of this.#known) {
      for (const id of ids) {
        if (alive.has(id)) numbered.add(id);
        else ids.delete(id);
      }
      if (ids.size === 0) this.#forget(number);
    }
    for (const each of listed) {
      const bits = each.type === 'access' ? 3 : each.type === 'change' ? 2 : 0;
      const operation = operations.find(([, type]) => type === each.type)?.[0] ?? bits;
      if (numbered.has(each.id) || operation === 0) continue;
      const start = Number(wide(each.address)) & 0xffff;
      const memspace = each.cpu?.startsWith('drive') ? Number(each.cpu.slice(5)) - 7 : 0;
      this.#known.set(++this.#last, {
        ids: new Set([each.id]),
        start,
        end: Math.min(0xffff, start + each.length - 1),
        operation,
        memspace,
        isTemporary: each.temporary,
        isConditional: each.condition !== undefined && each.condition !== '',
      });
    }
    return listed;
  }

  #forget(number: number): void {
    this.#known.delete(number);
    this.#own.delete(number);
  }
}

function encode(number: number, checkpoint: Checkpoint, its: readonly Listed[], isHit: boolean): Buffer {
  const { start, end, operation, memspace, isTemporary, isConditional } = checkpoint;
  const stops = its.every(({ logOnly }) => !logOnly);
  const enabled = its.every((each) => each.enabled);
  const sum = (of: (each: Listed) => number) => its.reduce((total, each) => total + of(each), 0);
  return Buffer.from([
    ...u32(number),
    Number(isHit),
    ...u16(start),
    ...u16(end),
    Number(stops),
    Number(enabled),
    operation,
    Number(isTemporary),
    ...u32(sum(({ hits }) => hits)),
    ...u32(sum(({ ignoreLeft = 0 }) => ignoreLeft)),
    Number(isConditional),
    memspace,
  ]);
}
