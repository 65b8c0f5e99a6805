/** The candidate a person most likely meant, or undefined when none is close. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = normal(word);
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const other = normal(candidate);
    const distance = other.startsWith(wanted) && wanted.length >= 3 ? 1 : editDistance(wanted, other);
    if (distance < bestDistance && distance < other.length) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** ` Did you mean X?`, or nothing. */
export function suggestion(word: string, candidates: Iterable<string>, prefix = ''): string {
  const match = nearest(word, candidates);
  return match === undefined ? '' : ` Did you mean ${prefix}${match}?`;
}

/** `maxRate`, `max_rate` and `max-rate` are the same word. */
function normal(word: string): string {
  return word
    .slice(0, 100)
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

/** Up to three of `names` that somebody who wrote `wanted` may have meant, best first. */
export function nearestNames(wanted: string, names: readonly string[]): string[] {
  return names
    .map((name) => ({ name, distance: editDistance(wanted.slice(0, 64), name) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Insertions, deletions, replacements and swapped neighbours. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, at(beforeLast, column - 2) + 1);
      current.push(cost);
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
