import type { RE2JS } from 're2js';
import { MachineError } from '../../machine/errors.ts';
import type { Found, PatternSearch } from './pattern-search.ts';
import { type RollingText, windowUnits } from './rolling-text.ts';

/** Instructions of a compiled pattern; the slow path of the engine costs about 50 ns for each one and character. */
const maxProgram = 500;
/** Of one search, so that it is over in some 40 ms. */
const maxSteps = 1_048_576;
const minLookback = 1_024;
const minSlice = 512;
const slowMs = 50;
const fastMs = 5;

/**
 * A pattern that cannot match a line end only has to be looked for from the start of the line on. Errs to the safe
 * side: knows the escapes that never stand for `\n`.
 */
const mayCrossLines = /[\0-\n]|\\[^bBdwSAzQE\\^$.*+?()[\]{}|/"'#@!%&:;<>=,~`_ -]|\[\^|\[\[|\(\?[a-zA-Z-]*s/;

/**
 * Looks for a regular expression with an engine whose time is linear in the text. Sees a match that begins up to 64 Ki
 * characters before new text; less, down to 1 Ki, where a pattern is large or proves slow, so that no call blocks for long.
 */
export class RegexSearch implements PatternSearch {
  readonly openEnded = true;
  readonly #regex: RE2JS;
  readonly #withinLine: boolean;
  readonly #maxLookback: number;
  #lookback: number;

  /** Loads the engine at the first pattern that needs it. */
  static async compile(source: string, ignoreCase: boolean): Promise<RegexSearch> {
    const { RE2JS } = await import('re2js');
    if (countedSize(source) > 4 * maxProgram) throw tooLarge(source);
    let regex: RE2JS;
    try {
      regex = RE2JS.compile(source, RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0));
    } catch (error) {
      throw badSyntax(source, error);
    }
    if (regex.programSize() > maxProgram) throw tooLarge(source);
    if (regex.test('')) {
      throw invalid(
        `The pattern /${source}/ also matches no text at all, so waiting for it would end at once.`,
        'Write what has to appear, for example x+ instead of x*.',
      );
    }
    return new RegexSearch(regex, source);
  }

  private constructor(regex: RE2JS, source: string) {
    this.#regex = regex;
    this.#withinLine = !mayCrossLines.test(source);
    this.#maxLookback = Math.min(windowUnits, Math.max(minLookback, Math.floor(maxSteps / regex.programSize())));
    this.#lookback = this.#maxLookback;
  }

  get sliceUnits(): number {
    return Math.max(minSlice, this.#lookback >> 1);
  }

  find(text: RollingText, scanned: number): Found | undefined {
    // Where the text was cut, one character stays as context.
    const limit = Math.max(text.start === 0 ? 0 : text.start + 1, scanned - this.#lookback);
    const from = this.#withinLine ? text.lineStart(scanned, limit) : limit;
    const began = performance.now();
    const found = this.#regex.test(text.from(from)) ? this.#locate(text, from) : undefined;
    const tookMs = performance.now() - began;
    if (tookMs > slowMs) this.#lookback = Math.max(minLookback, this.#lookback >> 1);
    else if (tookMs < fastMs) this.#lookback = Math.min(this.#maxLookback, this.#lookback << 1);
    return found;
  }

  /** The quick test knows nothing of the character before, which decides about `^` and `\b`. */
  #locate(text: RollingText, from: number): Found | undefined {
    const before = from > text.start ? 1 : 0;
    const matcher = this.#regex.matcher(text.from(from - before));
    if (!matcher.find(before)) return undefined;
    const groups = Array.from({ length: matcher.groupCount() }, (_, index) => matcher.group(index + 1) ?? undefined);
    const named = Object.entries(matcher.getNamedGroups()).filter((entry): entry is [string, string] => !!entry[1]);
    return {
      start: from - before + matcher.start(),
      end: from - before + matcher.end(),
      text: matcher.group() ?? '',
      groups,
      namedGroups: Object.fromEntries(named),
    };
  }
}

/** About how many characters the counted repetitions of a pattern stand for, to refuse it before it is expanded. */
function countedSize(source: string): number {
  let size = 0;
  for (const repetition of source.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    let atomStart = repetition.index - 1;
    if (source[atomStart] === ')') {
      let depth = 0;
      for (; atomStart > 0; atomStart--) {
        if (source[atomStart] === ')') depth++;
        if (source[atomStart] === '(' && --depth === 0) break;
      }
    }
    size += (repetition.index - atomStart) * Math.max(Number(repetition[1]), Number(repetition[2] ?? 0));
  }
  return size;
}

function badSyntax(source: string, error: unknown): MachineError {
  const reason = error instanceof Error ? error.message.replace('error parsing regexp: ', '').replace('(?m)', '') : '';
  const lookAround = /\(\?<?[=!]/.test(source);
  const backReference = /\\(?:[1-9]|k<)/.test(source);
  const lacks = lookAround ? 'look-around' : backReference ? 'back-references' : undefined;
  if (lacks) {
    return invalid(
      `The pattern /${source}/ uses ${lacks}, which this engine (RE2, linear in time) does not have: ${reason}.`,
      'Write fixed text without the slashes, capture more with a group, or wait for one part after the other.',
    );
  }
  return invalid(
    `The pattern /${source}/ is not a regular expression that RE2 understands: ${reason}.`,
    'Correct it; fixed text is written without the slashes. RE2 has no look-around, back-references, possessive ' +
      'or atomic groups, and writes characters as \\x{1B}, not \\u001B.',
  );
}

function tooLarge(source: string): MachineError {
  return invalid(
    `The pattern /${source}/ grows too large when its repetitions are written out (limit ${maxProgram} steps).`,
    'Lower the counts in {…}, or use + and * instead.',
  );
}

function invalid(message: string, fix: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', message, fix);
}
