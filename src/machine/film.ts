import type { Picture } from './screen.ts';

/** What the screen showed at moments that are remembered. Looking changes nothing: a machine that runs goes on. */
export interface FilmCapability {
  /** The earliest moment that can be shown, in the machine's smallest unit of time. */
  readonly first: number;
  readonly now: number;
  readonly unitsPerSecond: number;
  /** Moments that are quickly shown, oldest first. */
  readonly moments: readonly number[];
  /** Where a breakpoint or a fault stopped it, oldest first. */
  readonly stops: readonly FilmStop[];
  /** Rises when the machine becomes what it was at another time: what was shown before is of another film. */
  readonly moves: number;
  /** The screen at a moment, or at the last one before it that is kept, where no other can be shown. */
  show(time: number, signal: AbortSignal): Promise<FilmFrame>;
}

export interface FilmFrame {
  readonly time: number;
  readonly picture: Picture;
}

export interface FilmStop {
  readonly time: number;
  readonly reason: string;
}
