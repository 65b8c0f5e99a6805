import type { Annotation } from '../symbols/annotation.ts';
import type { FileBreakpoint } from '../symbols/symbol-file.ts';
import type { TextEncoding } from './text-encoding.ts';

export interface AssembleOptions {
  readonly fileName?: string;
  include?(path: string): string | undefined;
  includeBinary?(path: string): Uint8Array | undefined;
  /** Where the program starts until the source says otherwise; $C000 by default. */
  readonly origin?: number;
  readonly symbols?: Readonly<Record<string, number>>;
  /** How strings become bytes until the source says otherwise; `petscii` by default. */
  readonly encoding?: TextEncoding;
  /** Work that may be done, a statement being about one; more of it ends in `EffortExceeded`. */
  readonly mostEffort?: number;
}

export interface SourceLine {
  readonly file: string;
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

export interface AssemblyProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The source line itself. */
  readonly text: string;
}

export interface AssemblySymbol {
  /** With the scopes around it: `draw.loop`. */
  readonly name: string;
  readonly value: number;
  readonly kind: 'label' | 'constant' | 'variable';
  /** The scope it is defined in; '' for the outermost. */
  readonly scope: string;
  readonly file: string;
  readonly line: number;
}

export interface AssemblySegment {
  readonly address: number;
  readonly bytes: Uint8Array;
}

export interface ListingLine {
  readonly address: number;
  readonly bytes: Uint8Array;
  readonly file: string;
  readonly line: number;
  readonly source: string;
}

export interface LineAddress {
  readonly address: number;
  readonly length: number;
  readonly file: string;
  readonly line: number;
}

export interface AssemblyResult {
  readonly origin: number;
  /** One image from `origin` on; what no segment covers is 0. With errors it is what could be assembled. */
  readonly bytes: Uint8Array;
  readonly segments: readonly AssemblySegment[];
  readonly symbols: ReadonlyMap<string, AssemblySymbol>;
  readonly listing: readonly ListingLine[];
  readonly annotations: readonly (Annotation & { readonly address: number })[];
  /** Stated by `.break` and `.watch`. */
  readonly breakpoints: readonly FileBreakpoint[];
  /** Where the code of each line lies, in order of addresses. */
  readonly lines: readonly LineAddress[];
  /** At most 20. */
  readonly errors: readonly AssemblyProblem[];
  readonly warnings: readonly AssemblyProblem[];
  readonly passes: number;
}
