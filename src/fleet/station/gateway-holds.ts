import { z } from 'zod';
import type { Actor } from '../../api/roles.ts';
import type { ToolHost } from '../../api/tool-host.ts';
import { actorFrom, holdKey } from '../wire/shapes.ts';

/** A gateway that says nothing for so long has no people any more. */
const silentMs = 25_000;
const lookMs = 2_000;

const takenShape = z.object({ machine: z.string(), actor: z.unknown(), gateway: z.string().optional() });

interface Taken {
  readonly machine: string;
  readonly actor: Actor;
}

/**
 * Machines that people at gateways have in their hands. A gateway that dies cannot give them back, and what it gave back may
 * have been lost on its way: who has nothing there any more has nothing here.
 */
export class GatewayHolds {
  readonly #host: Pick<ToolHost, 'handBack'>;
  readonly #log: (text: string) => void;
  readonly #gateways = new Map<string, { taken: readonly Taken[]; heardAt: number }>();
  readonly #timer: NodeJS.Timeout;

  constructor(host: Pick<ToolHost, 'handBack'>, log: (text: string) => void) {
    this.#host = host;
    this.#log = log;
    this.#timer = setInterval(() => this.#look(), lookMs);
    this.#timer.unref();
  }

  /** What a gateway has asked for was done. */
  taken(of: unknown): void {
    const { machine, actor, gateway } = takenShape.parse(of);
    // One of an older version says nothing of it.
    if (gateway === undefined) return;
    const taken = { machine, actor: actorFrom(actor) };
    const before = this.#gateways.get(gateway)?.taken ?? [];
    this.#gateways.set(gateway, { taken: [...before.filter((each) => !isSame(each, taken)), taken], heardAt: now() });
  }

  /** `held`: whom the gateway knows to have something, as `holdKey` writes it. */
  heard(gateway: string, held: readonly string[]): void {
    const known = this.#gateways.get(gateway);
    if (!known) return;
    const [kept, over] = parted(known.taken, ({ machine, actor }) => held.includes(holdKey(machine, actor)));
    this.#over(over);
    if (kept.length === 0) this.#gateways.delete(gateway);
    else this.#gateways.set(gateway, { taken: kept, heardAt: now() });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    for (const [gateway, { taken, heardAt }] of this.#gateways) {
      if (now() - heardAt <= silentMs) continue;
      this.#gateways.delete(gateway);
      this.#over(taken);
    }
  }

  /** Of what somebody else has taken since, or was given back, nothing is changed. */
  #over(taken: readonly Taken[]): void {
    for (const { machine, actor } of taken)
      this.#host.handBack(machine, actor, '').catch((error: unknown) => {
        this.#log(`${machine} is not given back: ${error instanceof Error ? error.message : String(error)}`);
      });
  }
}

function isSame(one: Taken, other: Taken): boolean {
  return holdKey(one.machine, one.actor) === holdKey(other.machine, other.actor);
}

function parted<T>(all: readonly T[], isIn: (each: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(isIn), all.filter((each) => !isIn(each))];
}

function now(): number {
  return performance.now();
}
