const framesPerSecond = 75;
/** Between 00:00:00 and sector 0. */
const leadInFrames = 150;

export interface CdTime {
  readonly minute: number;
  readonly second: number;
  readonly frame: number;
}

export function timeOf(frames: number): CdTime {
  const seconds = Math.floor(frames / framesPerSecond);
  return { minute: Math.floor(seconds / 60), second: seconds % 60, frame: frames % framesPerSecond };
}

/** The sector at a time on the disc (Red Book). */
export function sectorAt({ minute, second, frame }: CdTime): number {
  return (minute * 60 + second) * framesPerSecond + frame - leadInFrames;
}

/** The time on the disc at which a sector lies. */
export function timeOnDisc(sector: number): CdTime {
  return timeOf(sector + leadInFrames);
}
