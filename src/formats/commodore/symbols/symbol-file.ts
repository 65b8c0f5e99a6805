import type { Annotation } from './annotation.ts';

export interface FileSymbol {
  /** With its scopes: `draw.loop`. */
  readonly name: string;
  readonly address: number;
  /** A number that the source has given a name, not a place in the program. */
  readonly isConstant?: boolean;
  readonly file?: string;
  readonly line?: number;
}

export interface FileLine {
  readonly address: number;
  readonly length: number;
  readonly file: string;
  readonly line: number;
  /** Of a language above the assembler's, which has lines for the same code. */
  readonly isHigh?: boolean;
}

/** A variable of a program: of C's own stack by its offset in the frame, of its registers, or at an address. */
export interface FileVariable {
  readonly name: string;
  readonly place: 'stack' | 'register' | 'memory';
  readonly at: number;
  /** Where the file tells it. */
  readonly bytes?: number;
}

/** The variables of a function, or those of all, which have neither name nor code. */
export interface FileScope {
  readonly name: string;
  readonly address: number;
  readonly length: number;
  readonly variables: readonly FileVariable[];
  /** Instructions that use something of a library, whose own names the file does not have. */
  readonly uses: readonly FileUse[];
}

export interface FileUse {
  readonly name: string;
  readonly at: readonly number[];
}

/** A line of a listing, whose number may have to be looked for in the source. */
export interface ListedLine extends Omit<FileLine, 'line'> {
  readonly line?: number;
  readonly text: string;
}

/** One that the author of a program has stated in its source. */
export interface FileBreakpoint {
  readonly type: 'exec' | 'read' | 'write';
  readonly address: number;
  readonly length: number;
  readonly condition?: string;
  readonly logOnly?: boolean;
}

/** What a symbol file tells, whatever its format. */
export interface SymbolFile {
  readonly format: 'vice' | 'acme' | 'ca65' | 'kickassembler' | '64tass' | 'xa' | 'oscar64' | 'json';
  readonly symbols: readonly FileSymbol[];
  readonly lines: readonly FileLine[];
  /** Lines that are to be numbered by the texts of their files. */
  readonly listed?: readonly ListedLine[];
  readonly annotations: readonly Annotation[];
  readonly breakpoints?: readonly FileBreakpoint[];
  readonly scopes?: readonly FileScope[];
}
