import type { z } from 'zod';
import type { ToolImage } from '../tools/tool.ts';
import type { Caller, Toolbox } from '../tools/toolbox.ts';

/** The exact tool surface of another server, as a table over our tools. */
export interface Dialect {
  readonly name: string;
  readonly instructions: string;
  /** Where it differs from the other server, and why; for the reference. */
  readonly notes: readonly string[];
  readonly tools: readonly DialectTool[];
  /** The other server tells a failed call in its result and not as an error of the protocol. */
  readonly failuresAreResults?: true;
  readonly resources?: DialectResources;
  /** The same with the options of the command line that concern it. */
  configured?(settings: DialectSettings): Dialect;
}

export interface DialectSettings {
  /** `--cfg-cpu`: opens the control-flow graph in `spice86`. */
  readonly cfgCpu: boolean;
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
  call(input: z.output<Input>, toolbox: Toolbox, caller: Caller): Promise<DialectAnswer>;
}

/** `images` are shown beside the other fields. */
export type DialectAnswer = Readonly<Record<string, unknown>> & { readonly images?: readonly ToolImage[] };

/** The resources the other server has: one per console, with its output. */
export interface DialectResources {
  uri(handle: string): string;
  /** The whole text that is kept. */
  read(handle: string, toolbox: Toolbox): Promise<string>;
  /** A reader wants updates with what is printed from now on. */
  begin(handle: string, reader: string, toolbox: Toolbox): void;
  /** The parameters of its next update notification, beside the address; undefined when there is nothing new. */
  update(handle: string, reader: string, toolbox: Toolbox): DialectUpdate | undefined;
  end(handle: string, reader: string, toolbox: Toolbox): void;
}

export interface DialectUpdate {
  readonly params: Readonly<Record<string, unknown>>;
  /** There is more than fits into one notification. */
  readonly more: boolean;
}

export function defineDialectTool<Input extends z.ZodObject>(tool: DialectTool<Input>): DialectTool<Input> {
  return tool;
}
