import type { z } from 'zod';
import type { Caller, ToolHost, ToolImage } from '../api/tool-host.ts';
import type { MachineError } from '../machine/errors.ts';
import type { AdviceNames } from './advice-names.ts';
import type { DialectValues } from './dialect-option.ts';
import type { DialectName } from './options.ts';

/** The exact tool surface of another server, as a table over our tools. */
export interface Dialect {
  readonly name: DialectName;
  readonly instructions: string;
  /** Where it differs from the other server, and why; for the reference. */
  readonly notes: readonly string[];
  readonly tools: readonly DialectTool[];
  /** The other server tells a failed call in its result and not as an error of the protocol. */
  readonly failuresAreResults?: true;
  /** The resources it has: one per machine with a console, with its output. */
  readonly output?: DialectOutput;
  /** What clients are told that have asked for it with a tool. */
  readonly pushes?: DialectPushes;
  /** What to call where an error advises one of our own tools. */
  readonly advice: AdviceNames;
  /** The same with its options as they were given. */
  configured?(values: DialectValues, self: { readonly version: string }): Dialect;
  /** How the other server refuses a tool that it does not have. */
  refuse?(tool: string, host: ToolHost): MachineError;
  /** Starts what has to be there before a client comes. Throws a `MachineError` where that cannot be. */
  prepare?(host: ToolHost, values: DialectValues): Promise<void>;
}

export interface DialectTool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  readonly input: Input;
  /** Answers with the fields that the other server's result has. */
  call(input: z.output<Input>, host: ToolHost, caller: Caller): Promise<DialectAnswer>;
}

/** `images` are shown beside the other fields. */
export type DialectAnswer = Readonly<Record<string, unknown>> & { readonly images?: readonly ToolImage[] };

/** Messages to clients that nobody waits for. Each client that asks has a resource of its own with the last of them. */
export interface DialectPushes {
  readonly logger: string;
  readonly template: { readonly uriTemplate: string; readonly name: string };
  onPush(listener: (push: DialectPush) => void): () => void;
  /** Pushes after this number; undefined where there is no such resource. */
  since(uri: string, number: number): readonly DialectPush[] | undefined;
  sessionEnded(session: string): void;
}

export interface DialectPush {
  /** Rises with each push of a client. */
  readonly number: number;
  readonly session: string;
  readonly uri: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface DialectOutput {
  uri(machine: string): string;
  machineOf(uri: string): string | undefined;
  /** The parameters of an update notification, beside the address. */
  update(text: string): Readonly<Record<string, unknown>>;
}

export function defineDialectTool<Input extends z.ZodObject>(tool: DialectTool<Input>): DialectTool<Input> {
  return tool;
}
