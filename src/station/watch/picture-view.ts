import type { WatchedPicture } from '../../api/watch.ts';
import { MachineError } from '../../machine/errors.ts';
import type { PictureSize } from '../../machine/input.ts';
import type { ScreenCapability } from '../../machine/screen.ts';

const frameMs = 20;
const patienceMs = 500;

export interface PictureViewer {
  /** False while the viewer does not keep up: it misses pictures, never events. */
  isReady(): boolean;
  show(picture: WatchedPicture): void;
  /** There is nothing to be seen, now or ever. */
  missing(error: unknown): void;
}

/** A screen as it changes, as often as the machine can show it without being kept busy by that. */
export class PictureView {
  readonly #screen: ScreenCapability;
  readonly #viewer: PictureViewer;
  #timer: NodeJS.Timeout | undefined;
  #last: WatchedPicture | undefined;
  #isClosed = false;

  constructor(screen: ScreenCapability, viewer: PictureViewer) {
    this.#screen = screen;
    this.#viewer = viewer;
    void this.#look();
  }

  /** Of the picture that was shown last. */
  get size(): PictureSize | undefined {
    return this.#last;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const began = performance.now();
    let restMs = frameMs;
    try {
      if (this.#viewer.isReady()) await this.#show();
      const tookMs = performance.now() - began;
      restMs = Math.max(frameMs - tookMs, tookMs);
    } catch (error) {
      restMs = patienceMs;
      if (!this.#isClosed) this.#viewer.missing(error);
    }
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#look(), restMs);
  }

  async #show(): Promise<void> {
    const picture = await this.#screen.picture();
    if (this.#isClosed) return;
    const { width, height } = picture;
    const { palette, pixels } = 'rgb' in picture ? { palette: new Uint8Array(), pixels: picture.rgb } : picture;
    if (this.#last && isSame(this.#last, { width, height, palette, pixels })) return;
    // The machine may draw the next one into the same memory; a slice of a Buffer would be that memory too.
    this.#last = { width, height, palette: new Uint8Array(palette), pixels: new Uint8Array(pixels) };
    this.#viewer.show(this.#last);
  }
}

function isSame(a: WatchedPicture, b: WatchedPicture): boolean {
  return (
    a.width === b.width &&
    a.height === b.height &&
    Buffer.compare(a.palette, b.palette) === 0 &&
    Buffer.compare(a.pixels, b.pixels) === 0
  );
}

/** The machine has a plug for a monitor, and nothing on the other end. */
export function isWithoutDisplay(error: unknown): boolean {
  return error instanceof MachineError && error.type === 'MISSING_CAPABILITY';
}
