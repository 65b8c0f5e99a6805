import { Vga } from '../../../chips/vga/vga.ts';
import type { FilmCapability, FilmFrame, FilmStop } from '../../../machine/film.ts';
import type { Picture } from '../../../machine/screen.ts';
import { unlessAborted } from '../../shared/time-slice.ts';
import type { DosEngine } from './dos-engine.ts';

/**
 * What the VGA showed at keyframes of the past, drawn by another VGA. What lies between two of them is not shown: it would have to
 * be run again, and everything that is logged on the way would be logged twice.
 */
export class DosFilm implements FilmCapability {
  readonly #engine: DosEngine;
  /** Only once somebody looks. */
  #projector: { readonly bytes: Uint8Array; readonly vga: Vga; now: number } | undefined;

  constructor(engine: DosEngine) {
    this.#engine = engine;
  }

  get first(): number {
    return this.#engine.history.firstTime;
  }

  get now(): number {
    return this.#engine.now;
  }

  get unitsPerSecond(): number {
    return this.#engine.system.board.options.instructionsPerSecond;
  }

  get moments(): readonly number[] {
    return this.#engine.history.keyframeTimes;
  }

  get stops(): readonly FilmStop[] {
    return this.#engine.stopsMet;
  }

  get moves(): number {
    return this.#engine.moves;
  }

  async show(wanted: number, signal: AbortSignal): Promise<FilmFrame> {
    unlessAborted(signal)();
    if (wanted >= this.now && !this.#engine.isRewinding) {
      return { time: this.now, picture: copyOf(this.#engine.system.board.vga.picture()) };
    }
    this.#projector ??= this.#newProjector();
    const { time } = this.#engine.keyframeAt(wanted, this.#projector.bytes);
    this.#projector.now = time;
    return { time, picture: copyOf(this.#projector.vga.picture()) };
  }

  #newProjector() {
    const { layout, options } = this.#engine.system.board;
    const bytes = new Uint8Array(layout.byteLength);
    const parts = layout.views(bytes.buffer);
    const { instructionsPerSecond } = options;
    const wires = { now: () => this.#projector?.now ?? 0, instructionsPerSecond };
    return { bytes, vga: new Vga(parts.vga, parts.vram, wires), now: 0 };
  }
}

/** A VGA draws the next one into the same memory. */
function copyOf(picture: Picture): Picture {
  return 'rgb' in picture
    ? { ...picture, rgb: picture.rgb.slice() }
    : { ...picture, pixels: picture.pixels.slice(), palette: picture.palette.slice() };
}
