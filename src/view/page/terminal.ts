import type { PageTerminal, ScrolledPart, TerminalPiece } from '../channel.ts';

const basic = [
  ['#1d1f24', '#e0524f', '#6cb86a', '#d9b04c', '#5b8fd9', '#b577c9', '#4fb0b5', '#d4d3cc'],
  ['#6b6e76', '#ff7a70', '#8fdc8a', '#ffd76b', '#86b3ff', '#d9a0ea', '#77d8dc', '#ffffff'],
].flat();
const steps = [0, 95, 135, 175, 215, 255];

/**
 * Shows what a console's terminal shows, below what has left it. Guest text only ever becomes the text of an element.
 * Who has scrolled back stays there; who has not stays at the end.
 */
export class TerminalPainter {
  readonly #place: HTMLElement;
  readonly #scrolled = document.createElement('div');
  readonly #screen = document.createElement('div');
  /** The number of the first line that has left. */
  #first = 0;
  #rows: { readonly element: HTMLElement; look: string }[] = [];
  #isFollowing = true;

  /** `scrolled` is told whether who looks is at the end. */
  constructor(place: HTMLElement, scrolled: (isAtEnd: boolean) => void) {
    this.#place = place;
    place.addEventListener('scroll', () => {
      this.#isFollowing = this.#isAtEnd;
      scrolled(this.#isFollowing);
    });
    // Full screen has larger letters.
    new ResizeObserver(() => {
      if (this.#isFollowing) this.goToEnd();
    }).observe(place);
    this.#screen.className = 'rows';
    this.#scrolled.className = 'rows scrolled';
  }

  get #isAtEnd(): boolean {
    const { scrollHeight, scrollTop, clientHeight } = this.#place;
    return scrollHeight - scrollTop - clientHeight < 4;
  }

  goToEnd(): void {
    this.#isFollowing = true;
    this.#place.scrollTop = this.#place.scrollHeight;
  }

  /** Up or down by a page, less a line to go on reading from. */
  turnPage(direction: -1 | 1): void {
    const line = this.#screen.firstElementChild?.clientHeight ?? 0;
    this.#place.scrollTop += direction * (this.#place.clientHeight - line);
    // Output may be painted before the browser tells of the scrolling.
    this.#isFollowing = this.#isAtEnd;
  }

  paint({ columns, rows, lines, cursor, scrolled }: PageTerminal): void {
    this.#place.style.setProperty('--columns', String(columns));
    this.#place.style.setProperty('--rows', String(rows));
    if (!this.#screen.isConnected) this.#place.replaceChildren(this.#scrolled, this.#screen);
    this.#scroll(scrolled);
    if (this.#rows.length !== rows) {
      this.#rows = Array.from({ length: rows }, () => ({ element: document.createElement('div'), look: '' }));
      this.#screen.replaceChildren(...this.#rows.map(({ element }) => element));
    }
    for (const [index, row] of this.#rows.entries()) {
      const column = cursor.visible && cursor.row === index ? cursor.column : undefined;
      const pieces = lines[index] ?? [];
      const look = JSON.stringify([pieces, column]);
      if (look === row.look) continue;
      row.look = look;
      row.element.replaceChildren(...pieces.map(span), ...(column === undefined ? [] : [caret(column)]));
    }
    if (this.#isFollowing) this.goToEnd();
    this.#place.dataset.painted = String(Number(this.#place.dataset.painted ?? 0) + 1);
  }

  clear(): void {
    this.#rows = [];
    this.#isFollowing = true;
    this.#first = 0;
    this.#scrolled.replaceChildren();
    this.#screen.replaceChildren();
    this.#place.replaceChildren();
  }

  #scroll({ start, first, lines }: ScrolledPart): void {
    const { scrollTop } = this.#place;
    const before = this.#scrolled.clientHeight;
    for (; this.#first < start && this.#scrolled.firstElementChild; this.#first++) {
      this.#scrolled.firstElementChild.remove();
    }
    const lost = before - this.#scrolled.clientHeight;
    if (!this.#scrolled.firstElementChild) this.#first = first;
    this.#scrolled.append(
      ...lines.map((pieces) => {
        const row = document.createElement('div');
        row.append(...pieces.map(span));
        return row;
      }),
    );
    // What is looked at stays where it is.
    if (lost > 0) this.#place.scrollTop = scrollTop - lost;
  }
}

function span(piece: TerminalPiece): HTMLElement {
  const element = document.createElement('span');
  element.textContent = piece.text;
  element.className = piece.attributes.join(' ');
  element.style.width = `${piece.cells}ch`;
  const isInverse = piece.attributes.includes('inverse');
  const [front, back] = [cssColour(piece.foreground), cssColour(piece.background)];
  element.style.color = (isInverse ? (back ?? 'var(--screen)') : front) ?? '';
  element.style.background = (isInverse ? (front ?? 'var(--ink)') : back) ?? '';
  return element;
}

function caret(column: number): HTMLElement {
  const element = document.createElement('i');
  element.style.left = `${column}ch`;
  return element;
}

function cssColour(colour: number | string | undefined): string | undefined {
  if (typeof colour !== 'number') return colour;
  if (colour < 16) return basic[colour];
  if (colour >= 232) return grey(8 + (colour - 232) * 10);
  const at = colour - 16;
  return `rgb(${[Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((step) => steps[step] ?? 0).join(' ')})`;
}

function grey(level: number): string {
  return `rgb(${level} ${level} ${level})`;
}
