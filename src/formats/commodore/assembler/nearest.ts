import { editDistance } from '../../../formats/nearest-name.ts';

/** Longer ones are no slip of the finger. */
const longestName = 40;

/** The candidate that is closest to `name` by edits, if one is close enough to be a slip of the finger. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > longestName) return undefined;
  const wanted = name.toLowerCase();
  const limit = name.length < 4 ? 1 : Math.ceil(name.length / 4) + 1;
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best;
}
