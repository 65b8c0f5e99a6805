import type { PageCommand, PageTerminal } from '../channel.ts';
import { terminalButtons } from './buttons.ts';
import { element } from './element.ts';
import { TerminalPainter } from './terminal.ts';
import { pasteText, terminalText } from './terminal-keys.ts';

/** The server takes so much at once. */
const mostChars = 8000;

/** A console as a terminal: shows its screen and what has left it, sends what is typed. */
export class Console {
  readonly #send: (command: PageCommand) => void;
  readonly #painter: TerminalPainter;
  readonly #newest = element('newest', HTMLButtonElement);
  #modes = { applicationCursorKeys: false, bracketedPaste: false };

  constructor(place: HTMLElement, send: (command: PageCommand) => void) {
    this.#send = send;
    this.#painter = new TerminalPainter(place, (isAtEnd) => {
      this.#newest.hidden = isAtEnd;
    });
    place.tabIndex = 0;
    place.addEventListener('keydown', (event) => this.#press(event));
    this.#newest.onclick = () => {
      this.#painter.goToEnd();
      place.focus();
    };
  }

  /** Another console is shown from now on. */
  open(): void {
    this.close();
    element('keys', HTMLElement).replaceChildren(
      ...terminalButtons(
        (text) => this.#type(text),
        () => this.#send({ type: 'break' }),
      ),
    );
  }

  close(): void {
    this.#painter.clear();
    this.#newest.hidden = true;
  }

  paint(terminal: PageTerminal): void {
    this.#modes = terminal;
    this.#painter.paint(terminal);
  }

  paste(text: string): void {
    this.#type(pasteText(text, this.#modes.bracketedPaste));
  }

  #press(event: KeyboardEvent): void {
    if (event.isComposing || event.defaultPrevented) return;
    const isPageKey = event.key === 'PageUp' || event.key === 'PageDown';
    // As terminals have it: with Shift these are for who looks, not for the guest.
    if (isPageKey && event.shiftKey && !event.ctrlKey && !event.altKey) {
      event.preventDefault();
      this.#painter.turnPage(event.key === 'PageUp' ? -1 : 1);
      return;
    }
    const text = terminalText(event, this.#modes.applicationCursorKeys);
    if (text === undefined) return;
    event.preventDefault();
    this.#type(text);
  }

  #type(text: string): void {
    this.#painter.goToEnd();
    for (let at = 0; at < text.length; at += mostChars)
      this.#send({ type: 'type', text: text.slice(at, at + mostChars) });
  }
}
