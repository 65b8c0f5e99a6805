import { element } from './element.ts';

const troubleMs = 8000;

/** The lines below the screen: how the machine is, what is being typed, what went wrong. */
export class Notices {
  readonly #state = element('state', HTMLElement);
  readonly #announcement = element('announcement', HTMLElement);
  readonly #trouble = element('trouble', HTMLElement);
  readonly #typing = element('typing', HTMLElement);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The line counts on and on; what is read aloud of it is `short`, when that is new. */
  state(line: string, short: string): void {
    this.#state.textContent = line;
    if (this.#announcement.textContent !== short) this.#announcement.textContent = short;
  }

  trouble(text: string): void {
    this.#trouble.textContent = text;
    this.#trouble.hidden = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#trouble.hidden = true;
    }, troubleMs);
  }

  typing(typed: number, total: number): void {
    const [count] = this.#typing.children;
    if (count) count.textContent = `Typing: ${typed.toLocaleString()} of ${total.toLocaleString()} characters`;
    this.#typing.hidden = false;
  }

  typingIsOver(): void {
    this.#typing.hidden = true;
  }
}
