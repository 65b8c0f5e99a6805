import { type HmpCommand, hmpCommands } from './hmp-commands.ts';
import { hmpWords } from './hmp-words.ts';

const maxWords = 64;
const byName = new Map(hmpCommands.flatMap((command) => command.names.map((name) => [name, command] as const)));

/** A line of the human monitor as this server sends it on: words with single blanks between them. */
export interface HmpLine {
  readonly name: string;
  readonly words: readonly string[];
}

/**
 * Takes a line apart. QEMU ends the name at a blank or a slash and knows quotes and backslashes, none of which any
 * command of the list needs: a line that has them is none of it.
 */
export function parseHmp(line: string): HmpLine {
  const [, name = '', rest = ''] = /^\s*([^\s/]*)([\s\S]*)$/.exec(line) ?? [];
  // `?` may stand right before what is asked for.
  if (name.startsWith('?') && name.length > 1) return { name: '?', words: wordsOf(`${name.slice(1)} ${rest}`) };
  return { name, words: wordsOf(rest) };
}

function wordsOf(text: string): string[] {
  return text.split(/[ \t]+/).filter((word) => word !== '');
}

/** The line once more, so that nothing reaches QEMU which was not looked at. */
export function hmpText({ name, words }: HmpLine): string {
  return [name, ...words].join(' ');
}

export function hmpAsksOnly({ name }: HmpLine): boolean {
  return byName.get(name)?.asks === true;
}

/** Why a line does not surely stay inside the machine; undefined when it does. */
export function hmpProblem({ name, words }: HmpLine): string | undefined {
  const command = byName.get(name);
  if (!command) return `${name.slice(0, 60)} is not among the commands that are known to stay inside the machine`;
  if (words.length <= maxWords && matches(slotsOf(command), words)) return undefined;
  return `${name} is taken as "${[name, command.takes ?? ''].join(' ').trim()}" here, without quotes`;
}

interface Slot {
  readonly fits: (word: string) => boolean;
  readonly optional: boolean;
  readonly repeated: boolean;
}

function slotsOf({ takes = '' }: HmpCommand): Slot[] {
  return takes.split(' ').flatMap((text) => {
    const [, name = '', marks = ''] = /^(.*?)([*?]*)$/.exec(text) ?? [];
    if (name === '') return [];
    const fits = Object.hasOwn(hmpWords, name) ? hmpWords[name] : undefined;
    return [{ fits: fits ?? ((word) => word === name), optional: marks.includes('?'), repeated: marks.includes('*') }];
  });
}

function matches([slot, ...more]: readonly Slot[], words: readonly string[]): boolean {
  if (!slot) return words.length === 0;
  if (slot.optional && matches(more, words)) return true;
  const [word, ...rest] = words;
  if (word === undefined || !slot.fits(word)) return false;
  return matches(more, rest) || (slot.repeated && matches([{ ...slot, optional: true }, ...more], rest));
}

/** For refusals. */
export const hmpNames: readonly string[] = hmpCommands.flatMap(({ names }) => names);
