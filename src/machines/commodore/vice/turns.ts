/** Whose turn it is with a machine: one at a time, in the order they came. */
export class Turns {
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #onWanted: (() => void) | undefined;

  /** The answer ends the turn. */
  async take(): Promise<() => void> {
    let end = () => {};
    const before = this.#last;
    this.#last = new Promise((resolve) => {
      end = resolve;
    });
    this.#waiting++;
    this.#onWanted?.();
    await before;
    this.#waiting--;
    return end;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    const end = await this.take();
    try {
      return await task();
    } finally {
      end();
    }
  }

  /** Resolves as soon as somebody waits for a turn, or the task is to end for another reason. */
  wanted(): Promise<void> {
    if (this.#waiting > 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onWanted = resolve;
    });
  }

  /** Whoever has the turn should come to an end. */
  hurry(): void {
    this.#onWanted?.();
  }
}
