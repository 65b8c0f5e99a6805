/** `share` from 0 to 1; the nearest rank, so it is always a value that was measured. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The median of the quotients of each round, so that a slow minute of the machine slows both sides of one. */
export function ratio(ours: readonly number[], reference: readonly number[]): number {
  return median(ours.map((value, round) => value / (reference[round] ?? Number.NaN)));
}
