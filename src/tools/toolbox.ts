import { isModest, usualMostChars } from '../api/argument-limits.ts';
import { numbersAsTexts, parseArguments } from '../api/arguments.ts';
import { outcomeText } from '../api/outcome-text.ts';
import { type Actor, mayAct, requireRole } from '../api/roles.ts';
import type { Caller, Deed, ListedTool, Outcome } from '../api/tool-host.ts';
import { visibleData, visibleJson, visibleText } from '../api/visible.ts';
import { suggestion } from '../formats/nearest-name.ts';
import { type Advice, MachineError } from '../machine/errors.ts';
import type { Machine } from '../machine/machine.ts';
import type { Rack } from '../rack/rack.ts';
import { callMachineTool, callRackTool } from './call.ts';
import type { Confirmations } from './confirmations.ts';
import { innerTools } from './inner/index.ts';
import { Scenes } from './journal/scenes.ts';
import { Stills } from './journal/stills.ts';
import { type KnownTool, knownTool } from './known-tool.ts';
import type { DescribedMachines } from './machine-list.ts';
import { isOpen, type Seen, Shelf, worksOn } from './shelf.ts';
import { systemFailure } from './system-failure.ts';
import type { Tool, ToolContext } from './tool.ts';
import { rankTools } from './tool-find/rank-tools.ts';
import { throughFinder } from './tool-find/through-finder.ts';
import { describeCall, roleForCall } from './tool-role.ts';
import { noSuchTool, switchedOff, type Toolset, type ToolsetChoice, toolsets } from './toolsets.ts';
import { withoutPasswords } from './without-passwords.ts';

/** Machines that are not in this rack: on other hosts, or in other threads. */
export interface Elsewhere extends Seen {
  /** Passes a call on as it came, where the machine's own toolbox checks it; undefined if the machine is not known to be there. */
  relay?(tool: Tool, raw: unknown, caller: Caller): Promise<Outcome> | undefined;
  /** Carries out a call that was found to be right; undefined if it is for this rack. */
  carryOut(tool: Tool, raw: unknown, input: Record<string, unknown>, caller: Caller): Promise<Outcome> | undefined;
  /** Where a list of machines is made here: those that it has beside the ones of this rack. */
  readonly outside?: Outside;
}

/** For lists of machines that are partly in other threads. */
export interface Outside {
  describe(
    wanted: { readonly filter: string | undefined; readonly after: string | undefined },
    caller: Caller,
  ): Promise<DescribedMachines>;
  /** Those of these that are there. */
  describeThese(machines: readonly string[], caller: Caller): Promise<DescribedMachines>;
  /** Until no person has the machine, with what was said when it was given back; undefined where it is not one of these. */
  whenFree(machine: string, caller: Caller): Promise<readonly string[]> | undefined;
}

interface EndedCall {
  readonly at: number;
  readonly tool: string;
  readonly machine: string | undefined;
  readonly raw: unknown;
  readonly durationMs: number;
}

/** Tools named to somebody who called one that there is not. */
const mostAlike = 3;

/** The tools that are switched on, and the one way to call them. */
export class Toolbox {
  readonly rack: Rack;
  readonly #confirmations: Confirmations;
  readonly #logBug: (error: unknown, tool: string) => void;
  readonly #tools = new Map<string, KnownTool>();
  readonly #switchedOff = new Map<string, Toolset>();
  readonly #elsewhere: Elsewhere | undefined;
  /** Which of the tools clients see. */
  readonly shelf: Shelf;
  /** All machines that calls here can be for. */
  readonly seen: Seen;
  readonly stills: Stills;
  readonly #scenes: Scenes;
  readonly #isPart: boolean;

  constructor(
    tools: readonly Tool[],
    choice: readonly ToolsetChoice[],
    rack: Rack,
    confirmations: Confirmations,
    logBug: (error: unknown, tool: string) => void,
    elsewhere?: Elsewhere,
    partOf?: { readonly firstStill: number },
  ) {
    this.#elsewhere = elsewhere;
    this.seen = elsewhere ?? rack;
    this.#isPart = partOf !== undefined;
    this.stills = new Stills(partOf?.firstStill);
    this.#scenes = new Scenes(this.stills);
    this.rack = rack;
    this.#confirmations = confirmations;
    this.#logBug = logBug;
    for (const tool of [...tools, ...innerTools]) {
      const { toolset } = tool;
      this.#tools.set(tool.name, knownTool(tool));
      const isOn = toolset === 'inner' || isOpen(choice) || choice.includes(toolset);
      if (!isOn) this.#switchedOff.set(tool.name, toolset);
    }
    this.shelf = new Shelf(this.offered, choice, this.seen);
  }

