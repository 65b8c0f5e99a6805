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
    const distance = edits(wanted, candidate.toLowerCase());
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours. */
function edits(a: string, b: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (older[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    older = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}
