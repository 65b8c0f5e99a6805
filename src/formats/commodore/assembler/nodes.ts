import type { SourceLine } from './assembly.ts';
import type { Expression } from './expression.ts';
import type { Instruction, OperandShape } from './instructions.ts';
import type { Token } from './lexer.ts';

/** A statement's worth of tokens; a line with braces or separators has several. */
export interface Piece {
  readonly line: SourceLine;
  readonly tokens: readonly Token[];
}

interface Place {
  readonly line: SourceLine;
  readonly column: number;
}

export interface Argument {
  readonly tokens: readonly Token[];
  readonly column: number;
  /** The argument when it is one string. */
  readonly text?: string;
  /** Parsed when first asked for. */
  expression(): Expression;
}

export type Block = readonly Node[];

export interface Macro {
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly fallback: readonly Token[] }[];
  readonly body: readonly Piece[];
}

/** One parsed statement. */
export type Node = Place &
  (
    | { readonly kind: 'blank' }
    | { readonly kind: 'label'; readonly name: string }
    | { readonly kind: 'anonymous'; readonly name: string }
    | { readonly kind: 'assign'; readonly name: string; readonly operator: string; readonly value: Expression }
    | { readonly kind: 'origin'; readonly value: Expression }
    | InstructionNode
    | { readonly kind: 'directive'; readonly name: string; readonly prefix: string; readonly args: readonly Argument[] }
    | CallNode
    | { readonly kind: 'if'; readonly branches: readonly { readonly test: Expression; readonly body: Block }[] }
    | { readonly kind: 'repeat'; readonly count: Expression; readonly counter?: string; readonly body: Block }
    | {
        readonly kind: 'loop';
        readonly first?: Node;
        readonly test: Expression;
        readonly step?: Node;
        readonly body: Block;
      }
    | { readonly kind: 'macro'; readonly macro: Macro }
    | { readonly kind: 'scope'; readonly name: string; readonly body: Block }
    | { readonly kind: 'zone'; readonly name: string; readonly body?: Block }
    | { readonly kind: 'phase'; readonly value: Expression; readonly body: Block }
    | { readonly kind: 'encoding'; readonly name: string; readonly body?: Block }
  );

export interface InstructionNode extends Place {
  readonly kind: 'instruction';
  readonly name: string;
  readonly instruction: Instruction;
  readonly shape: OperandShape;
  readonly operand?: Expression;
  /** The size of the address that the source asked for. */
  readonly bytes?: 1 | 2;
}

export interface CallNode extends Place {
  readonly kind: 'call';
  readonly name: string;
  readonly args: readonly (readonly Token[])[];
  /** What the line means when no macro has that name: a label and the statements after it. */
  readonly otherwise?: Block;
  /** The expansion of the last pass; tokens do not change between passes. */
  expansion?: { readonly macro: Macro; readonly body: Block };
}
