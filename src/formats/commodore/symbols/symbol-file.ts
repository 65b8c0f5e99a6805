import type { Annotation } from './annotation.ts';

export interface FileSymbol {
  /** With its scopes: `draw.loop`. */
  readonly name: string;
  readonly address: number;
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

/** What a symbol file tells, whatever its format. */
export interface SymbolFile {
  readonly format: 'vice' | 'acme' | 'ca65' | 'kickassembler' | '64tass' | 'xa' | 'json';
  readonly symbols: readonly FileSymbol[];
  readonly lines: readonly FileLine[];
  readonly annotations: readonly Annotation[];
}
