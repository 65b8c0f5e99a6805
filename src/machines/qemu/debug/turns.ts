import { linkFailure } from './link-failure.ts';

/** One action after the other, in the order they came; what the links throw comes out in words for agents. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(action: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(action).catch((error: unknown) => {
      throw linkFailure(error);
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
