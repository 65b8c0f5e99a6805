/** A part of a list, with exact counts of the rest. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly from: number;
  /** Where the next page begins, if there is one. */
  readonly next?: number;
  readonly total: number;
}

export function pageOf<T>(all: readonly T[], from: number, limit: number): Page<T> {
  const items = all.slice(from, from + limit);
  const next = from + items.length;
  return { items, from, ...(next < all.length && { next }), total: all.length };
}

/** `blocks 1-20 of 133`. */
export function pageHead({ items, from, total }: Page<unknown>, what: string): string {
  return items.length === 0
    ? `no ${what}${total > 0 ? ` from ${from} on; there are ${total}` : ''}`
    : `${what} ${from + 1}-${from + items.length} of ${total}`;
}

/** How to get the rest, as lines of an answer. */
export function pageTail({ next, total }: Page<unknown>): readonly string[] {
  return next === undefined ? [] : [`${total - next} more; go on with "from":${next}`];
}
