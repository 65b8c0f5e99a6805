import type { CodePlace } from './functions.ts';

/** The control-flow graph of what has run so far. */
export interface GraphCapability {
  read(): Promise<FlowGraph>;
  /** Who reads and writes an address, or what the instruction there reads and writes, where that is recorded. */
  dataReferences?(address: bigint): Promise<readonly DataReference[]>;
  /** All that is known without a trace; offsets are only looked for among these addresses. */
  allDataReferences?(offsets: ReadonlySet<bigint>): Promise<readonly DataReference[]>;
}

export interface FlowGraph {
  /** By id; ids stay the same while the machine lives. */
  readonly blocks: ReadonlyMap<number, Block>;
  /** Where executions began: the program and each interrupt handler. */
  readonly entryPoints: readonly CodePlace[];
  readonly context: ExecutionContext;
  readonly lastExecuted?: CodePlace | undefined;
}

/** What the processor is in the middle of: the program has depth 0, an interrupt that came one more. */
export interface ExecutionContext {
  readonly depth: number;
  readonly entry: CodePlace;
}

/** Instructions that run one after another. A `selector` has none: it chooses among the variants of changed code. */
export interface Block extends CodePlace {
  readonly id: number;
  readonly kind: 'code' | 'selector';
  readonly bytes: number;
  /** Its last instruction; the place itself for a selector. */
  readonly last: CodePlace;
  readonly executions: number;
  /** Those that leave it. */
  readonly edges: readonly Edge[];
  /** One of several codes that this address has had. */
  readonly variant?: BlockVariant | undefined;
  /** Written out only when asked for: graphs are large. */
  instructions(): readonly BlockInstruction[];
}

export interface BlockVariant {
  /** From 1. */
  readonly number: number;
  readonly of: number;
  /** Whether memory holds this one now. */
  readonly live: boolean;
}

export interface BlockInstruction extends CodePlace {
  readonly bytes: Uint8Array;
  readonly text: string;
}

export interface Edge {
  readonly type: EdgeType;
  /** Id of the block it leads to. */
  readonly to: number;
  /** How often it was taken, where that is counted. */
  readonly count?: number | undefined;
}

/**
 * `return`: from a return instruction to wherever it led. `call-to-return`: from a call to the instruction after it, once
 * the call came back there.
 */
export const edgeTypes = [
  'normal',
  'call',
  'return',
  'call-to-return',
  'misaligned-return',
  'fault',
  'selector',
] as const;
export type EdgeType = (typeof edgeTypes)[number];

export interface DataReference {
  readonly instruction: CodePlace;
  /** `offset`: it has the address as a number, most likely. */
  readonly access: 'read' | 'write' | 'offset';
  readonly target: bigint;
}
