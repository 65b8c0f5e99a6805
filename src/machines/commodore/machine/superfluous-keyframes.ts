/** Every frame of the last five seconds, then one a second. */
const denseFrames = 250;
const sparseEvery = 50;
const maxSparse = 600;
/** So many at once: one comes with each frame. */
const droppedAtOnce = 2;

interface Timed {
  readonly time: number;
}

/** Which keyframes go, in ascending order, when one has been added. `isFull`: all together take too much memory. */
export function superfluousKeyframes(keyframes: readonly Timed[], frameSpan: number, isFull: boolean): number[] {
  if (isFull) return leastMissed(keyframes);
  const frameOf = (index: number) => Math.round((keyframes[index]?.time ?? 0) / frameSpan);
  const newest = frameOf(keyframes.length - 1);
  const border = keyframes.findIndex((_, index) => frameOf(index) > newest - denseFrames);
  const isCrowded = border >= 2 && frameOf(border - 1) - frameOf(border - 2) < sparseEvery;
  const tooMany = keyframes.length - (isCrowded ? 1 : 0) > denseFrames + maxSparse;
  return [...(tooMany ? [0] : []), ...(isCrowded ? [border - 1] : [])];
}

/** Those that leave the smallest gap, for how long ago they are; the first and the last stay, and two neighbours do not go at once. */
function leastMissed(keyframes: readonly Timed[]): number[] {
  const newest = keyframes.at(-1)?.time ?? 0;
  const gap = (index: number) => {
    const { time = 0 } = keyframes[index] ?? {};
    return ((keyframes[index + 1]?.time ?? 0) - (keyframes[index - 1]?.time ?? 0)) / (newest - time);
  };
  const dropped: number[] = [];
  for (let count = 0; count < droppedAtOnce; count++) {
    let [found, least] = [-1, Number.POSITIVE_INFINITY];
    for (let index = 1; index < keyframes.length - 1; index++) {
      if (dropped.some((other) => Math.abs(other - index) < 2) || gap(index) >= least) continue;
      [found, least] = [index, gap(index)];
    }
    if (found > 0) dropped.push(found);
  }
  return dropped.sort((a, b) => a - b);
}
