import { commands, itemsIn } from '../../../links/vice/wire.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { IndexedPicture, ScreenCapability, TextScreen } from '../../../machine/screen.ts';
import { palette as c64Palette } from '../c64/machine/c64-screen.ts';
import { palette as plus4Palette } from '../plus4/machine/plus4-screen.ts';
import { palette as vic20Palette } from '../vic20/machine/vic20-screen.ts';
import { readText } from './text-screens.ts';
import type { ViceModel } from './vice-models.ts';
import type { ViceSession } from './vice-session.ts';

/** How long what comes before the pixels is, and where six words are in it: width and height of all that is drawn, where the text is, and how large. */
const head = { bytes: 21, words: 4 } as const;
/** In VICE 3.5. */
const oldestHead = { bytes: 47, words: 12 } as const;

/** All that VICE draws, without its last four pixels from 3.6 to 3.10. */
interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly textX: number;
  readonly textY: number;
  readonly textWidth: number;
  readonly textHeight: number;
  readonly pixels: Uint8Array;
}

const border = { left: 32, top: 35, right: 32, bottom: 37 };
/** A VIC-II of NTSC has fewer lines, and our own machine shows these. */
const shortBorder = { ...border, top: 23, bottom: 24 };
const greys = Uint8Array.from({ length: 768 }, (_, index) => Math.floor(index / 3));

/** As our own machines have them. */
const ownPalettes = { vic2: c64Palette, vic: vic20Palette, ted: plus4Palette, crtc: greys };

/** What the monitor of a VICE shows: the picture that VICE is drawing, of which a stop between two frames has all. */
/** From 3.6 to 3.10 a picture ends so many bytes too early. */
const missingBytes = 4;

export class ViceScreen implements ScreenCapability {
  readonly #session: ViceSession;
  readonly #model: ViceModel;
  #palette: Uint8Array | undefined;

  constructor(session: ViceSession, model: ViceModel) {
    this.#session = session;
    this.#model = model;
  }

  async picture(): Promise<IndexedPicture> {
    const drawn = await this.drawn();
    const { width: pitch, height: lines, textX, textWidth, textHeight } = drawn;
    const textY = drawn.textY - textAbove(this.#model);
    const { video, standard } = this.#model;
    const { left, top, right, bottom } = video === 'vic2' && standard === 'ntsc' ? shortBorder : border;
    // As much of the border as a monitor shows, and our own machines do.
    const [x, y] = [Math.max(0, textX - left), Math.max(0, textY - top)];
    const width = Math.min(pitch, textX + textWidth + right) - x;
    const height = Math.min(lines, textY + textHeight + bottom) - y;
    if (width <= 0 || height <= 0) throw noPicture();
    const pixels = new Uint8Array(width * height);
    for (let row = 0; row < height; row++) {
      const start = (y + row) * pitch + x;
      pixels.set(drawn.pixels.subarray(start, start + width), row * width);
    }
    const palette = await this.#colours();
    const most = palette.length / 3;
    if (pixels.some((pixel) => pixel >= most)) return { width, height, pixels, palette: greys };
    return { width, height, pixels, palette };
  }

  async drawn(): Promise<Drawn> {
    const body = await this.#ofVideo(commands.displayGet, [0]).catch((error: unknown) => {
      if (!(error instanceof MachineError) || error.type !== 'EXECUTION_ERROR') throw error;
      const { program, name } = this.#model;
      const message = `This VICE does not provide the screen of a ${name} (${program}) through its monitor.`;
      throw new MachineError('UNAVAILABLE', message, 'Start it with "window":true, or read its memory.');
    });
    const { bytes, words } = this.#session.isOldest ? oldestHead : head;
    if (body.length < bytes) throw noPicture();
    const word = (index: number) => body.readUInt16LE(words + 2 * index);
    const [width, height, textX, textY, textWidth, textHeight] = [word(0), word(1), word(2), word(3), word(4), word(5)];
    const pixels = body.subarray(bytes);
    if (pixels.length + missingBytes < width * height)
      throw new MachineError('UNAVAILABLE', 'VICE sent less of a picture than it announced.', 'Try again later.');
    return { width, height, textX, textY, textWidth, textHeight, pixels };
  }

  /** The characters wherever the video chip looks for them; undefined while it shows none, or has no known place for them. */
  text(): Promise<TextScreen | undefined> {
    return readText(this.#session, this.#model);
  }

  /** Of the VIC-II where there is one beside another chip; machines without refuse that. */
  async #ofVideo(command: number, rest: readonly number[]): Promise<Buffer> {
    try {
      return await this.#session.ask(command, [1, ...rest]);
    } catch (error) {
      if (!(error instanceof MachineError) || error.type !== 'EXECUTION_ERROR') throw error;
      return this.#session.ask(command, [0, ...rest]);
    }
  }

  async #colours(): Promise<Uint8Array> {
    if (this.#palette) return this.#palette;
    this.#palette = await this.#told().catch((error: unknown) => {
      // VICE 3.5 does not tell its colours.
      if (!(error instanceof MachineError) || error.type !== 'EXECUTION_ERROR') throw error;
      return ownPalettes[this.#model.video ?? 'crtc'];
    });
    return this.#palette;
  }

  async #told(): Promise<Uint8Array> {
    const colours = [...itemsIn(await this.#ofVideo(commands.paletteGet, []))];
    return Uint8Array.from(colours.flatMap((rgb) => [rgb[0] ?? 0, rgb[1] ?? 0, rgb[2] ?? 0]));
  }
}

function noPicture(): MachineError {
  return new MachineError('UNAVAILABLE', 'VICE shows no picture.', 'Try again later.');
}

/** How many lines before the one that VICE 3.7.1 tells the text begins. */
function textAbove({ video, standard, program }: ViceModel): number {
  if (video !== 'vic2') return 0;
  return standard === 'ntsc' && (program === 'x64sc' || program === 'xscpu64') ? 0 : 1;
}
