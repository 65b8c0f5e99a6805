import type { z } from 'zod';
import type { Actor, Effect } from '../api/roles.ts';
import type { ToolAnswer } from '../api/tool-host.ts';
import type { Capability, MachineWith } from '../machine/machine.ts';
import type { Rack } from '../rack/rack.ts';
import type { Toolbox } from './toolbox.ts';
import type { Toolset } from './toolsets.ts';

export interface ToolContext extends Actor {
  readonly rack: Rack;
  readonly toolbox: Toolbox;
  /** Aborts when the client cancels, the machine goes, or the call has lasted too long. */
  readonly signal: AbortSignal;
  /** The same for all calls of one client. */
  readonly session: string;
  /** The tool of a dialect that the call is made for: the name that the caller knows. */
  readonly via?: string;
  /** A person's debugger calls: what it sees, no agent has been told. */
  readonly isDebugger?: boolean;
  /** Tells the client that the call is alive. Never fails. */
  progress(message: string): void;
}

interface ToolBase<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly toolset: Toolset;
  /** From this one word follow annotations, locking, holding still, and the role that is needed. */
  readonly effect: Effect;
  /** Same call, same outcome: a client may repeat it. */
  readonly idempotent?: boolean;
  /** Reaches beyond this server: a network, a program of the user's. */
  readonly openWorld?: boolean;
  readonly input: Input;
}

/** A tool that works on one machine; the argument `machine` is added to its input. */
export interface MachineTool<Input extends z.ZodObject = z.ZodObject, Needs extends Capability = Capability>
  extends ToolBase<Input> {
  readonly scope: 'machine';
  readonly needs: readonly Needs[];
  /** Only while the machine is stopped. */
  readonly whileStopped?: boolean;
  /** Waits for the machine to do something, so it must not be held still although it only reads. */
  readonly letsTimePass?: boolean;
  /** The question to put to a person before this call, if one is needed. */
  confirm?(
    machine: MachineWith<Needs>,
    input: z.output<Input>,
    context: ToolContext,
  ): string | undefined | Promise<string | undefined>;
  run(
    machine: MachineWith<Needs>,
    input: z.output<Input>,
    context: ToolContext & { readonly handle: string },
  ): Promise<ToolAnswer>;
}

/** A tool that works on the rack as a whole. */
export interface RackTool<Input extends z.ZodObject = z.ZodObject> extends ToolBase<Input> {
  readonly scope: 'rack';
  run(input: z.output<Input>, context: ToolContext): Promise<ToolAnswer>;
}

export type Tool = MachineTool | RackTool;

export function defineTool<Input extends z.ZodObject, const Needs extends Capability>(
  tool: Omit<MachineTool<Input, Needs>, 'scope'>,
): MachineTool<Input, Needs> {
  return { scope: 'machine', ...tool };
}

export function defineRackTool<Input extends z.ZodObject>(tool: Omit<RackTool<Input>, 'scope'>): RackTool<Input> {
  return { scope: 'rack', ...tool };
}
