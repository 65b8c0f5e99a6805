/** Arguments and local variables of the functions on the stack, which debuggers of people open and change. Frame 0 is the innermost. */
export interface VariablesCapability {
  locals(frame: number): Promise<readonly Variable[]>;
  /** The value of an expression, such as one that `locals` or `parts` has given. */
  variable(frame: number, expression: string): Promise<Variable>;
  /** Members, elements, or what a pointer leads to: at most so many, from one on. */
  parts(frame: number, expression: string, range: PartRange): Promise<readonly Variable[]>;
  /** The answer is what is there afterwards. */
  assign(frame: number, expression: string, value: string): Promise<Variable>;
}

export interface PartRange {
  readonly first: number;
  readonly most: number;
}

export interface Variable {
  readonly name: string;
  readonly isArgument?: boolean;
  readonly text: string;
  readonly type: string;
  readonly address: bigint | undefined;
  readonly bytes: number;
  /** What stands for it in expressions; undefined where it has no value now. */
  readonly expression: string | undefined;
  /** How many parts it has, and whether they are numbered. */
  readonly parts: number;
  readonly isIndexed: boolean;
}
