import type { Tool } from '../tool.ts';
import { type Toolset, toolsets } from '../toolsets.ts';
import { otherWords } from './other-words.ts';

/** How much a word counts, by where it stands. */
const weights = { name: 5, others: 4, toolset: 3, title: 3, description: 2, purpose: 1, arguments: 1 } as const;
/** A longer word that only begins alike is another one: "stopwatch" is not "stop". */
const longestEnding = 4;
/** Words of a question that say nothing about what is wanted. */
const filler = new Set(
  'a an and are as at by can do does each for from get how i in is it me my of on one or see show so that the this to use was what when where which why with'.split(
    ' ',
  ),
);

/** What a tool counts that no running machine has a use for. */
const useless = 0.5;

/** Those whose words meet the question, best first. Words that many tools have count less. */
export function rankTools<T extends Tool>(
  question: string,
  tools: readonly T[],
  isUsable: (tool: T) => boolean = () => true,
): T[] {
  const wanted = [...new Set(wordsOf(question))].filter((word) => !filler.has(word));
  const indexed = tools.map((tool) => ({ tool, words: weighedWords(tool) }));
  const rarity = (word: string) => {
    const having = indexed.filter(({ words }) => meets(words, word) > 0).length;
    return having === 0 ? 0 : Math.log(1 + tools.length / having);
  };
  const worth = new Map(wanted.map((word) => [word, rarity(word)]));
  const score = (words: ReadonlyMap<string, number>) =>
    wanted.reduce((sum, word) => sum + meets(words, word) * (worth.get(word) ?? 0), 0);
  return indexed
    .map(({ tool, words }) => ({ tool, score: score(words) * (isUsable(tool) ? 1 : useless) }))
    .filter((each) => each.score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}

function weighedWords(tool: Tool): ReadonlyMap<string, number> {
  const words = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const word of wordsOf(text)) words.set(word, Math.max(words.get(word) ?? 0, weight));
  };
  const shape = Object.entries(tool.input.shape) as [string, { description?: string }][];
  for (const [name, { description = '' }] of shape) add(`${name} ${description}`, weights.arguments);
  add(tool.description, weights.description);
  add(purposeOf(tool.toolset), weights.purpose);
  add(tool.title, weights.title);
  add(otherWords[tool.name] ?? '', weights.others);
  add(tool.toolset, weights.toolset);
  add(tool.name, weights.name);
  return words;
}

export function purposeOf(toolset: Toolset): string {
  return toolset === 'inner' ? '' : toolsets[toolset].purpose;
}

/** A word that only begins alike counts half. */
function meets(words: ReadonlyMap<string, number>, wanted: string): number {
  const exact = words.get(wanted);
  if (exact !== undefined) return exact;
  if (wanted.length < 4) return 0;
  let best = 0;
  for (const [word, weight] of words) {
    const isAlike = word.length >= 4 && (word.startsWith(wanted) || wanted.startsWith(word));
    if (isAlike && Math.abs(word.length - wanted.length) <= longestEnding) best = Math.max(best, weight / 2);
  }
  return best;
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map(stem);
}

function stem(word: string): string {
  if (word.length > 5 && word.endsWith('ing')) return word.slice(0, -3);
  if (word.length > 4 && word.endsWith('ed')) return word.slice(0, -2);
  if (word.length > 4 && word.endsWith('es')) return word.slice(0, -2);
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
