import type { FileBreakpoint } from '../symbols/symbol-file.ts';
import type { SourceLine } from './assembly.ts';
import type { Argument } from './nodes.ts';
import type { TextEncoding } from './text-encoding.ts';

/** What a directive can do to the program that is being assembled. */
export interface DirectiveContext {
  readonly line: SourceLine;
  readonly column: number;
  readonly prefix: string;
  readonly pc: number;
  readonly isUntouched: boolean;
  encoding: TextEncoding;
  /** The value of an argument; undefined (and reported, should it stay so) while it is not known. */
  value(argument: Argument): number | undefined;
  emit(bytes: Iterable<number>): void;
  /** Little-endian, with a check that it fits. */
  emitNumber(value: number | undefined, size: number, column: number): void;
  text(argument: Argument, encoding: TextEncoding): number[];
  origin(address: number, column: number): void;
  include(path: string, column: number): void;
  binary(path: string, column: number): Uint8Array;
  assign(name: string, value: number | undefined, variable: boolean): void;
  /** ca65's segments: the zero page and BSS have addresses of their own and no bytes, all others follow as written. */
  segment(name: string): void;
  breakpoint(breakpoint: FileBreakpoint): void;
  fail(column: number, message: string): void;
  warn(column: number, message: string): void;
}

export type Directive = (context: DirectiveContext, args: readonly Argument[]) => void;
