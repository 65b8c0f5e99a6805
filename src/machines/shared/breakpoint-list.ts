import type { Breakpoint, BreakpointChange, BreakpointSpec, BreakpointTree } from '../../machine/breakpoints.ts';
import { advice, call, MachineError } from '../../machine/errors.ts';

const mostBreakpoints = 256;
/** Of all together: each may be asked before every instruction. */
const mostConditionChars = 16_384;

/** A breakpoint in use: what it counts, and what its machine keeps of it beside that. */
export type Armed<Own> = BreakpointSpec &
  Own & { readonly id: number; hits: number; enabled: boolean; ignoreLeft: number; lastFrame: number | undefined };

/** The breakpoints of one machine under their numbers, which are never given twice. */
export class BreakpointList<Own extends object> {
  readonly #arm: (spec: BreakpointSpec) => Own;
  readonly #frameCount: () => number;
  readonly #all = new Map<number, Armed<Own>>();
  #nextId = 1;

  /**
   * `arm` makes what the machine keeps of one, as its compiled condition; it throws for one that cannot be. `frameCount`:
   * of a machine on which breakpoints may last so many frames.
   */
  constructor(arm: (spec: BreakpointSpec) => Own, frameCount: () => number = () => 0) {
    this.#arm = arm;
    this.#frameCount = frameCount;
  }

