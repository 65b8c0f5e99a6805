import { decodePicture } from '../channel.ts';

/** Paints pictures as they come, one byte a pixel turned into colours. */
export class PicturePainter {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  #image: ImageData | undefined;
  /** Pictures painted so far, for whoever wants to know the rate. */
  painted = 0;

  constructor(canvas: HTMLCanvasElement) {
    const context = canvas.getContext('2d', { alpha: false });
    if (!context) throw new Error('this browser has no canvas');
    this.#canvas = canvas;
    this.#context = context;
  }

  paint(bytes: Uint8Array): void {
    const { width, height, palette, pixels } = decodePicture(bytes);
    if (this.#image?.width !== width || this.#image.height !== height) {
      this.#canvas.width = width;
      this.#canvas.height = height;
      this.#image = this.#context.createImageData(width, height);
    }
    const colours = new Uint32Array(palette.length / 3);
    for (let index = 0; index < colours.length; index++) {
      const [red = 0, green = 0, blue = 0] = palette.subarray(index * 3, index * 3 + 3);
      colours[index] = 0xff000000 | (blue << 16) | (green << 8) | red;
    }
    const words = new Uint32Array(this.#image.data.buffer);
    for (let index = 0; index < pixels.length; index++) words[index] = colours[pixels[index] ?? 0] ?? 0;
    this.#context.putImageData(this.#image, 0, 0);
    this.painted++;
    this.#canvas.dataset.painted = String(this.painted);
  }
}
