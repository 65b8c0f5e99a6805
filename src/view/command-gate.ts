/** What a page may ask for in a second, and at once after a rest; a movement of the mouse costs one. */
const perSecond = 500;
const mostSaved = 500;
/** Commands that have begun and not ended: some wait for the machine. */
const mostUnderWay = 128;
/** Commands that have arrived and not begun. What has no room is still in the socket. */
const mostWaiting = 20_000;
const retryMs = 20;
/** How long commands may be begun in one go. */
const longestMs = 5;

/** What is read from, as far as the gate is concerned. */
export interface GatedSocket {
  pause(): void;
  resume(): void;
  terminate(): void;
}

/**
 * Lets a page's commands through one after the other, and no more of them than a person's hands can make. What comes too
 * fast waits, in the end at the other side; nothing is left out.
 */
export class CommandGate<Command> {
  readonly #socket: GatedSocket;
  readonly #costOf: (command: Command) => number;
  readonly #obey: (command: Command) => Promise<void>;
  #waiting: Command[] = [];
  #underWay = 0;
  #saved = mostSaved;
  #at = performance.now();
  #timer: NodeJS.Timeout | undefined;

  /** `obey` never rejects. */
  constructor(socket: GatedSocket, costOf: (command: Command) => number, obey: (command: Command) => Promise<void>) {
    this.#socket = socket;
    this.#costOf = costOf;
    this.#obey = obey;
  }

  /** Nothing is read now. */
  get isClosed(): boolean {
    return this.#timer !== undefined;
  }

  take(command: Command): void {
    this.#waiting.push(command);
    if (this.#waiting.length > mostWaiting) this.#socket.terminate();
    else if (this.#timer === undefined) this.#letThrough();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
  }

  #letThrough(): void {
    const wasClosed = this.#timer !== undefined;
    this.#timer = undefined;
    const now = performance.now();
    this.#saved = Math.min(mostSaved, this.#saved + ((now - this.#at) * perSecond) / 1000);
    this.#at = now;
    let begun = 0;
    for (const command of this.#waiting) {
      if (this.#saved < 0 || this.#underWay >= mostUnderWay || performance.now() - now > longestMs) break;
      this.#saved -= this.#costOf(command);
      this.#underWay++;
      begun++;
      void this.#obey(command).finally(() => this.#underWay--);
    }
    this.#waiting.splice(0, begun);
    if (this.#waiting.length === 0) {
      if (wasClosed) this.#socket.resume();
      return;
    }
    if (!wasClosed) this.#socket.pause();
    this.#timer = setTimeout(() => this.#letThrough(), retryMs);
  }
}
