import type { IndexedPicture } from '../../machine/screen.ts';
import { glyph, glyphHeight, glyphWidth } from './font.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Room that a character takes with the gap after it. */
export const cellWidth = glyphWidth + 1;
export const cellHeight = glyphHeight + 2;

/** A picture to draw on, in colours of a palette. What lies outside is not drawn. */
export class Canvas implements IndexedPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  readonly palette: Uint8Array;

  /** All in colour 0 at first. */
  constructor(width: number, height: number, palette: Uint8Array) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint8Array(width * height);
    this.palette = palette;
  }

  dot(x: number, y: number, colour: number): void {
    if (x >= 0 && x < this.width && y >= 0 && y < this.height) this.pixels[y * this.width + x] = colour;
  }

  fill(x: number, y: number, width: number, height: number, colour: number): void {
    for (let row = y; row < y + height; row++) {
      for (let column = x; column < x + width; column++) this.dot(column, row, colour);
    }
  }

  frame(x: number, y: number, width: number, height: number, colour: number): void {
    this.fill(x, y, width, 1, colour);
    this.fill(x, y + height - 1, width, 1, colour);
    this.fill(x, y, 1, height, colour);
    this.fill(x + width - 1, y, 1, height, colour);
  }

  text(x: number, y: number, text: string, colour: number): void {
    let left = x;
    for (const character of text) {
      for (const [row, bits] of glyph(character).entries()) {
        for (let column = 0; column < glyphWidth; column++) {
          if (bits & (1 << (glyphWidth - 1 - column))) this.dot(left + column, y + row, colour);
        }
      }
      left += cellWidth;
    }
  }

  line(from: Point, to: Point, colour: number): void {
    const steps = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y), 1);
    for (let step = 0; step <= steps; step++) {
      const part = step / steps;
      this.dot(Math.round(from.x + (to.x - from.x) * part), Math.round(from.y + (to.y - from.y) * part), colour);
    }
  }

  /** A small triangle with its tip at `to`. */
  arrowHead(from: Point, to: Point, colour: number): void {
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
    for (let back = 0; back <= 6; back++) {
      const half = back / 2.5;
      const middle = { x: to.x - along.x * back, y: to.y - along.y * back };
      this.line(
        { x: middle.x - along.y * half, y: middle.y + along.x * half },
        { x: middle.x + along.y * half, y: middle.y - along.x * half },
        colour,
      );
    }
  }
}
