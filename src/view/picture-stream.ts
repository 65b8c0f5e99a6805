import { setImmediate } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import type { PagePicture } from './channel.ts';
import { type PictureBand, xorInto } from './frames.ts';

/** Pixels of one band before they are compressed: not more than may be under way, whatever they look like. */
const bandBytes = 32 * 1024;
/** Pictures up to this size go in one band where that makes a small message: each band is work at both ends. */
const mostInOne = 256 * 1024;
const smallMessage = 8 * 1024;
/** After a picture that was more, so many go in bands before that is tried again. */
const picturesInBands = 25;
/** Compressed in one go: a band takes a fraction of a millisecond, less than a thread would be waited for. */
const bandsAtOnce = 8;

export interface PictureOutlet {
  room(): Promise<void>;
  band(band: PictureBand): void;
}

/**
 * Pictures for one viewer, as what has changed since the last one, in bands of some rows. Of pictures that come while one
 * is still on its way, the newest is sent next and the others never.
 */
export class PictureStream {
  readonly #outlet: PictureOutlet;
  /** What the viewer has when all that was sent has arrived. */
  #shown: PagePicture | undefined;
  #next: PagePicture | undefined;
  #isSending = false;
  #era = 0;
  /** Pictures to come before it is tried again to send one in one band. */
  #inBands = 0;

  constructor(outlet: PictureOutlet) {
    this.#outlet = outlet;
  }

  /** Whether another picture would be sent soon. */
  get isIdle(): boolean {
    return !this.#isSending;
  }

  /** Another screen is shown from now on. */
  restart(): void {
    this.#era++;
    this.#shown = undefined;
    this.#next = undefined;
  }

  offer(picture: PagePicture): void {
    this.#next = picture;
    if (!this.#isSending) void this.#send();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    for (let picture = this.#take(); picture; picture = this.#take()) await this.#sendOne(picture);
    this.#isSending = false;
  }

  #take(): PagePicture | undefined {
    const picture = this.#next;
    this.#next = undefined;
    return picture;
  }

  async #sendOne(picture: PagePicture): Promise<void> {
    const era = this.#era;
    const { width, height, palette, pixels } = picture;
    const before = this.#shown && isAlike(this.#shown, picture) ? this.#shown : undefined;
    const depth = palette.length === 0 ? 3 : 1;
    const rowBytes = width * depth;
    const rows = Math.max(1, Math.floor(bandBytes / rowBytes));
    const changed = Array.from({ length: Math.ceil(height / rows) }, (_, index) => index * rows).filter(
      (row) => !before || !isSame(before.pixels, pixels, row * rowBytes, (row + rows) * rowBytes),
    );
    const hasNewPalette = !before || !isSame(before.palette, palette);
    const deflatedRows = (first: number, count: number) =>
      deflateRawSync(xor(before?.pixels, pixels, first * rowBytes, Math.min(height, first + count) * rowBytes), {
        level: 1,
      });
    const first = changed[0] ?? height;
    const span = (changed.at(-1) ?? height) + rows - first;
    const isOne = changed.length > 1 && span * rowBytes <= mostInOne;
    const whole = isOne ? this.#small(() => deflatedRows(first, span)) : undefined;
    // A change of colours alone is told with an empty band.
    const bands = whole ? [first] : changed.length > 0 ? changed : hasNewPalette ? [height] : [];
    for (const [index, row] of bands.entries()) {
      const deflated = whole ?? deflatedRows(row, rows);
      if (index % bandsAtOnce === bandsAtOnce - 1) await setImmediate();
      await this.#outlet.room();
      if (era !== this.#era) return;
      const isFirst = !before && index === 0;
      const isLast = index === bands.length - 1;
      const colours = hasNewPalette && index === 0 ? palette : new Uint8Array();
      this.#outlet.band({ width, height, depth, isFirst, isLast, row, palette: colours, deflated });
    }
    this.#shown = picture;
  }

  /** Nothing if it is not, or was not of late. */
  #small(deflated: () => Uint8Array): Uint8Array | undefined {
    if (this.#inBands-- > 0) return undefined;
    const message = deflated();
    const isSmall = message.length <= smallMessage;
    this.#inBands = isSmall ? 0 : picturesInBands;
    return isSmall ? message : undefined;
  }
}

function isAlike(a: PagePicture, b: PagePicture): boolean {
  return a.width === b.width && a.height === b.height && a.pixels.length === b.pixels.length;
}

function isSame(a: Uint8Array, b: Uint8Array, start = 0, end = Number.POSITIVE_INFINITY): boolean {
  return Buffer.compare(a.subarray(start, end), b.subarray(start, end)) === 0;
}

function xor(before: Uint8Array | undefined, now: Uint8Array, start: number, end: number): Uint8Array {
  // A copy also of a Buffer, whose own `slice` is none: the picture is what the next one is compared with.
  const difference = new Uint8Array(now.subarray(start, end));
  if (before) xorInto(difference, before.subarray(start, end));
  return difference;
}
