import type { FileLine, ListedLine } from './symbol-file.ts';

/** Farther on no line is looked for: what is listed is near what was listed before. */
const mostAhead = 5000;

/**
 * Lines of a listing with their numbers. Those that have none are looked for in the text of their file, from where the last one was
 * found; what an assembler has changed, such as the body of a macro, stays without.
 */
export function numberLines(listed: readonly ListedLine[], texts: ReadonlyMap<string, string>): FileLine[] {
  const cursors = new Map<string, SourceCursor>();
  return listed.flatMap(({ address, length, file, line, text }): FileLine[] => {
    if (length <= 0) {
      if (line === undefined) cursorOf(cursors, file, texts)?.find(text);
      return [];
    }
    const number = line ?? cursorOf(cursors, file, texts)?.find(text);
    return number === undefined ? [] : [{ address, length, file, line: number }];
  });
}

function cursorOf(
  cursors: Map<string, SourceCursor>,
  file: string,
  texts: ReadonlyMap<string, string>,
): SourceCursor | undefined {
  const known = cursors.get(file);
  const text = texts.get(file);
  if (known || text === undefined) return known;
  const cursor = new SourceCursor(text);
  cursors.set(file, cursor);
  return cursor;
}

class SourceCursor {
  /** The lines, from 0, on which each text stands, in order. */
  readonly #places = new Map<string, number[]>();
  #next = 0;

  constructor(text: string) {
    for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
      const key = line.trim();
      if (key === '') continue;
      const places = this.#places.get(key);
      if (places) places.push(index);
      else this.#places.set(key, [index]);
    }
  }

  /** From 1. The next line with this text, or the last one before: loops come again. */
  find(text: string): number | undefined {
    const places = this.#places.get(text.trim()) ?? [];
    const ahead = firstFrom(places, this.#next);
    const index = ahead !== undefined && ahead < this.#next + mostAhead ? ahead : places.at(-1);
    if (index === undefined) return undefined;
    if (index >= this.#next) this.#next = index + 1;
    return index + 1;
  }
}

function firstFrom(places: readonly number[], least: number): number | undefined {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return places[low];
}
