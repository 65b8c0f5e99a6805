import { encodePng } from '../../formats/png.ts';
import type { Picture } from '../../machine/screen.ts';
import { shrunk } from '../picture/shrunk.ts';

/** Machines that start, and calls that change nothing to be seen, show the same again. */
const mostKept = 4;
/** Larger ones would take more room than the time is worth. */
const mostBytes = 512 * 1024;

/** Pictures in small as PNG; what looks as one of the last did is not drawn again. */
export class SmallPictures {
  readonly #widest: number;
  #drawn: readonly { readonly picture: Picture; readonly png: Promise<Uint8Array> }[] = [];

  constructor(widest: number) {
    this.#widest = widest;
  }

  draw(picture: Picture): Promise<Uint8Array> {
    const known = this.#drawn.find((each) => isSame(each.picture, picture));
    if (known) return known.png;
    const png = encodePng(shrunk(picture, this.#widest), 1);
    if (partsOf(picture).every(({ length }) => length <= mostBytes)) {
      this.#drawn = [{ picture: copyOf(picture), png }, ...this.#drawn.slice(0, mostKept - 1)];
    }
    return png;
  }
}

function isSame(one: Picture, other: Picture): boolean {
  if (one.width !== other.width || one.height !== other.height) return false;
  const [parts, others] = [partsOf(one), partsOf(other)];
  return (
    parts.length === others.length &&
    parts.every((part, index) => Buffer.compare(part, others[index] ?? new Uint8Array()) === 0)
  );
}

function partsOf(picture: Picture): readonly Uint8Array[] {
  return 'rgb' in picture ? [picture.rgb] : [picture.palette, picture.pixels];
}

/** A machine may draw on in the one it gave away. */
function copyOf(picture: Picture): Picture {
  const { width, height } = picture;
  if ('rgb' in picture) return { width, height, rgb: picture.rgb.slice() };
  return { width, height, pixels: picture.pixels.slice(), palette: picture.palette.slice() };
}
