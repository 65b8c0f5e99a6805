/** Of what is listed at once: there is room for the rest of the answer. */
const maxChars = 24_000;

const order = new Intl.Collator('en', { numeric: true });

/** `c64-2` before `c64-10`; names that differ are never the same. */
export function compareNames(a: string, b: string): number {
  return order.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

/** Whether each word occurs in one of the texts, in capitals or not. */
export function matchesWords(texts: readonly string[], filter: string | undefined): boolean {
  const lower = texts.map((text) => text.toLowerCase());
  const words = (filter ?? '').toLowerCase().split(/\s+/);
  return words.every((word) => lower.some((text) => text.includes(word)));
}

/** By name, from the first one after `after`: as many as have room, and at least one. `left` counts those after them. */
export function pageByName<T extends { readonly handle: string }, L extends { readonly chars: number }>(
  all: readonly T[],
  after: string | undefined,
  describe: (one: T) => L,
): { readonly listed: readonly L[]; readonly left: number } {
  const wanted = all.filter(({ handle }) => after === undefined || compareNames(handle, after) > 0);
  wanted.sort((a, b) => compareNames(a.handle, b.handle));
  const listed: L[] = [];
  let chars = 0;
  for (const one of wanted) {
    const described = describe(one);
    chars += described.chars + 1;
    if (listed.length > 0 && chars > maxChars) break;
    listed.push(described);
  }
  return { listed, left: wanted.length - listed.length };
}
