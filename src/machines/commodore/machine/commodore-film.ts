import type { FilmCapability, FilmFrame, FilmStop } from '../../../machine/film.ts';
import type { Picture } from '../../../machine/screen.ts';
import type { VisibleFrame } from '../board/commodore-board.ts';
import type { CommodoreEngine } from './commodore-engine.ts';

/** Draws moments of the past again, beside the machine. */
export class CommodoreFilm implements FilmCapability {
  readonly #engine: CommodoreEngine;
  readonly #picture: (frame: VisibleFrame) => Promise<Picture>;

  constructor(engine: CommodoreEngine, picture: (frame: VisibleFrame) => Promise<Picture>) {
    this.#engine = engine;
    this.#picture = picture;
  }

  /** A frame has to be drawn first. */
  get first(): number {
    const { history, board } = this.#engine;
    return Math.min(history.firstTime + board.frameSpan, board.cycles);
  }

  get now(): number {
    return this.#engine.board.cycles;
  }

  get unitsPerSecond(): number {
    return this.#engine.board.clockHz;
  }

  /** Where a frame has been drawn since a keyframe. */
  get moments(): readonly number[] {
    const { history, board } = this.#engine;
    return history.keyframeTimes.map((time) => time + board.frameSpan).filter((time) => time <= board.cycles);
  }

  get stops(): readonly FilmStop[] {
    return this.#engine.stopsMet;
  }

  get moves(): number {
    return this.#engine.moves;
  }

  async show(wanted: number, signal: AbortSignal): Promise<FilmFrame> {
    const { board } = this.#engine;
    const look = () => {
      const { pixels, ...rest } = board.visibleFrame();
      return { ...rest, pixels: pixels.slice() };
    };
    const { time, seen } = await this.#engine.asOf(wanted, look, signal);
    return { time, picture: await this.#picture(seen) };
  }
}
