/** So many commands a second are obeyed, with bursts of twice that; a person with a fast mouse stays far below. */
const perSecond = 400;
const mostAtOnce = 256;

/** What the budget needs of a socket. */
export interface Pausable {
  pause(): void;
  resume(): void;
}

/**
 * Holds a viewer up who sends more than can be obeyed: nothing of it is lost, and nothing more is read until the rest is
 * done.
 */
export class FrameBudget {
  readonly #socket: Pausable;
  #left = 2 * perSecond;
  #at = performance.now();
  #underWay = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(socket: Pausable) {
    this.#socket = socket;
  }

  /** Nothing is read now. */
  get isPaused(): boolean {
    return this.#timer !== undefined || this.#underWay >= mostAtOnce;
  }

  async spend(obey: () => Promise<void>): Promise<void> {
    const now = performance.now();
    this.#left = Math.min(2 * perSecond, this.#left + ((now - this.#at) / 1000) * perSecond) - 1;
    this.#at = now;
    this.#underWay++;
    if (this.#left < 0 && this.#timer === undefined) {
      this.#timer = setTimeout(() => this.#rested(), (-this.#left / perSecond) * 1000 + 50);
    }
    if (this.isPaused) this.#socket.pause();
    try {
      await obey();
    } finally {
      this.#underWay--;
      if (!this.isPaused) this.#socket.resume();
    }
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #rested(): void {
    this.#timer = undefined;
    if (!this.isPaused) this.#socket.resume();
  }
}
