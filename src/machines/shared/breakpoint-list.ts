import type { Breakpoint, BreakpointSpec } from '../../machine/breakpoints.ts';
import { advice, call, MachineError } from '../../machine/errors.ts';

const mostBreakpoints = 256;
/** Of all together: each may be asked before every instruction. */
const mostConditionChars = 16_384;

/** A breakpoint in use: what it counts, and what its machine keeps of it beside that. */
export type Armed<Own> = Breakpoint & Own & { hits: number; enabled: boolean };

/** The breakpoints of one machine under their numbers, which are never given twice. */
export class BreakpointList<Own extends object> {
  readonly #arm: (spec: BreakpointSpec) => Own;
  readonly #all = new Map<number, Armed<Own>>();
  #nextId = 1;

  /** `arm` makes what the machine keeps of one, as its compiled condition; it throws for one that cannot be. */
  constructor(arm: (spec: BreakpointSpec) => Own) {
    this.#arm = arm;
  }

  /** Takes over those of another list under their numbers, armed anew. */
  adopt(before: BreakpointList<Own>): void {
    this.#nextId = before.#nextId;
    for (const armed of before.#all.values()) this.#all.set(armed.id, { ...armed, ...this.#arm(armed) });
  }

  add(spec: BreakpointSpec): Armed<Own> {
    requireRoom([...this.#all.values()], spec);
    const armed = { ...spec, ...this.#arm(spec), id: this.#nextId++, enabled: true, hits: 0 };
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
    return this.all.map(listed);
  }
}

/** What others see of one: a copy, without what its machine keeps. */
export function listed(armed: Breakpoint): Breakpoint {
  const { type, address, length, condition, cpu, logOnly, temporary, id, enabled, hits } = armed;
  return { type, address, length, condition, ...(cpu !== undefined && { cpu }), logOnly, temporary, id, enabled, hits };
}

/** Refuses a breakpoint that would make the machine too slow, or the list too long. */
function requireRoom(all: readonly BreakpointSpec[], { condition = '' }: BreakpointSpec): void {
  if (all.length >= mostBreakpoints) {
    const message = `There are ${all.length} breakpoints, and ${mostBreakpoints} is the limit.`;
    throw new MachineError('LIMIT_REACHED', message, [
      advice`Delete some with ${call('breakpoint_delete')}.`,
      advice`Watch ranges with "length".`,
    ]);
  }
  const chars = all.reduce((sum, each) => sum + (each.condition?.length ?? 0), condition.length);
  if (chars <= mostConditionChars) return;
  throw new MachineError(
    'LIMIT_REACHED',
    `The conditions of all breakpoints together would have ${chars} characters, and ${mostConditionChars} is the limit.`,
    [advice`Delete breakpoints with ${call('breakpoint_delete')}.`, advice`Write shorter conditions.`],
  );
}
