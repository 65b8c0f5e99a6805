import { MachineError } from '../../machine/errors.ts';
import type { KeptPlaces } from '../../machine/host.ts';

/** Looking up the name of a host can take longer than anybody wants to wait for it. */
const defaultPatienceMs = 10_000;

/** The places of kept consoles. A name that is still being looked up may turn out to be any place. */
export class ClaimedPlaces implements KeptPlaces {
  readonly #owners = new Map<string, string>();
  readonly #unknown = new Map<Promise<void>, string>();
  readonly #patienceMs: number;

  constructor(patienceMs = defaultPatienceMs) {
    this.#patienceMs = patienceMs;
  }

  claim(name: string, places: Promise<readonly string[]>): Promise<void> {
    const known = this.#hold(name, places);
    this.#unknown.set(known, name);
    const over = () => void this.#unknown.delete(known);
    known.then(over, over);
    return known;
  }

  async ownerOf(places: readonly string[]): Promise<string | undefined> {
    const known = () => places.map((place) => this.#owners.get(place)).find((name) => name !== undefined);
    const owner = known();
    if (owner !== undefined || this.#unknown.size === 0) return owner;
    await this.#allKnown();
    return known();
  }

  async #hold(name: string, places: Promise<readonly string[]>): Promise<void> {
    for (const place of await places) this.#owners.set(place, name);
  }

  async #allKnown(): Promise<void> {
    const names = [...new Set(this.#unknown.values())].join(', ');
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const missing = `It is not known yet where ${names} leads, which the user's configuration keeps.`;
      const fix = 'Wait until the name of its host has been looked up, and try again.';
      timer = setTimeout(() => reject(new MachineError('UNAVAILABLE', missing, fix)), this.#patienceMs);
    });
    try {
      await Promise.race([Promise.allSettled(this.#unknown.keys()), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