  get outside(): Outside | undefined {
    return this.#elsewhere?.outside;
  }

  get tools(): readonly ListedTool[] {
    return [...this.#tools.values()].filter(({ tool }) => this.#isOffered(tool));
  }

  /** What works on a machine and is not in every list from the start. */
  beyondTheList(machine: Machine): readonly Toolset[] {
    const usable = this.offered.filter((tool) => worksOn(tool, machine));
    return [...new Set(usable.map(({ toolset }) => toolset))].filter(
      (toolset) => toolset !== 'inner' && !toolsets[toolset].listed,
    );
  }

  /** Everything that agents can call, as it is defined. */
  get offered(): readonly Tool[] {
    return [...this.#tools.values()].map(({ tool }) => tool).filter((tool) => this.#isOffered(tool));
  }

  /** The arguments as the tool will see them; throws what an agent can act on, first of all that it may not. */
  check(called: string, given: unknown, caller: Actor & Pick<Caller, 'via'>): Record<string, unknown> {
    return this.#checked(...throughFinder(called, given), caller);
  }

  #checked(name: string, raw: unknown, caller: Actor & Pick<Caller, 'via'>): Record<string, unknown> {
    const { tool, arguments: schema } = this.#known(name, caller);
    allow(tool, raw, caller);
    const given = caller.via === undefined ? numbersAsTexts(schema, raw) : raw;
    const input = parseArguments(caller.via ?? name, schema, given, usualMostChars);
    allow(tool, input, caller);
    return input;
  }

  /** Carries a call out and writes it into the journal, or says what belongs there where another toolbox keeps it. Never throws. */
  async call(called: string, given: unknown, caller: Caller): Promise<Outcome> {
    const [name, raw] = throughFinder(called, given);
    const isRead = this.readsAt(name) !== 'never';
    if (caller.isQuiet && isRead) return this.#attempt(name, raw, caller);
    const at = Date.now();
    const scene = this.#scenes.begin(this.#meant(raw), isRead);
    const { around, ...outcome } = await this.#attempt(name, raw, caller);
    const asked = machineOf(raw);
    const machine = asked ?? (outcome.type === 'answer' ? machineOf(outcome.answer.data) : undefined);
    const scenery = { ...scene.end(this.#meant({ machine })), ...around };
    if (this.#isPart) return { ...outcome, around: scenery };
    const durationMs = Date.now() - at;
    const call = { at, tool: name, machine, raw, durationMs };
    // The gateway that passed it on keeps it; what is kept here nobody can read unless there is a file.
    if (!caller.isRelayed || this.rack.journal.isWritten) this.#record(call, outcome, scenery, caller);
    if (caller.person === undefined && this.#tools.get(name)?.tool.scope === 'machine') this.shelf.used();
    this.rack.audit.note(caller, { tool: name, machine: asked, durationMs, ...audited(outcome) });
    return caller.isRelayed && Object.keys(scenery).length > 0 ? { ...outcome, around: scenery } : outcome;
  }

  #record(
    { at, tool, machine, raw, durationMs }: EndedCall,
    outcome: Outcome,
    scenery: NonNullable<Outcome['around']>,
    caller: Caller,
  ): void {
    const images = outcome.type === 'answer' ? (outcome.answer.images ?? []) : [];
    this.rack.journal.add({
      at,
      client: caller.client,
      tool,
      ...(caller.via !== undefined && { via: caller.via }),
      ...(caller.within !== undefined && { within: caller.within }),
      ...(caller.person !== undefined && { isPerson: true }),
      ...(machine !== undefined && { machine }),
      arguments: isModest(raw) ? withoutPasswords(raw ?? {}) : 'too large to be kept',
      answer: outcomeText(outcome),
      isError: outcome.type === 'error',
      durationMs,
      ...(images.length > 0 && { images }),
      ...scenery,
    });
  }

  /** The machine that a call is about, if it is there. */
  #meant(raw: unknown): Machine | undefined {
    const { machines } = this.rack;
    const handle = machineOf(raw);
    if (handle === undefined) return this.rack.handles.length === 1 ? machines[0]?.machine : undefined;
    return machines.find((racked) => racked.handle === handle)?.machine;
  }

  /** Whether a tool only reads: at a moment that the machine can be held at, or while time passes. */
  readsAt(name: string): 'moment' | 'any time' | 'never' {
    const tool = this.#tools.get(name)?.tool;
    if (tool?.effect !== 'read') return 'never';
    return tool.scope === 'machine' && !tool.letsTimePass ? 'moment' : 'any time';
  }

  async #attempt(name: string, raw: unknown, caller: Caller): Promise<Outcome> {
    const outcome = await this.#carryOut(name, raw, caller);
    // Who passed it on looks at what it answers, as at everything that it answers.
    if (caller.isRelayed && outcome.type === 'answer' && !this.rack.journal.isWritten) return outcome;
    const isJson = formatOf(raw) === 'json';
    // What a dialect makes of a text of an inner tool is made visible when it is sent.
    const kept = this.#tools.get(name)?.tool.toolset === 'inner' ? '\r' : '';
    return visibleOutcome(outcome, isJson, kept);
  }

  async #carryOut(name: string, raw: unknown, caller: Caller): Promise<Outcome> {
    try {
      const { tool } = this.#known(name, caller);
      const relayed = this.#relayed(tool, raw, caller);
      if (relayed) return await relayed;
      const input = this.#checked(name, raw, caller);
      const there = this.#elsewhere?.carryOut(tool, raw, input, caller);
      if (there) return await there;
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
      const ofSystem = systemFailure(caller.via ?? name, error);
      if (ofSystem) return { type: 'error', error: ofSystem };
      this.#logBug(error, name);
      return {
        type: 'error',
        error: new MachineError(
          'INTERNAL',
          `${caller.via ?? name} failed because of an internal error.`,
          'It was logged. Try another way, or report it with the log.',
        ),
      };
    }
  }

  /** Who may not call it is refused here; whether the arguments are right is for the host of the machine, which trusts nobody's word for it. */
  #relayed(tool: Tool, raw: unknown, caller: Caller): Promise<Outcome> | undefined {
    if (tool.scope !== 'machine' || !this.#elsewhere?.relay) return undefined;
    allow(tool, raw, caller);
    return this.#elsewhere.relay(tool, raw, caller);
  }

  #isOffered({ name, toolset }: Tool): boolean {
    return toolset !== 'inner' && !this.#switchedOff.has(name);
  }

