import type { Server } from 'node:net';
import { takeLock } from '../../console/shared-lock.ts';
import { MachineError } from '../../machine/errors.ts';
import type { KeptPlaces } from '../../machine/host.ts';

/** Looking up the name of a host can take longer than anybody wants to wait for it. */
const defaultPatienceMs = 10_000;

interface ClaimOptions {
  /** What all servers of this user share; none where there are no others. */
  readonly directory?: string;
  readonly patienceMs?: number;
}

/**
 * The places of kept consoles, which one server has at a time. A name that is still being looked up may turn out to be any place.
 */
export class ClaimedPlaces implements KeptPlaces {
  readonly #owners = new Map<string, string>();
  readonly #unknown = new Map<Promise<void>, string>();
  readonly #directory: string | undefined;
  readonly #patienceMs: number;
  readonly #locks = new Map<string, Promise<Server | undefined>>();

  constructor({ directory, patienceMs = defaultPatienceMs }: ClaimOptions = {}) {
    this.#directory = directory;
    this.#patienceMs = patienceMs;
  }

  async claim(name: string, places: Promise<readonly string[]>): Promise<void> {
    const known = this.#hold(name, places);
    this.#unknown.set(known, name);
    const over = () => void this.#unknown.delete(known);
    known.then(over, over);
    await known;
    for (const place of await places) await this.#lock(name, place);
  }

  async close(): Promise<void> {
    for (const lock of this.#locks.values()) (await lock.catch(() => undefined))?.close();
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

  /** For as long as this server is there, whatever becomes of the console. */
  async #lock(name: string, place: string): Promise<void> {
    if (this.#directory === undefined) return;
    const lock = this.#locks.get(place) ?? takeLock(this.#directory, 'console', place);
    this.#locks.set(place, lock);
    const held = await lock.catch((error: unknown) => {
      this.#locks.delete(place);
      throw error;
    });
    if (held) return;
    this.#locks.delete(place);
    throw new MachineError(
      'BUSY',
      'Another server of this user keeps that console.',
      `Use that server, or stop it; "frontpanel attach ${name}" reaches its console.`,
    );
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
