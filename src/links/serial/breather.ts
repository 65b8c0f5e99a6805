import type { ByteConnection } from '../byte-link.ts';

/** A command in every second byte takes some thirty milliseconds then; Node reads thirty times as much in one turn. */
const mostBytes = 32 * 1024;

/** Has a connection wait for its next turn when much of what it brought was work, whoever sends it without end. */
export class Breather {
  readonly #inner: Pick<ByteConnection, 'pause' | 'resume'>;
  #bytes = 0;
  #isPaused = false;
  #isResting = false;

  constructor(inner: Pick<ByteConnection, 'pause' | 'resume'>) {
    this.#inner = inner;
  }

  pause(): void {
    this.#isPaused = true;
    this.#inner.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (!this.#isResting) this.#inner.resume();
  }

  /** So many bytes were looked at one by one. */
  worked(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < mostBytes || this.#isResting) return;
    this.#bytes = 0;
    this.#isResting = true;
    this.#inner.pause();
    setImmediate(() => {
      this.#isResting = false;
      if (!this.#isPaused) this.#inner.resume();
    });
  }
}
