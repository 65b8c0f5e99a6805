import type { PagePicture } from '../channel.ts';

/** From this width on a picture has letters that suffer from uneven scaling. */
const finePixels = 640;

/** Paints pictures as they come, pixels turned into what a canvas holds. */
export class PicturePainter {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  /** What has to make room for it. */
  readonly #view: HTMLElement | null;
  #image: ImageData | undefined;
  /** Pictures painted so far, for whoever wants to know the rate. */
  painted = 0;

  constructor(canvas: HTMLCanvasElement) {
    const context = canvas.getContext('2d', { alpha: false });
    if (!context) throw new Error('this browser does not support canvas');
    this.#canvas = canvas;
    this.#context = context;
    this.#view = canvas.closest<HTMLElement>('.machine-view');
  }

  /** Another machine is shown from now on. */
  clear(): void {
    this.#context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
  }

  /** Paints these rows of it; of a picture with other colours, or of another size, all. */
  paint(
    { width, height, palette, pixels }: PagePicture,
    { row, rows }: { readonly row: number; readonly rows: number },
  ): void {
    if (this.#image?.width !== width || this.#image.height !== height) {
      this.#canvas.width = width;
      this.#canvas.height = height;
      this.#image = this.#context.createImageData(width, height);
      this.#view?.style.setProperty('--ratio', String(width / height));
      this.#view?.style.setProperty('--natural', `${width}px`);
      this.#canvas.classList.toggle('fine', width >= finePixels);
    }
    const words = new Uint32Array(this.#image.data.buffer);
    const [start, end] = [row * width, Math.min(height, row + rows) * width];
    if (palette.length === 0) words.set(coloursOf(pixels.subarray(start * 3, end * 3)), start);
    else {
      const colours = coloursOf(palette);
      for (let index = start; index < end; index++) words[index] = colours[pixels[index] ?? 0] ?? 0;
    }
    this.#context.putImageData(this.#image, 0, 0, 0, row, width, rows);
    this.painted++;
    this.#canvas.dataset.painted = String(this.painted);
  }
}

function coloursOf(rgb: Uint8Array): Uint32Array {
  const colours = new Uint32Array(rgb.length / 3);
  for (let index = 0, at = 0; index < colours.length; index++, at += 3) {
    colours[index] = 0xff000000 | ((rgb[at + 2] ?? 0) << 16) | ((rgb[at + 1] ?? 0) << 8) | (rgb[at] ?? 0);
  }
  return colours;
}
