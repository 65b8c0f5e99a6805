import { dialects } from '../../src/dialects/index.ts';
import { tools } from '../../src/tools/index.ts';
import { innerTools } from '../../src/tools/inner/index.ts';

/** Whether a text names one of these tools. Names that are ordinary words count where a call of them is advised. */
export function namesTool(text: string, names: readonly string[]): boolean {
  return toolIn(text, names) !== undefined;
}

/** Words of a dialect that only look like names of tools of ours: breakpoint types of the original. */
const ownWords: Readonly<Record<string, RegExp>> = { spice86: /\bcpu_cycles, cycles, memory_read, memory_write,/g };

/** The tools of other surfaces, and of the inside of this one, that a text in a dialect names. */
export function foreignNames(dialect: string, texts: readonly string[]): string[] {
  const others = foreignTo.get(dialect) ?? namesOfOthers(dialect);
  foreignTo.set(dialect, others);
  return texts.flatMap((text) => {
    const ownWord = ownWords[dialect];
    const name = toolIn(ownWord ? text.replaceAll(ownWord, '') : text, others);
    return name === undefined ? [] : [`${name} in: ${text}`];
  });
}

const foreignTo = new Map<string, readonly string[]>();

function namesOfOthers(dialect: string): readonly string[] {
  const own = dialects.find(({ name }) => name === dialect)?.tools.map(({ name }) => name) ?? [];
  const all = [...tools, ...innerTools, ...dialects.flatMap((each) => each.tools)].map(({ name }) => name);
  return [...new Set(all)].filter((name) => !own.includes(name));
}

/** All texts in a message, those of JSON in a text as well, but no pictures. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return jsonIn(value)?.flatMap(textsOf) ?? [value];
  if (typeof value !== 'object' || value === null) return [];
  if ('mimeType' in value && 'data' in value) return [];
  return Object.values(value).flatMap(textsOf);
}

interface Patterns {
  readonly named: RegExp;
  readonly advised: RegExp;
}

/** Thousands of texts are looked at for the same hundreds of names. */
const patterns = new WeakMap<readonly string[], Patterns>();

function toolIn(text: string, names: readonly string[]): string | undefined {
  const { named, advised } = patterns.get(names) ?? patternsOf(names);
  const found = named.exec(text) ?? advised.exec(text);
  return found?.slice(1).find((name) => name !== undefined);
}

function patternsOf(names: readonly string[]): Patterns {
  const words = names.filter((name) => !name.includes('_')).join('|');
  const long = names.filter((name) => name.includes('_')).join('|');
  const made = {
    named: new RegExp(`\\b(${long})\\b`),
    advised: new RegExp(`\\b(?:[Cc]all|[Uu]se|[Ll]ook with|[Cc]heck with) (${words})\\b|\\b(${words}) (?:\\{"|with ")`),
  };
  patterns.set(names, made);
  return made;
}

function jsonIn(text: string): unknown[] | undefined {
  if (!/^[{[]/.test(text)) return undefined;
  try {
    return [JSON.parse(text)].flat();
  } catch {
    return undefined;
  }
}
