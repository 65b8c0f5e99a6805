import { operations } from '../../../links/vice/wire.ts';
import type { AddressCapability } from '../../../machine/addresses.ts';
import type {
  Breakpoint,
  BreakpointCapability,
  BreakpointChange,
  BreakpointSpec,
} from '../../../machine/breakpoints.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { Host } from '../../../machine/host.ts';
import { type Armed, BreakpointList } from '../../shared/breakpoint-list.ts';
import { breakpointCause, type Cause, stopping } from '../../shared/cause.ts';
import { compileWideCondition, type WideReading } from '../../shared/condition/wide-condition.ts';
import { RasterPass } from './raster-pass.ts';
import type { ViceVocabulary } from './vice-condition.ts';
import type { StopJudge, ViceEngine } from './vice-engine.ts';
import type { ViceModel } from './vice-models.ts';
import type { ViceSession } from './vice-session.ts';

const types = ['exec', 'read', 'write', 'change', 'raster'] as const;
type Type = (typeof types)[number];
const operationOf: Readonly<Record<Type, number>> = {
  exec: operations.exec,
  read: operations.read,
  write: operations.write,
  change: operations.write,
  raster: operations.exec,
};
const lastAddress = 0xffff;
const lastLine = 400;
/** What only the built-in machines can do with breakpoints. */
const unknown = ['chip', 'mask', 'bank', 'tree', 'snapshot', 'cpu'] as const;

interface Own {
  readonly type: Type;
  /** Undefined where VICE asks it. */
  readonly asked: WideReading | undefined;
  readonly reading: WideReading | undefined;
  readonly inVice: string | undefined;
}

/** What is known of one while it is watched for. */
interface Watch {
  readonly checkpoint: number;
  readonly inVice: string | undefined;
  /** Of `change`: what was there. */
  bytes: Uint8Array;
  /** Of `raster`. */
  readonly pass: RasterPass;
}

/** Breakpoints as checkpoints of VICE's monitor, which stop it each time; here it is decided what that means. */
export class ViceBreakpoints implements BreakpointCapability, StopJudge {
  readonly types = types;
  readonly #session: ViceSession;
  readonly #engine: ViceEngine;
  readonly #model: ViceModel;
  readonly #vocabulary: ViceVocabulary;
  readonly #addresses: AddressCapability;
  readonly #host: Pick<Host, 'report'>;
  readonly #list: BreakpointList<Own>;
  readonly #watches = new Map<number, Watch>();

