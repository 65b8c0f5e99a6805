/**
 * What people do to the time of one machine, each thing after the one before, whoever of them did it. A Pause that came
 * in the middle of a Reset would find nothing to stop, and then be undone by it.
 */
export class ControlTurns {
  /** What is being pasted, by anybody. */
  readonly pastes = new Set<AbortController>();
  /** How often somebody has stopped the machine: a Reset that was overtaken by it does not go on. */
  pauses = 0;
  readonly #patienceMs: number;
  #last: Promise<unknown> = Promise.resolve();

  /** What hangs is waited for so long; what came after it is then carried out all the same. */
  constructor(patienceMs = 10_000) {
    this.#patienceMs = patienceMs;
  }

  take(act: () => Promise<void>): Promise<void> {
    const done = this.rest().then(act);
    this.#last = done.catch(() => {});
    return done;
  }

  /** When all that was done so far is over, or hangs. */
  async rest(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const hangs = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#patienceMs).unref();
    });
    await Promise.race([this.#last, hangs]);
    clearTimeout(timer);
  }
}
