import { linkFailure } from './link-failure.ts';

/** One action after the other, in the order they came; what the links throw comes out in words for agents. */
export class Turns {
  /** The turn that came last, while it is under way. */
  #last: Promise<unknown> | undefined;
  #taken = 0;

  take<T>(action: () => Promise<T>): Promise<T> {
    const turn = this.#after(this.#last, ++this.#taken, action);
    this.#last = turn;
    return turn;
  }

  async #after<T>(before: Promise<unknown> | undefined, number: number, action: () => Promise<T>): Promise<T> {
    // How the one before ended was told to those who asked for it.
    await before?.catch(() => undefined);
    try {
      return await action();
    } catch (error) {
      throw linkFailure(error);
    } finally {
      if (number === this.#taken) this.#last = undefined;
    }
  }
}
