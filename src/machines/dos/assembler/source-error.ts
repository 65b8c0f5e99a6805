/** Something in a source text that cannot be assembled. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

/** The whole source takes more than any program needs: nothing of it is looked at any further. */
export class TooMuch extends Error {
  override readonly name = 'TooMuch';
}

/** More work than the caller allows; with a higher limit it may well come to an end. */
export class EffortExceeded extends Error {
  override readonly name = 'EffortExceeded';
}
