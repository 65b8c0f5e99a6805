import type { ServerResponse } from 'node:http';

/**
 * How long a request and its answer last: until it is answered, or its connection is gone. Node does not tell an answer
 * that waits its turn on a connection of that connection's end.
 */
export class Lifetime {
  readonly #listeners: (() => void)[] = [];
  #isOver = false;

  constructor(res: ServerResponse) {
    const { socket } = res.req;
    const end = () => {
      res.off('close', end);
      socket.off('close', end);
      if (this.#isOver) return;
      this.#isOver = true;
      for (const listener of this.#listeners) listener();
    };
    res.on('close', end);
    socket.on('close', end);
    if (socket.destroyed) end();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Calls back once, at once if it is over already. */
  onOver(listener: () => void): void {
    if (this.#isOver) listener();
    else this.#listeners.push(listener);
  }
}
