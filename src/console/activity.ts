/** Tells listeners that something happened, once a turn of the event loop however much it was. */
export class Activity {
  readonly #listeners = new Set<() => void>();
  #pending = false;

  on(listener: () => void): () => void {
    // A wrapper, so that the same function given twice is two listeners.
    const own = () => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  announce(): void {
    if (this.#pending || this.#listeners.size === 0) return;
    this.#pending = true;
    setImmediate(() => {
      this.#pending = false;
      for (const listener of [...this.#listeners]) listener();
    });
  }
}
