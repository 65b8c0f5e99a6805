import type { WatchedPicture } from '../../api/watch.ts';
import type { ControlCapability } from '../../machine/control.ts';
import { MachineError } from '../../machine/errors.ts';
import type { PictureSize } from '../../machine/input.ts';
import type { ScreenCapability } from '../../machine/screen.ts';

const frameMs = 20;
/** Pictures of a machine that runs faster than it should are not shown faster than this. */
const shortestMs = 15;
const patienceMs = 500;

interface Seen {
  readonly screen: ScreenCapability;
  readonly control?: ControlCapability | undefined;
}

export interface PictureViewer {
  /** False while the viewer does not keep up: it misses pictures, never events. */
  isReady(): boolean;
  show(picture: WatchedPicture): void;
  /** There is nothing to be seen, now or ever. */
  missing(error: unknown): void;
}

/** A screen as it changes: each frame where the machine tells of them, else as often as it can without being kept busy. */
export class PictureView {
  readonly #screen: ScreenCapability;
  readonly #control: ControlCapability | undefined;
  readonly #viewer: PictureViewer;
  #timer: NodeJS.Timeout | undefined;
  #last: WatchedPicture | undefined;
  #isClosed = false;

  constructor({ screen, control }: Seen, viewer: PictureViewer) {
    this.#screen = screen;
    this.#control = control;
    this.#viewer = viewer;
    void this.#watch();
  }

  /** Of the picture that was shown last. */
  get size(): PictureSize | undefined {
    return this.#last;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #watch(): Promise<void> {
    let due = performance.now();
    while (!this.#isClosed) {
      const began = performance.now();
      const isSeen = await this.#look();
      const now = performance.now();
      if (isSeen && (await this.#frameAfter(began + shortestMs))) {
        due = performance.now();
        continue;
      }
      // By the clock and not from one look to the next: timers are late by up to a millisecond each time.
      due = Math.max(due + frameMs, 2 * now - began, isSeen ? 0 : now + patienceMs);
      await this.#rest(due - now);
    }
  }

  /** False when there is nothing to be seen. */
  async #look(): Promise<boolean> {
    try {
      if (this.#viewer.isReady()) await this.#show();
      return true;
    } catch (error) {
      if (!this.#isClosed) this.#viewer.missing(error);
      return false;
    }
  }

  /** Waits for the first frame that ends after `time`; false where the machine is stopped or tells of none. */
  async #frameAfter(time: number): Promise<boolean> {
    do {
      const frame = this.#control?.nextFrame?.();
      if (!frame) return false;
      await frame;
    } while (performance.now() < time && !this.#isClosed);
    return true;
  }

  #rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#timer = setTimeout(resolve, ms);
    });
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
