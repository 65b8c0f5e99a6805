/** What a keyboard's events become on a machine: text to type, or keys to press. */

export interface Typed {
  readonly text?: string;
  readonly keys?: readonly string[];
}

const named: Readonly<Record<string, string>> = {
  Backspace: 'backspace',
  Delete: 'delete',
  Escape: 'escape',
  Tab: 'tab',
  Home: 'home',
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

export function typedBy({
  key,
  ctrlKey,
  altKey,
}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey'>): Typed | undefined {
  if (key === 'Enter') return { text: '\n' };
  if (key.length === 1 && !ctrlKey && !altKey) return { text: key };
  const plain =
    named[key] ?? (/^F\d{1,2}$/.test(key) ? key.toLowerCase() : key.length === 1 ? key.toLowerCase() : undefined);
  if (plain === undefined) return undefined;
  return { keys: [...(ctrlKey ? ['ctrl'] : []), ...(altKey ? ['alt'] : []), plain] };
}

/** What waits to be sent: characters in a hurry go together, in order with everything else. */
export class TypingQueue {
  readonly #send: (typed: Typed) => Promise<void>;
  #waiting: Typed[] = [];
  #isSending = false;

  constructor(send: (typed: Typed) => Promise<void>) {
    this.#send = send;
  }

  add(typed: Typed): void {
    const last = this.#waiting.at(-1);
    if (last?.text !== undefined && typed.text !== undefined) {
      this.#waiting[this.#waiting.length - 1] = { text: last.text + typed.text };
    } else this.#waiting.push(typed);
    void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) await this.#send(next);
    this.#isSending = false;
  }
}