  /** Takes over those of another list under their numbers, armed anew. */
  adopt(before: BreakpointList<Own>): void {
    this.#nextId = before.#nextId;
    for (const armed of before.#all.values()) this.#all.set(armed.id, { ...armed, ...this.#arm(armed) });
  }

  /** Makes anew what the machine keeps of each: it has become another one. */
  renew(): void {
    for (const armed of this.#all.values()) Object.assign(armed, this.#arm(armed));
  }

  add(spec: BreakpointSpec): Armed<Own> {
    requireRoom([...this.#all.values()], spec);
    const { ignore = 0, frames } = spec;
    const counts = { enabled: true, hits: 0, ignoreLeft: ignore, lastFrame: this.#lastFrame(frames) };
    const armed = { ...spec, ...this.#arm(spec), id: this.#nextId++, ...counts };
    this.#all.set(armed.id, armed);
    return armed;
  }

  /** Rejects with the ids there are. */
  find(id: number): Armed<Own> {
    const found = this.#all.get(id);
    if (found) return found;
    const ids = [...this.#all.keys()].join(', ');
    throw new MachineError('NOT_FOUND', `No breakpoint ${id}.`, ids ? `There are: ${ids}.` : 'There are none.');
  }

  /** What it watches lies elsewhere now; it keeps its number and what it has counted. */
  move(id: number, address: bigint): void {
    const armed = this.find(id);
    Object.assign(armed, { address }, this.#arm({ ...armed, address }));
  }

  /** It stays the same object, under the same number. */
  change(id: number, { enabled, condition, group, log, frames, set, skip, ...rest }: BreakpointChange): Armed<Own> {
    const armed = this.find(id);
    const spec: BreakpointSpec = {
      ...armed,
      ...known(rest),
      ...(condition !== undefined && { condition: condition || undefined }),
      ...(group !== undefined && { group: group || undefined }),
      ...(log !== undefined && { log: log || undefined }),
      ...(frames !== undefined && { frames: frames || undefined }),
      ...(set !== undefined && { set: set.length > 0 ? set : undefined }),
      ...(skip !== undefined && { skip: skip || undefined }),
    };
    requireRoom(
      this.all.filter((other) => other !== armed),
      spec,
    );
    Object.assign(armed, spec, this.#arm(spec));
    if (rest.ignore !== undefined) armed.ignoreLeft = rest.ignore;
    if (frames !== undefined) armed.lastFrame = this.#lastFrame(spec.frames);
    if (enabled !== undefined) {
      armed.enabled = enabled;
      if (enabled && this.#isOver(armed)) armed.lastFrame = this.#lastFrame(armed.frames);
    }
    return armed;
  }

  /** It was met: counts it, and says what follows. */
  met(armed: Armed<Own>): 'ignored' | 'log' | 'stop' {
    armed.hits++;
    if (armed.ignoreLeft > 0) {
      armed.ignoreLeft--;
      return 'ignored';
    }
    return armed.logOnly ? 'log' : 'stop';
  }

  /** The same for somebody who only looks at the past. */
  wouldBe(armed: Armed<Own>): 'ignored' | 'log' | 'stop' {
    return armed.logOnly ? 'log' : 'stop';
  }

  /** Switches off those whose frames are over, and answers them. `isHeld`: not yet. */
  expire(isHeld: (armed: Armed<Own>) => boolean = () => false): readonly Armed<Own>[] {
    const over = this.all.filter((armed) => armed.enabled && this.#isOver(armed) && !isHeld(armed));
    for (const armed of over) armed.enabled = false;
    return over;
  }

  /** Those that are on for some frames have all of them before them. */
  restart(): void {
    for (const armed of this.enabled()) armed.lastFrame = this.#lastFrame(armed.frames);
  }

  remove(id: number): void {
    this.find(id);
    this.#all.delete(id);
  }

  get all(): readonly Armed<Own>[] {
    return [...this.#all.values()];
  }

  /** Of these types, or of every one. */
  enabled(...types: readonly string[]): readonly Armed<Own>[] {
    return this.all.filter(({ enabled, type }) => enabled && (types.length === 0 || types.includes(type)));
  }

  list(): readonly Breakpoint[] {
    return this.all.map((armed) => this.listed(armed));
  }

  /** What others see of one: a copy, without what its machine keeps. */
  listed(armed: Armed<Own>): Breakpoint {
    return listed({ ...armed, framesLeft: this.#framesLeft(armed) });
  }

  #lastFrame(frames: number | undefined): number | undefined {
    return frames === undefined ? undefined : this.#frameCount() + frames;
  }

  #isOver(armed: Armed<Own>): boolean {
    return this.#framesLeft(armed) === 0;
  }

  /** All of them again where the machine has been put back before the frame in which they began. */
  #framesLeft(armed: Armed<Own>): number | undefined {
    if (armed.lastFrame === undefined) return undefined;
    const now = this.#frameCount();
    armed.lastFrame = Math.min(armed.lastFrame, now + (armed.frames ?? 0));
    return Math.max(0, armed.lastFrame - now);
  }
}

/** What others see of one: a copy, without what its machine keeps. */
export function listed(armed: Breakpoint): Breakpoint {
  const { type, address, length, condition, cpu, chip, each, mask, bank, tree } = armed;
  const { logOnly, log, temporary, ignore, group, frames, snapshot, id, enabled, hits, ignoreLeft, framesLeft } = armed;
  const { set, skip, keep, sourceLine } = armed;
  return {
    ...{ id, type, address, length, enabled, hits, logOnly, temporary },
    ...known({ condition, cpu, chip, each, mask, bank, tree, log, ignore, group, frames, snapshot, framesLeft }),
    ...known({ set, skip, keep: keep || undefined, sourceLine }),
    ...(ignoreLeft !== undefined && ignoreLeft > 0 && { ignoreLeft }),
  };
}

/** What only some machines can do with breakpoints. */
const special = ['chip', 'each', 'mask', 'bank', 'tree', 'frames', 'snapshot', 'set', 'skip', 'keep'] as const;
type Special = (typeof special)[number];

/** For machines that know none of it, or only these. */
export function refuseSpecial(asked: BreakpointSpec | BreakpointChange, known: readonly Special[] = []): void {
  const given = special.find(
    (name) => !known.includes(name) && name in asked && asked[name as keyof typeof asked] !== undefined,
  );
  if (given === undefined) return;
  throw new MachineError('INVALID_ARGUMENT', `Breakpoints of this machine have no ${given}.`, 'Leave it out.');
}

/** All expressions in one. */
export function conditionsOf({ condition, log, tree, set = [] }: Partial<BreakpointSpec>): readonly string[] {
  return [
    ...set,
    ...(condition === undefined ? [] : [condition]),
    ...(log === undefined ? [] : [log]),
    ...(tree ? inTree(tree) : []),
  ];
}

function inTree(tree: BreakpointTree): readonly string[] {
  if (tree.operator !== undefined) return tree.of.flatMap(inTree);
  return tree.condition === undefined ? [] : [tree.condition];
}

function known<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** Refuses a breakpoint that would make the machine too slow, or the list too long. */
function requireRoom(all: readonly BreakpointSpec[], spec: BreakpointSpec): void {
  if (all.length >= mostBreakpoints) {
    const message = `There are ${all.length} breakpoints, and ${mostBreakpoints} is the limit.`;
    throw new MachineError('LIMIT_REACHED', message, [
      advice`Delete some with ${call('breakpoint_delete')}.`,
      advice`Watch ranges with "length".`,
    ]);
  }
  const chars = [...all, spec].flatMap(conditionsOf).reduce((sum, { length }) => sum + length, 0);
  if (chars <= mostConditionChars) return;
  throw new MachineError(
    'LIMIT_REACHED',
    `The conditions of all breakpoints together would have ${chars} characters, and ${mostConditionChars} is the limit.`,
    [advice`Delete breakpoints with ${call('breakpoint_delete')}.`, advice`Write shorter conditions.`],
  );
}
