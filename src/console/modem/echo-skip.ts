const lineFeed = 0x0a;
/** Where nothing is echoed the first bytes wait no longer. */
const patienceMs = 700;

/**
 * Keeps the echo of a typed command from the program that is to hear what the command says: letters of it would be taken
 * for letters of the protocol. Passes on what follows the first line end.
 */
export class EchoSkip {
  readonly #pass: (bytes: Uint8Array) => void;
  readonly #typed: Buffer;
  #held: Uint8Array[] | undefined = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(pass: (bytes: Uint8Array) => void, typed: Uint8Array = new Uint8Array()) {
    this.#pass = pass;
    this.#typed = Buffer.from(typed);
  }

  hear(bytes: Uint8Array): void {
    if (!this.#held) {
      this.#pass(bytes);
      return;
    }
    this.#timer ??= setTimeout(() => this.#open(), patienceMs);
    const end = bytes.indexOf(lineFeed);
    if (end < 0) {
      this.#held.push(Buffer.from(bytes));
      return;
    }
    this.stop();
    if (end + 1 < bytes.length) this.#pass(bytes.subarray(end + 1));
  }

  /** What is held is dropped. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#held = undefined;
  }

  #open(): void {
    const held = this.#held ?? [];
    // The echo of a busy computer comes in pieces, with pauses of any length.
    if (this.#isEcho(Buffer.concat(held))) {
      this.#timer = setTimeout(() => this.#open(), patienceMs);
      return;
    }
    this.stop();
    for (const bytes of held) this.#pass(bytes);
  }

  #isEcho(held: Buffer): boolean {
    const shown = held.subarray(0, this.#typed.length);
    return shown.length > 0 && this.#typed.subarray(0, shown.length).equals(shown);
  }
}
