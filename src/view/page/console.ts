import type { PageCommand, PageTerminal } from '../channel.ts';
import { terminalButtons } from './buttons.ts';
import { element } from './element.ts';
import { TerminalPainter } from './terminal.ts';
import { pasteText, terminalText } from './terminal-keys.ts';

/** The server takes so much at once. */
const mostChars = 8000;

/** A console as a terminal: shows its screen, sends what is typed. */
export class Console {
  readonly #send: (command: PageCommand) => void;
  readonly #painter: TerminalPainter;
  #modes = { applicationCursorKeys: false, bracketedPaste: false };

  constructor(place: HTMLElement, send: (command: PageCommand) => void) {
    this.#send = send;
    this.#painter = new TerminalPainter(place);
    place.tabIndex = 0;
    place.addEventListener('keydown', (event) => {
      if (event.isComposing) return;
      const text = terminalText(event, this.#modes.applicationCursorKeys);
      if (text === undefined) return;
      event.preventDefault();
      this.#type(text);
    });
    place.addEventListener('paste', (event) => {
      event.preventDefault();
      this.#type(pasteText(event.clipboardData?.getData('text/plain') ?? '', this.#modes.bracketedPaste));
    });
  }

  /** Another console is shown from now on. */
  open(): void {
    this.#painter.clear();
    element('keys', HTMLElement).replaceChildren(
      ...terminalButtons(
        (text) => this.#type(text),
        () => this.#send({ type: 'break' }),
      ),
    );
  }

  paint(terminal: PageTerminal): void {
    this.#modes = terminal;
    this.#painter.paint(terminal);
  }

  #type(text: string): void {
    for (let at = 0; at < text.length; at += mostChars)
      this.#send({ type: 'type', text: text.slice(at, at + mostChars) });
  }
}