  /**
   * Dialects and debuggers are made of all tools, inner ones and those that agents are not offered included. People at the
   * page have no list that could become too long.
   */
  #known(name: string, { via, person }: Pick<Caller, 'via' | 'person'>): KnownTool {
    const known = this.#tools.get(name);
    const isForPeople = person !== undefined && known?.tool.toolset !== 'inner';
    if (known && (via !== undefined || isForPeople || this.#isOffered(known.tool))) return known;
    throw this.unknown(name);
  }

  /** Why a tool of this name cannot be called. */
  unknown(name: string): MachineError {
    const toolset = this.#switchedOff.get(name);
    if (toolset !== undefined) return switchedOff(name, toolset);
    const asked = name.slice(0, 60);
    const meant = suggestion(
      asked,
      this.tools.map((tool) => tool.name),
    );
    const alike =
      meant === '' ? rankTools(asked.replace(/([a-z])([A-Z])/g, '$1 $2'), this.offered).slice(0, mostAlike) : [];
    return noSuchTool(
      name,
      meant,
      alike.map((tool) => tool.name),
    );
  }
}

function allow(tool: Tool, args: unknown, caller: Actor & Pick<Caller, 'via'>): void {
  const needed = roleForCall(tool, args);
  if (!mayAct(caller.role, needed)) requireRole(caller, needed, describeCall(tool, args, caller.via));
}

/** Nothing reaches an agent, or the journal, that cannot be seen. */
function visibleOutcome(outcome: Outcome, isJson: boolean, kept: string): Outcome {
  switch (outcome.type) {
    case 'answer': {
      const { text, data, ...rest } = outcome.answer;
      const shown = isJson ? visibleJson(text) : visibleText(text);
      return { ...outcome, answer: { ...rest, text: shown, ...(data && { data: visibleData(data, kept) }) } };
    }
    case 'error': {
      const { type, message, advice, data } = outcome.error;
      const cause = outcome.error;
      const error = new MachineError(type, visibleText(message), advice.map(visibleAdvice), visibleData(data), {
        cause,
      });
      return { ...outcome, error };
    }
    case 'confirm':
      return { ...outcome, question: visibleText(outcome.question) };
  }
}

function visibleAdvice(way: Advice): Advice {
  return way.map((part) => {
    if (typeof part === 'string') return visibleText(part);
    return part.arguments === undefined ? part : { ...part, arguments: visibleData(part.arguments) };
  });
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

function formatOf(raw: unknown): unknown {
  return typeof raw === 'object' && raw !== null && 'format' in raw ? raw.format : undefined;
}
