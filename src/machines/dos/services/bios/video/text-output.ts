import type { Guest } from '../../guest.ts';
import type { VideoBios } from './video-bios.ts';

/** A character of a text mode, beside one that is drawn. */
const effortOfCell = 0.1;

/** A window of character cells. */
export interface CellWindow {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** Moves a window up (or down) by so many rows, all of it with 0, and fills what is left with blanks. */
export function scroll(
  video: VideoBios,
  page: number,
  window: CellWindow,
  rows: number,
  up: boolean,
  attribute: number,
): void {
  const right = Math.min(window.right, video.columns - 1);
  const bottom = Math.min(window.bottom, video.rows - 1);
  const { top, left } = window;
  if (top > bottom || left > right) return;
  const height = bottom - top + 1;
  const distance = rows === 0 || rows > height ? height : rows;
  for (let i = 0; i < height; i++) {
    const to = up ? top + i : bottom - i;
    const from = up ? to + distance : to - distance;
    if (from >= top && from <= bottom) copyRow(video, page, from, to, left, right);
    else clearRow(video, page, to, left, right, attribute);
  }
}

function copyRow(video: VideoBios, page: number, from: number, to: number, left: number, right: number): void {
  if (video.mode.layout !== 'text') {
    video.page(page).copyRow(from, to, left, right, video.characterHeight);
    return;
  }
  const cells = video.memory.bytes(video.cellAddress(page, from, left), (right - left + 1) * 2);
  video.memory.write(video.cellAddress(page, to, left), cells);
}

function clearRow(video: VideoBios, page: number, row: number, left: number, right: number, attribute: number): void {
  if (video.mode.layout !== 'text') {
    video.page(page).clearRow(row, left, right, video.characterHeight, attribute);
    return;
  }
  for (let column = left; column <= right; column++)
    video.memory.write16(video.cellAddress(page, row, column), (attribute << 8) | 0x20);
}

/** CX characters from the cursor on, which stays; attribute undefined leaves those that are there (text modes). */
export function writeCharacters(
  video: VideoBios,
  guest: Guest,
  page: number,
  code: number,
  attribute: number | undefined,
): 'done' | 'again' {
  const { row, column } = video.cursor(page);
  const { columns, rows } = video;
  const start = row * columns + column;
  const count = Math.max(0, Math.min(guest.cx, rows * columns - start));
  return video.writeMany(guest, page, count, (index) => {
    const at = start + index;
    putCharacter(video, page, Math.floor(at / columns), at % columns, code, attribute);
    return video.mode.layout === 'text' ? effortOfCell : 1;
  }).outcome;
}

export function putCharacter(
  video: VideoBios,
  page: number,
  row: number,
  column: number,
  code: number,
  attribute: number | undefined,
): void {
  if (video.mode.layout !== 'text') {
    video.page(page).drawCharacter(video.glyph(code), column, row, attribute ?? 7);
    return;
  }
  const at = video.cellAddress(page, row, column);
  if (attribute === undefined) video.memory.write8(at, code);
  else video.memory.write16(at, (attribute << 8) | code);
}

/** The character and attribute under the cursor; a graphics mode finds it among its glyphs, or gives 0. */
export function readCharacter(video: VideoBios, page: number): { readonly code: number; readonly attribute: number } {
  const { row, column } = video.cursor(page);
  if (video.mode.layout === 'text') {
    const word = video.memory.read16(video.cellAddress(page, row, column));
    return { code: word & 0xff, attribute: word >> 8 };
  }
  const cell = video.page(page).readCell(column, row, video.characterHeight);
  for (let code = 0; code < 256; code++)
    if (video.glyph(code).every((bits, line) => bits === cell[line])) return { code, attribute: 0 };
  return { code: 0, attribute: 0 };
}

/** One character as a teletype prints it: with carriage return, line feed, backspace, and scrolling at the end. */
export function teletype(video: VideoBios, page: number, code: number, attribute: number | undefined): void {
  let { row, column } = video.cursor(page);
  if (code === 7) return;
  if (code === 8) column = Math.max(0, column - 1);
  else if (code === 13) column = 0;
  else if (code === 10) row++;
  else {
    putCharacter(video, page, row, column, code, attribute);
    if (++column >= video.columns) {
      column = 0;
      row++;
    }
  }
  if (row >= video.rows) {
    row = video.rows - 1;
    const text = video.mode.layout === 'text';
    const fill = text ? video.memory.read8(video.cellAddress(page, row, column) + 1) : 0;
    scroll(video, page, { top: 0, left: 0, bottom: row, right: video.columns - 1 }, 1, true, fill);
  }
  video.moveCursor(page, row, column);
}
