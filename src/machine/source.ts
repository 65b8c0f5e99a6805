/** The program of a guest as its source has it: variables with types, and lines. */
export interface SourceCapability {
  /** The value of an expression in one of the frames, 0 being the innermost; `depth` of what is shown inside structures. */
  evaluate(expression: string, query: FrameQuery): Promise<SourceValue>;
  /** Arguments and local variables of a frame. */
  variables(query: FrameQuery): Promise<SourceFrame>;
  /** Where to look for the file of an address, the likeliest first, and which line it is. */
  place(address: bigint): Promise<SourcePlace | undefined>;
}

export interface FrameQuery {
  readonly frame: number;
  readonly depth: number;
}

export interface SourceValue {
  readonly text: string;
  readonly type: string;
  readonly address: bigint | undefined;
  /** Of numbers and pointers. */
  readonly number: bigint | undefined;
}

export interface SourceVariable extends SourceValue {
  readonly name: string;
  readonly isArgument: boolean;
}

export interface SourceFrame {
  readonly pc: bigint;
  readonly function: string | undefined;
  /** How many frames are known: at least this one, and at most 64 are counted. */
  readonly frames: number;
  readonly variables: readonly SourceVariable[];
}

export interface SourcePlace {
  readonly paths: readonly string[];
  readonly line: number;
}
