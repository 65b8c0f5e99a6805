/**
 * The end of the time for one thing after the other. An answer in time leaves the timer running, which looks at the
 * clock when it fires: setting one for each of thousands of requests a second costs as much as the requests.
 */
export class Deadline {
  readonly #expired: () => void;
  #timer: NodeJS.Timeout | undefined;
  #firesMs = Number.POSITIVE_INFINITY;
  #dueMs = Number.POSITIVE_INFINITY;

  constructor(expired: () => void) {
    this.#expired = expired;
  }

  set(timeoutMs: number): void {
    this.#dueMs = performance.now() + timeoutMs;
    if (this.#firesMs > this.#dueMs) this.#wait(timeoutMs);
  }

  clear(): void {
    this.#dueMs = Number.POSITIVE_INFINITY;
  }

  close(): void {
    this.clear();
    clearTimeout(this.#timer);
    this.#firesMs = Number.POSITIVE_INFINITY;
  }

  #wait(timeoutMs: number): void {
    clearTimeout(this.#timer);
    this.#firesMs = performance.now() + timeoutMs;
    this.#timer = setTimeout(() => this.#fire(), timeoutMs).unref();
  }

  #fire(): void {
    this.#firesMs = Number.POSITIVE_INFINITY;
    if (this.#dueMs === Number.POSITIVE_INFINITY) return;
    const left = this.#dueMs - performance.now();
    if (left > 0) {
      this.#wait(Math.ceil(left));
      return;
    }
    this.clear();
    this.#expired();
  }
}
