/** How the names of a dialect's tools are written, by themselves and in all that is said about them. */
export interface DialectNames {
  text(text: string): string;
  data(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}

/** As the other server writes them. */
const original: DialectNames = { text: (text) => text, data: (data) => data };

export function dialectNames(
  tools: readonly { readonly name: string }[],
  written: 'dots' | 'underscore',
): DialectNames {
  if (written === 'dots') return original;
  const dotted = tools.map(({ name }) => name).filter((name) => name.includes('.'));
  if (dotted.length === 0) return original;
  // A name may begin with another one.
  const longestFirst = dotted
    .sort((one, other) => other.length - one.length)
    .map((name) => name.replaceAll('.', '\\.'));
  const any = new RegExp(`\\b(?:${longestFirst.join('|')})\\b`, 'g');
  const text = (said: string): string => said.replace(any, (name) => name.replaceAll('.', '_'));
  const value = (said: unknown): unknown => {
    if (typeof said === 'string') return text(said);
    return Array.isArray(said) ? said.map(value) : said;
  };
  const data: DialectNames['data'] = (all) =>
    Object.fromEntries(Object.entries(all).map(([key, each]) => [key, value(each)]));
  return { text, data };
}
