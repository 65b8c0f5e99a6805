/** Functions that were found by being called. */
export interface FunctionsCapability {
  list(): Promise<readonly KnownFunction[]>;
}

/** A place in code. `where` is the machine's own notation with the segment it was reached through: `1000:0234`. */
export interface CodePlace {
  readonly address: bigint;
  readonly where: string;
  /** The segment it was reached through, where the machine has segments. */
  readonly segment?: number | undefined;
}

export interface KnownFunction extends CodePlace {
  readonly name?: string | undefined;
  /** The library function that it is, by its bytes. */
  readonly library?: LibraryMatch | undefined;
  readonly calls: number;
  /** Where calls of it stand, each place once. */
  readonly callers: readonly CodePlace[];
  /** Functions that it calls itself. */
  readonly callees: readonly CodePlace[];
  readonly returns: FunctionReturns;
  /** Of the code that belongs to it, as far as it has run. */
  readonly bytes?: number | undefined;
}

export interface LibraryMatch {
  /** More than one where they have the same bytes. */
  readonly names: readonly string[];
  readonly of: string;
  /** How many bytes were compared. */
  readonly bytes: number;
  readonly certainty: 'sure' | 'likely';
}

export interface FunctionReturns {
  /** To after the call that it was entered by. */
  readonly aligned: number;
  /** To anywhere else. */
  readonly misaligned: number;
}
