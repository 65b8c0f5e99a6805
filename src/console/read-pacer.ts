const windowMs = 3;
/** More reads than this in a window, all of them crumbs, look like a flood. */
const calmReads = 8;
const crumbBytes = 512;
/** A rest was worth it when so many times more came in one piece. */
const worthFactor = 2;
/** So much at once is no crumbs any more. */
const fullBytes = 32 * 1024;
/** How long reading is left alone after a rest that gathered nothing; doubled each time in a row. */
const firstPointlessMs = 3;
const maxPointlessMs = 50;

/**
 * Lets crumbs gather before they are read. A 16550 under emulation delivers 15,000 chunks of 7 bytes a second, and
 * waking up for each costs far more than the bytes do; during such a flood the link is read every 3 ms. A machine
 * that waits for an answer to each byte looks the same at first, but nothing gathers while we rest: it is left alone.
 */
export class ReadPacer {
  readonly #rest: () => void;
  readonly #goOn: () => void;
  #timer: NodeJS.Timeout | undefined;
  #windowStart = 0;
  #reads = 0;
  #bytes = 0;
  /** The mean size of a read before the rest that just ended. */
  #bytesBeforeRest: number | undefined;
  #leaveAloneUntil = 0;
  #pointlessMs = firstPointlessMs;
  #stopped = false;

  constructor(rest: () => void, goOn: () => void) {
    this.#rest = rest;
    this.#goOn = goOn;
  }

  /** To be called after each read. */
  arrived(bytes: number): void {
    if (this.#timer || this.#stopped) return;
    const now = performance.now();
    const before = this.#bytesBeforeRest;
    this.#bytesBeforeRest = undefined;
    if (before !== undefined) {
      if (bytes >= worthFactor * before && bytes < fullBytes) {
        this.#pointlessMs = firstPointlessMs;
        this.#beginRest(before);
      } else {
        this.#leaveAloneUntil = now + this.#pointlessMs;
        this.#pointlessMs = Math.min(2 * this.#pointlessMs, maxPointlessMs);
      }
      return;
    }
    if (now - this.#windowStart > windowMs) {
      this.#windowStart = now;
      this.#reads = 0;
      this.#bytes = 0;
    }
    this.#reads++;
    this.#bytes += bytes;
    const mean = this.#bytes / this.#reads;
    if (this.#reads > calmReads && mean < crumbBytes && now >= this.#leaveAloneUntil) this.#beginRest(mean);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #beginRest(meanBytes: number): void {
    this.#rest();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#bytesBeforeRest = meanBytes;
      this.#goOn();
    }, windowMs);
  }
}
