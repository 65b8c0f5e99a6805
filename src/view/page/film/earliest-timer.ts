/** Does something at the earliest of the times that it was asked for, once. */
export class EarliestTimer {
  readonly #task: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #at = 0;

  constructor(task: () => void) {
    this.#task = task;
  }

  /** Not later than that. */
  within(ms: number): void {
    const at = performance.now() + ms;
    if (this.#timer !== undefined && this.#at <= at) return;
    clearTimeout(this.#timer);
    this.#at = at;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#task();
    }, ms);
  }
}
