import type { PageTerminal, TerminalPiece } from '../channel.ts';

const basic = [
  ['#1d1f24', '#e0524f', '#6cb86a', '#d9b04c', '#5b8fd9', '#b577c9', '#4fb0b5', '#d4d3cc'],
  ['#6b6e76', '#ff7a70', '#8fdc8a', '#ffd76b', '#86b3ff', '#d9a0ea', '#77d8dc', '#ffffff'],
].flat();
const steps = [0, 95, 135, 175, 215, 255];

/** Shows what a console's terminal shows. Guest text only ever becomes the text of an element. */
export class TerminalPainter {
  readonly #place: HTMLElement;
  #rows: { readonly element: HTMLElement; look: string }[] = [];

  constructor(place: HTMLElement) {
    this.#place = place;
  }

  paint({ columns, rows, lines, cursor }: PageTerminal): void {
    this.#place.style.setProperty('--columns', String(columns));
    this.#place.style.setProperty('--rows', String(rows));
    if (this.#rows.length !== rows) {
      this.#rows = Array.from({ length: rows }, () => ({ element: document.createElement('div'), look: '' }));
      this.#place.replaceChildren(...this.#rows.map(({ element }) => element));
    }
    for (const [index, row] of this.#rows.entries()) {
      const column = cursor.visible && cursor.row === index ? cursor.column : undefined;
      const pieces = lines[index] ?? [];
      const look = JSON.stringify([pieces, column]);
      if (look === row.look) continue;
      row.look = look;
      row.element.replaceChildren(...pieces.map(span), ...(column === undefined ? [] : [caret(column)]));
    }
    this.#place.dataset.painted = String(Number(this.#place.dataset.painted ?? 0) + 1);
  }

  clear(): void {
    this.#rows = [];
    this.#place.replaceChildren();
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
  element.style.background = (isInverse ? (front ?? 'var(--text)') : back) ?? '';
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
