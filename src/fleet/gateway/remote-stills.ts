import type { Outcome } from '../../api/tool-host.ts';
import type { Target } from './remote-calls.ts';

const mostKnown = 20_000;

interface Place {
  readonly host: string;
  readonly incarnation: string;
  readonly number: number;
}

/** Stills around calls stay where they were taken. Hosts number theirs from one, so here each has another number. */
export class RemoteStills {
  readonly #places = new Map<number, Place>();
  readonly #numbers = new Map<string, number>();
  #next = 1;

  /** The outcome of a call on a host, with the numbers of this gateway. */
  translate(outcome: Outcome, { host, incarnation }: Target): Outcome {
    const { around } = outcome;
    if (around?.before === undefined && around?.after === undefined) return outcome;
    const known = (number: number | undefined) => number && this.#numberOf({ host, incarnation, number });
    const [before, after] = [known(around.before), known(around.after)];
    const own = { ...(before && { before }), ...(after && { after }) };
    return { ...outcome, around: { ...around, ...own } };
  }

  find(number: number): Place | undefined {
    return this.#places.get(number);
  }

  #numberOf(place: Place): number {
    const key = keyOf(place);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#next++;
    this.#numbers.set(key, number);
    this.#places.set(number, place);
    const [oldest] = this.#places;
    if (oldest && this.#places.size > mostKnown) {
      this.#places.delete(oldest[0]);
      this.#numbers.delete(keyOf(oldest[1]));
    }
    return number;
  }
}

function keyOf({ incarnation, number }: Place): string {
  return `${incarnation}/${number}`;
}
