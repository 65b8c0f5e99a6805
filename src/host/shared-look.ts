/**
 * A look at something that takes a while, for many who ask: one at a time, and everybody is told what was seen by a look that began after they
 * asked.
 */
export class SharedLook<T> {
  readonly #look: () => Promise<T>;
  #current: Promise<T> | undefined;
  #following: Promise<T> | undefined;

  constructor(look: () => Promise<T>) {
    this.#look = look;
  }

  next(): Promise<T> {
    if (this.#current === undefined) return this.#begin();
    const begin = () => this.#begin();
    this.#following ??= this.#current.then(begin, begin);
    return this.#following;
  }

  #begin(): Promise<T> {
    this.#following = undefined;
    const look = this.#look().finally(() => {
      if (this.#current === look) this.#current = undefined;
    });
    this.#current = look;
    return look;
  }
}
