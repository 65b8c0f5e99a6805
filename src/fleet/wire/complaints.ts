const pauseMs = 1_000;

/** What strangers can cause is said once a second at most, so that they cannot fill the log. */
export class Complaints {
  #saidAt = Number.NEGATIVE_INFINITY;
  #unsaid = 0;

  /** `say` is told how many were passed over since the last one. */
  say(say: (unsaid: number) => void): void {
    if (performance.now() - this.#saidAt < pauseMs) {
      this.#unsaid++;
      return;
    }
    this.#saidAt = performance.now();
    const unsaid = this.#unsaid;
    this.#unsaid = 0;
    say(unsaid);
  }
}
