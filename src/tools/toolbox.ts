import type { z } from 'zod';
import { MachineError } from '../machine/errors.ts';
import type { Deed } from '../rack/audit.ts';
import type { Rack } from '../rack/rack.ts';
import { type Actor, requireRole } from '../rack/roles.ts';
import { isModest, usualMostChars } from './argument-limits.ts';
import { callMachineTool, callRackTool } from './call.ts';
import type { Confirmations } from './confirmations.ts';
import { argumentsOf, type JsonSchema, jsonSchemaOf, parseArguments } from './input-schema.ts';
import type { Tool, ToolAnswer, ToolContext, Toolset } from './tool.ts';
import { describeCall, roleForCall } from './tool-role.ts';
import { visibleData, visibleJson, visibleText } from './visible.ts';
import { withoutPasswords } from './without-passwords.ts';

/** What the caller of a tool brings along. */
export interface Caller extends Actor {
  /** Who calls, from one call to the next; what is nobody else's belongs to it. */
  readonly session?: string;
  readonly signal: AbortSignal;
  progress(message: string): void;
  /** A person has just agreed to this very call. */
  readonly confirmed?: boolean;
}

export type Outcome =
  | { readonly type: 'answer'; readonly answer: ToolAnswer }
  | { readonly type: 'error'; readonly error: MachineError }
  | { readonly type: 'confirm'; readonly question: string; readonly token: string };

export interface ListedTool {
  readonly tool: Tool;
  readonly inputSchema: JsonSchema;
}

/** The tools that are switched on, and the one way to call them. */
export class Toolbox {
  readonly rack: Rack;
  readonly #confirmations: Confirmations;
  readonly #logBug: (error: unknown, tool: string) => void;
  readonly #tools = new Map<string, ListedTool & { readonly arguments: z.ZodObject }>();
  readonly #switchedOff = new Map<string, Toolset>();

  constructor(
    tools: readonly Tool[],
    toolsets: readonly (Toolset | 'all')[],
    rack: Rack,
    confirmations: Confirmations,
    logBug: (error: unknown, tool: string) => void,
  ) {
    this.rack = rack;
    this.#confirmations = confirmations;
    this.#logBug = logBug;
    for (const tool of tools) {
      if (!toolsets.includes('all') && !toolsets.includes(tool.toolset)) {
        this.#switchedOff.set(tool.name, tool.toolset);
        continue;
      }
      const schema = argumentsOf(tool);
      this.#tools.set(tool.name, { tool, arguments: schema, inputSchema: jsonSchemaOf(schema) });
    }
  }

