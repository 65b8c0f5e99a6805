import type { Rack } from '../rack/rack.ts';

/** A console that prints without pause is announced this often, not with each byte. */
const quietMs = 50;

/** Turns output into `resources/updated`: the first at once, then at most one per resource and interval. */
export class UpdateFeed {
  readonly #listeners = new Set<(uri: string) => void>();
  readonly #resting = new Map<string, { again: boolean }>();

  constructor(rack: Rack, urisOf: (handle: string, port: string) => readonly string[]) {
    rack.onOutput((handle, port) => {
      if (this.#listeners.size === 0) return;
      for (const uri of urisOf(handle, port)) this.#announce(uri);
    });
  }

  onUpdate(listener: (uri: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #announce(uri: string): void {
    const resting = this.#resting.get(uri);
    if (resting) {
      resting.again = true;
      return;
    }
    const rest = { again: false };
    this.#resting.set(uri, rest);
    setTimeout(() => {
      this.#resting.delete(uri);
      if (rest.again) this.#announce(uri);
    }, quietMs).unref();
    for (const listener of this.#listeners) listener(uri);
  }
}
