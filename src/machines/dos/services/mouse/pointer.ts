import type { GraphicsPage } from '../bios/video/graphics-characters.ts';
import type { VideoBios } from '../bios/video/video-bios.ts';
import type { MouseState } from './mouse-state.ts';

/** The pointer on the screen: an inverted cell in text modes, 16 by 16 pixels in graphics modes. */
export class Pointer {
  readonly #video: VideoBios;

  constructor(video: VideoBios) {
    this.#video = video;
  }

  /** Pixels of a graphics mode that one step of the driver's coordinates is wide: those of 320 columns are halved. */
  get #xStep(): number {
    const { columns, layout } = this.#video.mode;
    return layout !== 'text' && columns === 40 ? 2 : 1;
  }

  hide(state: MouseState): void {
    const { under } = state;
    state.under = undefined;
    if (under === undefined || under.mode !== this.#video.mode.mode) return;
    if (this.#video.mode.layout === 'text') {
      this.#video.memory.write16(this.#video.cellAddress(state.page, under.y, under.x), under.pixels[0] ?? 0);
      return;
    }
    this.#draw((page) => {
      this.#eachPixel(under.x, under.y, (x, y, index) => page.putPixel(x, y, under.pixels[index] ?? 0));
    });
  }

  show(state: MouseState): void {
    this.hide(state);
    if (state.shown < 0) return;
    if (this.#video.mode.layout === 'text') this.#showCell(state);
    else this.#showPixels(state);
  }

  #showCell(state: MouseState): void {
    const video = this.#video;
    const x = Math.floor(state.x) >> 3;
    const y = Math.floor(state.y) >> 3;
    if (x >= video.columns || y >= video.rows) return;
    const at = video.cellAddress(state.page, y, x);
    const cell = video.memory.read16(at);
    state.under = { x, y, mode: video.mode.mode, pixels: [cell] };
    video.memory.write16(at, (cell & state.textAnd) ^ state.textXor);
  }

  #showPixels(state: MouseState): void {
    const left = Math.floor(state.x / this.#xStep) - state.hotX;
    const top = Math.floor(state.y) - state.hotY;
    const white = this.#video.mode.layout === 'cga4' ? 3 : this.#video.mode.layout === 'cga2' ? 1 : 15;
    this.#draw((page) => {
      const pixels = new Array<number>(256).fill(0);
      this.#eachPixel(left, top, (x, y, index) => {
        pixels[index] = page.getPixel(x, y);
        const bit = 0x8000 >> (index & 15);
        const kept = ((state.screenMask[index >> 4] ?? 0) & bit) !== 0 ? (pixels[index] ?? 0) : 0;
        const added = ((state.cursorMask[index >> 4] ?? 0) & bit) !== 0 ? white : 0;
        if (kept !== pixels[index] || added !== 0) page.putPixel(x, y, (kept ^ added) & (white === 15 ? 0xff : white));
      });
      state.under = { x: left, y: top, mode: this.#video.mode.mode, pixels };
    });
  }

  /** Those of 16 by 16 that are on the screen. */
  #eachPixel(left: number, top: number, visit: (x: number, y: number, index: number) => void): void {
    const { mode } = this.#video;
    const width = mode.columns * 8;
    const height = mode.layout === 'planar' && mode.characterHeight === 14 ? 350 : mode.rows * mode.characterHeight;
    for (let index = 0; index < 256; index++) {
      const x = left + (index & 15);
      const y = top + (index >> 4);
      if (x >= 0 && y >= 0 && x < width && y < height) visit(x, y, index);
    }
  }

  /** With the registers that drawing needs, and those of the program again afterwards. */
  #draw(action: (page: GraphicsPage) => void): void {
    const { vga } = this.#video;
    const indexes = vga.saveIndexes();
    const map = vga.readSequencer(2);
    const graphics = [0, 1, 3, 4, 5, 8].map((index) => [index, vga.readGraphics(index)] as const);
    vga.sequencer(2, 15);
    vga.graphics(1, 0);
    vga.graphics(3, 0);
    vga.graphics(8, 0xff);
    vga.graphics(5, vga.readGraphics(5) & ~0x0b);
    action(this.#video.page(0));
    for (const [index, value] of graphics) vga.graphics(index, value);
    vga.sequencer(2, map);
    vga.restoreIndexes(indexes);
  }
}