  constructor(
    session: ViceSession,
    engine: ViceEngine,
    model: ViceModel,
    vocabulary: ViceVocabulary,
    addresses: AddressCapability,
    host: Pick<Host, 'report'>,
  ) {
    this.#session = session;
    this.#engine = engine;
    this.#model = model;
    this.#vocabulary = vocabulary;
    this.#addresses = addresses;
    this.#host = host;
    this.#list = new BreakpointList(
      (spec) => this.#arm(spec),
      () => engine.frame,
    );
  }

  set(spec: BreakpointSpec): Promise<Breakpoint> {
    this.#refuseUnknown(spec);
    return this.#engine.exclusively(async () => {
      const armed = this.#list.add(spec);
      try {
        await this.#watch(armed);
      } catch (error) {
        this.#list.remove(armed.id);
        throw error;
      }
      return this.#list.listed(armed);
    });
  }

  async list(): Promise<readonly Breakpoint[]> {
    this.#list.expire();
    return this.#list.list();
  }

  delete(id: number): Promise<void> {
    return this.#engine.exclusively(async () => {
      this.#list.remove(id);
      await this.#unwatch(id);
    });
  }

  change(id: number, change: BreakpointChange): Promise<Breakpoint> {
    this.#refuseUnknown(change);
    return this.#engine.exclusively(async () => {
      const armed = this.#list.change(id, change);
      await this.#watch(armed);
      return this.#list.listed(armed);
    });
  }

  /** What it watches lies elsewhere now. */
  move(id: number, address: bigint): Promise<void> {
    return this.#engine.exclusively(async () => {
      this.#list.move(id, address);
      await this.#unwatch(id);
      await this.#watch(this.#list.find(id));
    });
  }

  /** Leaves a VICE that is not ours as it was. */
  async removeAll(): Promise<void> {
    const failed: string[] = [];
    // One that cannot be removed keeps no other.
    for (const { id } of this.#list.all) await this.#unwatch(id).catch(() => failed.push(String(id)));
    if (failed.length > 0) throw new Error(`breakpoints ${failed.join(', ')} could not be removed`);
  }

  // ---- what stops it

  async judge(hits: ReadonlySet<number>, began: boolean): Promise<Cause | undefined> {
    await this.#expire();
    let stop: Cause | undefined;
    for (const armed of this.#list.enabled()) {
      const watch = this.#watches.get(armed.id);
      if (!watch || !hits.has(watch.checkpoint)) continue;
      // What stands where a run begins has been seen.
      if (began && (armed.type === 'exec' || armed.type === 'raster')) continue;
      if (await this.#happened(armed, watch)) stop = (await this.#meet(armed)) ?? stop;
    }
    return stop;
  }

  async arrive(hits: ReadonlySet<number>): Promise<Cause | undefined> {
    const { pc } = this.#session.now;
    let stop: Cause | undefined;
    for (const armed of this.#list.enabled('exec')) {
      const watch = this.#watches.get(armed.id);
      const first = Number(armed.address);
      if (!watch || hits.has(watch.checkpoint) || pc < first || pc >= first + armed.length) continue;
      const asked = armed.condition && compileWideCondition(armed.condition, this.#vocabulary);
      if (!asked || (await asked()) !== 0n) stop = (await this.#meet(armed)) ?? stop;
    }
    return stop;
  }

  translate(condition: string): string {
    compileWideCondition(condition, this.#vocabulary);
    const translated = this.#vocabulary.translate(condition);
    if (translated !== undefined) return translated;
    const { builtIn } = this.#model;
    throw new MachineError(
      'INVALID_ARGUMENT',
      `VICE's monitor cannot express the condition ${condition.slice(0, 200)}, and evaluating it here before every instruction would take too long.`,
      [
        advice`Use registers, raster_line, raster_cycle, byte[address] and word[address] of addresses that are numbers, with == != < <= > >= && || + - * & |.`,
        ...(builtIn
          ? [advice`The built-in machine supports all conditions: ${call('machine_start', { kind: builtIn })}.`]
          : []),
      ],
    );
  }

  /** Whether what VICE met is what was meant. */
  async #happened(armed: Armed<Own>, watch: Watch): Promise<boolean> {
    if (armed.type === 'change') {
      const now = await this.#bytesOf(armed);
      const hasChanged = Buffer.compare(now, watch.bytes) !== 0;
      watch.bytes = now;
      if (!hasChanged) return false;
    }
    if (armed.type === 'raster' && !watch.pass.isNew(this.#session.now, armed.each === true)) return false;
    return armed.asked === undefined || (await armed.asked()) !== 0n;
  }

  async #meet(armed: Armed<Own>): Promise<Cause | undefined> {
    const follows = this.#list.met(armed);
    if (follows === 'ignored') return undefined;
    const logged = await armed.reading?.();
    const cause = breakpointCause(stopping(armed, logged), this.#engine.present(), this.#addresses);
    if (follows === 'log') {
      const { pc } = this.#session.now;
      const { id, type, hits } = armed;
      const text = `${cause.reason} at ${this.#addresses.format(BigInt(pc))}`;
      this.#host.report({
        type: 'breakpoint',
        text,
        data: { id, type, hits, pc, ...(logged !== undefined && { logged }) },
      });
      return undefined;
    }
    if (armed.temporary) {
      this.#list.remove(armed.id);
      await this.#unwatch(armed.id);
    }
    return cause;
  }

  async #expire(): Promise<void> {
    for (const { id } of this.#list.expire()) await this.#unwatch(id);
  }

  // ---- checkpoints

  #arm(spec: BreakpointSpec): Own {
    const type = types.find((each) => each === spec.type);
    if (!type) throw this.#unknownType(spec.type);
    checkPlace(spec, type);
    const { condition, log } = spec;
    const reading = log === undefined ? undefined : compileWideCondition(log, this.#vocabulary);
    if (condition === undefined) return { type, reading, asked: undefined, inVice: undefined };
    const asked = compileWideCondition(condition, this.#vocabulary);
    const inVice = type === 'exec' ? this.#vocabulary.translate(condition) : undefined;
    return { type, reading, inVice, asked: inVice === undefined ? asked : undefined };
  }

  /** Makes VICE look for it, or no longer. */
  async #watch(armed: Armed<Own>): Promise<void> {
    const known = this.#watches.get(armed.id);
    if (known && armed.enabled && known.inVice === armed.inVice) return;
    await this.#unwatch(armed.id);
    if (!armed.enabled) return;
    const { type, address, length, id } = armed;
    const [first, last] = type === 'raster' ? [0, lastAddress] : [Number(address), Number(address) + length - 1];
    const { lineWord } = this.#session;
    const lines = `(${lineWord} >= $${address.toString(16)}) && (${lineWord} <= $${(Number(address) + length - 1).toString(16)})`;
    const condition = type === 'raster' ? lines : armed.inVice;
    const checkpoint = await this.#session.setCheckpoint(first, last, operationOf[type], condition);
    const bytes = type === 'change' ? await this.#bytesOf(armed) : new Uint8Array();
    this.#watches.set(id, { checkpoint, inVice: armed.inVice, bytes, pass: new RasterPass(this.#model) });
  }

  async #unwatch(id: number): Promise<void> {
    const watch = this.#watches.get(id);
    this.#watches.delete(id);
    if (watch) await this.#session.deleteCheckpoint(watch.checkpoint).catch(() => {});
  }

  #bytesOf({ address, length }: BreakpointSpec): Promise<Uint8Array> {
    return this.#session.peek(0, Number(address), length);
  }

  #refuseUnknown(asked: BreakpointSpec | BreakpointChange): void {
    const given = unknown.find((name) => name in asked && asked[name as keyof typeof asked] !== undefined);
    if (given === undefined) return;
    throw new MachineError('INVALID_ARGUMENT', `Breakpoints of VICE have no ${given}.`, [
      advice`Leave it out.`,
      ...this.#elsewhere(),
    ]);
  }

  #unknownType(type: string): MachineError {
    return new MachineError('INVALID_ARGUMENT', `VICE cannot stop at ${type.slice(0, 30)}.`, [
      advice`Types: ${types.join(', ')}.`,
      ...this.#elsewhere(),
    ]);
  }

  #elsewhere() {
    const { builtIn } = this.#model;
    return builtIn ? [advice`The built-in machine can: ${call('machine_start', { kind: builtIn })}.`] : [];
  }
}

function checkPlace({ address, length }: BreakpointSpec, type: Type): void {
  const last = type === 'raster' ? lastLine : lastAddress;
  if (address >= 0n && length >= 1 && address + BigInt(length) - 1n <= BigInt(last)) return;
  const range = type === 'raster' ? `lines 0 to ${last}` : '$0000-$FFFF';
  throw new MachineError('ADDRESS_OUT_OF_BOUNDS', 'The breakpoint is outside the machine.', `Use ${range}.`, {
    valid_range: range,
  });
}
