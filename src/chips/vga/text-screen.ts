import type { VgaState } from './fields.ts';
import { isGraphics, memoryAddress } from './picture.ts';
import { crtc } from './registers.ts';
import { shownCharacters, shownLines } from './timing.ts';

/** What a text mode shows: codes of code page 437 and attributes, row by row. */
export interface VgaText {
  readonly columns: number;
  readonly rows: number;
  readonly codes: Uint8Array;
  readonly attributes: Uint8Array;
  /** Undefined while it is hidden or off the screen. */
  readonly cursor?: { readonly column: number; readonly row: number } | undefined;
}

/** Undefined in a graphics mode. */
export function readText(s: VgaState, planes: Int32Array, start: number): VgaText | undefined {
  if (isGraphics(s)) return undefined;
  const columns = shownCharacters(s);
  const rows = Math.floor(shownLines(s) / ((crtc(s, 9) & 0x1f) + 1));
  const stride = crtc(s, 0x13) * 2;
  const codes = new Uint8Array(columns * rows);
  const attributes = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const cell = planes[memoryAddress(s, (start + row * stride + column) & 0xffff, 0)];
      codes[row * columns + column] = cell;
      attributes[row * columns + column] = cell >> 8;
    }
  return { columns, rows, codes, attributes, cursor: cursor(s, start, stride, columns, rows) };
}

function cursor(s: VgaState, start: number, stride: number, columns: number, rows: number) {
  if ((crtc(s, 0x0a) & 0x20) !== 0 || stride === 0) return undefined;
  const offset = (((crtc(s, 0x0e) << 8) | crtc(s, 0x0f)) - start) & 0xffff;
  const row = Math.floor(offset / stride);
  const column = offset % stride;
  return row < rows && column < columns ? { column, row } : undefined;
}
