/** Something in a source text that cannot be assembled. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}
