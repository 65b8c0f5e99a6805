import { MachineError } from '../../machine/errors.ts';
import { TimeSlice } from '../../machines/shared/time-slice.ts';
import { splitsPair } from './elide.ts';
import { LiteralSearch } from './literal-search.ts';
import type { Found, Pattern, PatternSearch } from './pattern-search.ts';
import { RegexSearch } from './regex-search.ts';
import { RollingText } from './rolling-text.ts';

const maxPatternLength = 1_000;
const maxPatterns = 32;
/** A match of this length counts as it is; half the window, so that it cannot be lost by waiting. */
const maxUndecided = 32_768;

export interface ExpectPatterns {
  /** What is waited for. */
  readonly patterns?: readonly Pattern[];
  /** What says that waiting is in vain. */
  readonly failPatterns?: readonly Pattern[];
}

export interface ExpectMatch extends Found {
  readonly kind: 'success' | 'failure';
  /** Which one, counted from 0 in its own list. */
  readonly index: number;
  readonly pattern: Pattern;
}

interface Candidate {
  readonly kind: ExpectMatch['kind'];
  readonly index: number;
  readonly pattern: Pattern;
  readonly search: PatternSearch;
}

/**
 * Looks for patterns in stripped text as it arrives. Of several matches the one that begins first counts, then failure
 * before success, then the order given. `^` and `$` are the ends of lines, and `$` also the end of what has arrived.
 */
export class Matcher {
  readonly #candidates: readonly Candidate[];
  readonly #text = new RollingText();
  /** A match at the end of the text waits for what follows. */
  #undecided = false;

  static async create({ patterns = [], failPatterns = [] }: ExpectPatterns): Promise<Matcher> {
    if (patterns.length + failPatterns.length > maxPatterns) {
      throw invalid(`More than ${maxPatterns} patterns.`, 'Join some into one regex with |.');
    }
    const candidates: Candidate[] = [];
    const slice = new TimeSlice();
    for (const [kind, list] of [['failure', failPatterns] as const, ['success', patterns] as const]) {
      for (const [index, pattern] of list.entries()) {
        candidates.push({ kind, index, pattern, search: await compilePattern(pattern) });
        if (slice.isOver) await slice.next();
      }
    }
    return new Matcher(candidates);
  }

  private constructor(candidates: readonly Candidate[]) {
    this.#candidates = candidates;
  }

  /** How much text was handed over so far. */
  get units(): number {
    return this.#text.end;
  }

  /** Marks a gap: no match reaches across it. */
  separate(): void {
    // Stripped text has no NUL, so no pattern asks for one.
    this.#text.push('\0\n');
  }

  /**
   * Adds text and searches it, giving way to everything else in between. Done after the first match. With `more` the
   * next piece is already known to exist, so that a match at the very end waits for it.
   */
  async push(text: string, more = false, signal?: AbortSignal): Promise<ExpectMatch | undefined> {
    if (this.#candidates.length === 0) return undefined;
    const turn = new TimeSlice();
    let at = 0;
    while ((at < text.length || (this.#undecided && !more)) && !signal?.aborted) {
      let end = at + Math.min(...this.#candidates.map(({ search }) => search.sliceUnits));
      if (splitsPair(text, end)) end++;
      const match = await this.#search(text.slice(at, end), more || end < text.length, turn);
      if (match) return match;
      at = end;
    }
    return undefined;
  }

  async #search(slice: string, more: boolean, turn: TimeSlice): Promise<ExpectMatch | undefined> {
    const scanned = this.#text.end;
    this.#text.push(slice);
    this.#undecided = false;
    let best: ExpectMatch | undefined;
    for (const { search, kind, index, pattern } of this.#candidates) {
      if (turn.isOver) await turn.next();
      const found = search.find(this.#text, scanned);
      if (!found || (best && found.start >= best.start)) continue;
      const mayChange = more && search.openEnded && found.end === this.#text.end;
      if (mayChange && found.end - found.start < maxUndecided) this.#undecided = true;
      else best = { ...found, kind, index, pattern };
    }
    return best;
  }
}

/** Throws with what is wrong with it. */
export async function compilePattern({ literal, regex, ignoreCase = false }: Pattern): Promise<PatternSearch> {
  const source = literal ?? regex;
  if (source === undefined || (literal !== undefined && regex !== undefined)) {
    throw invalid(
      'A pattern needs exactly one of literal and regex.',
      'Give {"literal":"login:"} or {"regex":"[#$] $"}.',
    );
  }
  if (source === '') throw invalid('An empty pattern matches everything.', 'Write the text to wait for.');
  if (source.length > maxPatternLength) {
    throw invalid(
      `A pattern of ${source.length} characters; the limit is ${maxPatternLength}.`,
      'Wait for a short text that is unique, such as the end of the line.',
    );
  }
  if (regex !== undefined) return RegexSearch.compile(regex, ignoreCase);
  // Stripped text has no \r before \n.
  return new LiteralSearch(source.replace(/\r+\n/g, '\n'), ignoreCase);
}

function invalid(message: string, fix: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', message, fix);
}
