import type { ClaimedMachine } from '../../rack/rack.ts';
import { Census } from '../wire/census.ts';
import type { FleetLine } from '../wire/fleet-line.ts';
import { NotYet } from '../wire/patiently.ts';
import { countsMachines, type Quota, requireWithin, usageOf } from '../wire/quota.ts';
import { StoreAge } from '../wire/store-age.ts';
import { namesStream } from '../wire/streams.ts';

/**
 * Whether the team may have one more machine. The answer holds for a claim that follows no other one: a claim names the last
 * number that was counted, and the store refuses it if another came between. So no race passes a quota.
 */
export class Admission {
  readonly #quota: Quota;
  readonly #census: Census;
  readonly #age: StoreAge;
  #last: Promise<unknown> = Promise.resolve();

  constructor(line: FleetLine, quota: Quota) {
    this.#quota = quota;
    this.#census = new Census(line);
    this.#age = new StoreAge(line, namesStream);
  }

  /** So that the store is not new any more when the first machine comes. */
  async begin(): Promise<void> {
    if (countsMachines(this.#quota)) await this.#age.isOld();
  }

  /** One claim of this host after the other: they would only outrun each other. */
  inTurn<T>(task: () => Promise<T>): Promise<T> {
    if (!countsMachines(this.#quota)) return task();
    const turn = this.#last.then(task, task);
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** The number that a claim has to follow, if it matters; throws why there must be none. */
  async admit(name: string, machine: ClaimedMachine): Promise<number | undefined> {
    if (!countsMachines(this.#quota) || machine.isKept) return undefined;
    if (!(await this.#age.isOld()))
      throw new NotYet('how many machines the team has is not known yet: the store of names is new');
    let counted = await this.#census.read();
    if (counted.lastSequence === 0) {
      await this.#census.seed();
      counted = await this.#census.read();
    }
    const { lastSequence, records } = counted;
    const others = [...records].flatMap(([other, { state, of }]) => (other !== name && state === 'held' ? [of] : []));
    requireWithin(this.#quota, usageOf(others), machine);
    return lastSequence;
  }
}