  get tools(): readonly ListedTool[] {
    return [...this.#tools.values()];
  }

  has(name: string): boolean {
    return this.#tools.has(name);
  }

  /** The arguments as the tool will see them; throws what an agent can act on, first of all that it may not. */
  check(name: string, raw: unknown, caller: Actor): Record<string, unknown> {
    const { tool, arguments: schema } = this.#listed(name);
    const allow = (args: unknown) => requireRole(caller, roleForCall(tool, args), describeCall(tool, args));
    allow(raw);
    const input = parseArguments(name, schema, raw, usualMostChars);
    allow(input);
    return input;
  }

  /** Carries a call out and writes it into the journal. Never throws. */
  async call(name: string, raw: unknown, caller: Caller): Promise<Outcome> {
    const at = Date.now();
    const outcome = await this.#attempt(name, raw, caller);
    const machine = machineOf(raw);
    const durationMs = Date.now() - at;
    this.rack.journal.add({
      at,
      client: caller.client,
      tool: name,
      ...(machine === undefined ? {} : { machine }),
      arguments: isModest(raw) ? withoutPasswords(raw ?? {}) : 'too large to be kept',
      answer: outcomeText(outcome),
      isError: outcome.type === 'error',
      durationMs,
    });
    this.rack.audit.note(caller, { tool: name, machine, durationMs, ...audited(outcome) });
    return outcome;
  }

  async #attempt(name: string, raw: unknown, caller: Caller): Promise<Outcome> {
    return visibleOutcome(await this.#carryOut(name, raw, caller), formatOf(raw) === 'json');
  }

  async #carryOut(name: string, raw: unknown, caller: Caller): Promise<Outcome> {
    try {
      const { tool } = this.#listed(name);
      const input = this.check(name, raw, caller);
      const { confirmed: agreed = false, session = 'local', ...rest } = caller;
      const context: ToolContext = { ...rest, session, rack: this.rack, toolbox: this };
      if (tool.scope === 'rack') return { type: 'answer', answer: await callRackTool(tool, input, context) };
      const confirmed = agreed || this.#confirmations.redeem(input.confirmation_token, name, raw);
      const { confirmation_token: _, ...own } = input;
      const result = await callMachineTool(tool, own, context, confirmed || !this.#confirmations.wanted);
      if (!('question' in result)) return { type: 'answer', answer: result };
      return { type: 'confirm', question: result.question, token: this.#confirmations.issue(name, raw) };
    } catch (error) {
      if (error instanceof MachineError) return { type: 'error', error };
      if (isOutOfDescriptors(error)) return { type: 'error', error: outOfDescriptors(name, error) };
      this.#logBug(error, name);
      return {
        type: 'error',
        error: new MachineError(
          'INTERNAL',
          `${name} failed by a fault of the server's own.`,
          'The fault was logged. Try another way, or report it with the log.',
        ),
      };
    }
  }

  #listed(name: string) {
    const listed = this.#tools.get(name);
    if (listed) return listed;
    const toolset = this.#switchedOff.get(name);
    if (toolset !== undefined) {
      throw new MachineError(
        'UNKNOWN_TOOL',
        `${name} belongs to the toolset ${toolset}, which is switched off.`,
        `Start the server with --toolset core,debug,${toolset}, or --toolset all.`,
        { toolset },
      );
    }
    throw new MachineError(
      'UNKNOWN_TOOL',
      `No tool ${JSON.stringify(name.slice(0, 60))}.`,
      `Tools: ${[...this.#tools.keys()].join(', ')}. Others may be switched on with --toolset.`,
    );
  }
}

function isOutOfDescriptors(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}

function outOfDescriptors(tool: string, error: Error): MachineError {
  return new MachineError(
    'UNAVAILABLE',
    `${tool} failed: the server has too many files open (${error.message}).`,
    'Stop machines that are not needed; the user can start the server with a higher limit (ulimit -n).',
    {},
    { cause: error },
  );
}

/** Nothing reaches an agent, or the journal, that cannot be seen. */
function visibleOutcome(outcome: Outcome, isJson: boolean): Outcome {
  switch (outcome.type) {
    case 'answer': {
      const { text, data, ...rest } = outcome.answer;
      const shown = isJson ? visibleJson(text) : visibleText(text);
      return { ...outcome, answer: { ...rest, text: shown, ...(data && { data: visibleData(data) }) } };
    }
    case 'error': {
      const { type, message, fix, data } = outcome.error;
      const error = new MachineError(type, visibleText(message), visibleText(fix), visibleData(data), {
        cause: outcome.error,
      });
      return { ...outcome, error };
    }
    case 'confirm':
      return { ...outcome, question: visibleText(outcome.question) };
  }
}

/** What the agent reads. */
export function outcomeText(outcome: Outcome): string {
  switch (outcome.type) {
    case 'answer':
      return outcome.answer.text;
    case 'error':
      return `ERROR ${outcome.error.message}\nFix: ${outcome.error.fix}`;
    case 'confirm':
      return (
        `NOT DONE YET: ${outcome.question}\n` +
        `Ask the user. If they agree, repeat the same call with "confirmation_token":"${outcome.token}".`
      );
  }
}

function formatOf(raw: unknown): unknown {
  return typeof raw === 'object' && raw !== null && 'format' in raw ? raw.format : undefined;
}

/** An answer names the machine, also where the call could leave it out. */
function audited(outcome: Outcome): Pick<Deed, 'outcome' | 'why' | 'machine'> {
  if (outcome.type === 'answer') {
    const machine = machineOf(outcome.answer.data);
    return { outcome: 'done', ...(machine !== undefined && { machine }) };
  }
  if (outcome.type === 'confirm') return { outcome: 'asked' };
  const { type, message } = outcome.error;
  return { outcome: type === 'DENIED' ? 'denied' : 'failed', why: `${type}: ${message}` };
}

function machineOf(raw: unknown): string | undefined {
  if (typeof raw !== 'object' || raw === null || !('machine' in raw)) return undefined;
  return typeof raw.machine === 'string' ? raw.machine : undefined;
}
