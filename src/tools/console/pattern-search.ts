import type { RollingText } from './rolling-text.ts';

/** What to look for: exactly one of `literal` and `regex`. */
export interface Pattern {
  readonly literal?: string;
  readonly regex?: string;
  readonly ignoreCase?: boolean;
}

/** Where a pattern was found, in positions of the whole text. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Without the whole match. */
  readonly groups: readonly (string | undefined)[];
  readonly namedGroups: Readonly<Record<string, string>>;
}

/** Looks for one pattern in a text that grows. */
export interface PatternSearch {
  /** Whether more text after a match may change it: make it longer, or undo it where it relied on `$`. */
  readonly openEnded: boolean;
  /** How much new text to hand over at a time, so that one call does not take long. */
  readonly sliceUnits: number;
  /** The first match that `text` has; what lies before `scanned` alone is known to have none. */
  find(text: RollingText, scanned: number): Found | undefined;
}
