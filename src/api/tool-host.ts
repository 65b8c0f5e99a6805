import type { MachineError } from '../machine/errors.ts';
import type { Actor, Effect, Role } from './roles.ts';
import type { Glimpse, Viewer, Watch } from './watch.ts';

/**
 * Everything that servers, dialects and the page can do with machines. Whoever comes in goes through here, so the rules
 * for calls (role, confirmation, lease, turn, hold, deadline, journal) hold for all of them. Only plain data passes:
 * the machines may live in another process.
 */
export interface ToolHost {
  /** The tools that are switched on, listed or not. */
  readonly tools: readonly ListedTool[];
  /** Tools by what they are for. */
  readonly toolsets: readonly ToolsetSummary[];
  /** Whether clients see this tool in their list by now; once they do, they keep it. */
  isListed(tool: string): boolean;
  /** More tools are listed. */
  onToolsListed(listener: () => void): () => void;
  /** Why a tool of this name cannot be called. */
  unknownTool(name: string): MachineError;
  /** Carries a call out and writes it into the journal. Never rejects. */
  call(tool: string, args: unknown, caller: Caller): Promise<Outcome>;
  /** Throws what is wrong with a call before it is made: that this caller may not make it, or its arguments. */
  check(tool: string, args: unknown, caller: Actor): void;

  machines(): readonly MachineSummary[];
  readonly resources: readonly ResourceFamily[];
  /** Calls back when something about a machine has changed, and then at most every 50 ms for each of its consoles. */
  onChange(listener: (change: Change) => void): () => void;
  /** Machines came or went. */
  onListChange(listener: () => void): () => void;
  onEvent(listener: (event: HostEvent) => void): () => void;
  /** What happens inside a machine while it runs, as it happens; the answer ends that. Undefined where it cannot be told. */
  moments(machine: string, wanted: MomentsWanted, listener: (moment: HostMoment) => void): (() => void) | undefined;
  /** Machines for which `isWanted` says yes are not idle; the answer takes it back. */
  keepWhile(isWanted: (machine: string) => boolean): () => void;
  /**
   * Somebody works on a machine from outside, a debugger for example: everybody sees it in the state line, and the machine
   * is not idle. The answer ends the visit; undefined where there is no such machine.
   */
  visit(machine: string, who: string): (() => void) | undefined;
  /** What a client left on machines is not needed any more. */
  sessionEnded(session: string): void;

  /** Everything that is kept of what the first console of a machine printed; nothing where it has none. */
  outputOf(machine: string): Promise<string> | undefined;
  /** What that console prints from now on; the machine may be started later. */
  follow(machine: string): FollowedText;

  /** The last calls, and what people did between them, from the one after number `after` on. */
  calls(after: number): readonly RecordedCall[];
  /** One of them with the stills that were taken around it, as long as they are kept. */
  recorded(seq: number): Promise<RecordedMoment | undefined>;
  /** Writes into the log of who did what. */
  audit(actor: Partial<Actor>, deed: Deed): void;
  /** A person looks at a machine and uses it; nothing where there is none of that name. */
  watch(machine: string, console: string | undefined, actor: Actor, viewer: Viewer): Watch | undefined;
  /** A machine in small; nothing where there is none, or nothing to be seen. */
  glimpse(machine: string): Promise<Glimpse | undefined>;
  /** Several reads of one moment of a machine, for somebody who looks; the journal does not have them. */
  inspect(machine: string, reads: readonly InspectionRead[], caller: Caller): Promise<Inspection | undefined>;
  /** What can be started. */
  kinds(): readonly StartKind[];
  /** A person takes a machine: nobody else changes it until it is handed back. */
  take(machine: string, actor: Actor): Promise<void>;
  /** The note is for the agents. */
  handBack(machine: string, actor: Actor, note: string): Promise<void>;
  /** What people call a machine; the handle stays. */
  rename(machine: string, title: string, actor: Actor): Promise<void>;
  /** Keeps a file that a person brings; answers the path under which tools find it. */
  drop(name: string, bytes: Uint8Array, actor: Actor): string;
}

/** A read of a tool, without the machine. */
export interface InspectionRead {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface Inspection {
  readonly state: string;
  readonly line: string;
  /** The number of the stop that the machine was at; none while it runs. */
  readonly stop?: number;
  /** Emulated time, in the machine's words. */
  readonly time?: string;
  /** It took too long: some reads were given up, and may be tried again. */
  readonly isCutShort?: boolean;
  /** In the order of the reads. */
  readonly outcomes: readonly Outcome[];
}

export interface StartKind {
  readonly kind: string;
  readonly summary: string;
  readonly options: JsonSchema;
}

/** What the caller of a tool brings along. */
export interface Caller extends Actor {
  /** Whose places in the output of consoles a call means, where clients can be told apart. */
  readonly session?: string;
  /** The tool of a dialect that this call is made for. */
  readonly via?: string;
  readonly signal: AbortSignal;
  progress(message: string): void;
  /** A person has just agreed to this very call. */
  readonly confirmed?: boolean;
  /** A person's debugger makes this call: an agent has not been told of a stop that only the debugger saw. */
  readonly isDebugger?: boolean;
  /** Somebody only looks: a read is not written down. */
  readonly isQuiet?: boolean;
  /** Who passes it on keeps a journal too, makes its answer visible, and wants to know what was around it. */
  readonly isRelayed?: boolean;
  /** The tool whose step this call is. */
  readonly within?: string;
}

export type Outcome = (
  | { readonly type: 'answer'; readonly answer: ToolAnswer }
  | { readonly type: 'error'; readonly error: MachineError }
  | { readonly type: 'confirm'; readonly question: string; readonly token: string }
) & {
  /** For the journal, where that is not kept by who carried the call out. */
  readonly around?: Pick<RecordedCall, 'before' | 'after' | 'isBeside' | 'time'>;
};

/** What a tool hands back: text for the agent, complete in itself, and the same as data for programs. */
export interface ToolAnswer {
  readonly text: string;
  readonly data?: Readonly<Record<string, unknown>>;
  /** Pictures, and sounds with a type of `audio/…`. */
  readonly images?: readonly ToolImage[];
}

export interface ToolImage {
  readonly mimeType: string;
  readonly base64: string;
}

export type JsonSchema = Readonly<Record<string, unknown>> & { readonly type: 'object' };

export interface ListedTool {
  readonly name: string;
  readonly toolset: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly effect: Effect;
  readonly idempotent: boolean;
  readonly openWorld: boolean;
  /** Who has less cannot use it at all. */
  readonly role: Role;
}

export interface ToolsetSummary {
  readonly name: string;
  readonly purpose: string;
  /** In every list from the start; the tools of others come with the machines they work on. */
  readonly listed: boolean;
}

export interface MachineSummary {
  readonly handle: string;
  readonly kind: string;
  readonly state: string;
  /** The state line, as agents see it. */
  readonly line: string;
  readonly notes: readonly string[];
  /** The user's configuration names it: it is not stopped. */
  readonly isKept: boolean;
  /** Names of its serial lines. */
  readonly consoles: readonly string[];
  /** As a person at the page sees it, for whom it may run although it is stopped for agents. */
  readonly watched: { readonly state: string; readonly line: string; readonly hasScreen: boolean };
  /** It can be run, paused and reset. */
  readonly hasControl: boolean;
  /** It can be listened to. */
  readonly hasSound: boolean;
  readonly capabilities: readonly string[];
  /** It can be taken back in time. */
  readonly canRewind: boolean;
  /** What people call it. */
  readonly title?: string;
  /** Agents that have called lately, and people who look. */
  readonly users: readonly string[];
  /** The person who has it in their hands, as everybody sees them, and which of those at the page that is. */
  readonly holder?: { readonly name: string; readonly person: string };
}

/** `console`: it printed something, or its link changed; without one, the state of the machine changed. */
export interface Change {
  readonly machine: string;
  readonly console?: string;
}

export interface MomentsWanted {
  readonly types: readonly ('frame' | 'collision' | 'raster_interrupt' | 'state')[];
  /** Of frames only every so many. */
  readonly everyFrames: number;
}

export interface HostMoment {
  readonly type: string;
  readonly cycle: number;
  readonly beam: { readonly frame: number; readonly line: number; readonly cycle: number };
  readonly collision?: { readonly type: string; readonly sprites: number };
  /** Each state that the machine has come into, in order. */
  readonly state?: string;
}

export interface HostEvent {
  readonly seq: number;
  readonly at: number;
  readonly machine: string;
  readonly type: string;
  readonly text: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** One tool call, exactly as the agent made it, but for passwords, and saw it answered; or something that a person did. */
export interface RecordedCall {
  readonly seq: number;
  /** Milliseconds since 1970, when the call came in. */
  readonly at: number;
  /** The machine's own time then. */
  readonly time?: number;
  readonly client: string;
  readonly tool: string;
  readonly via?: string;
  readonly machine?: string;
  readonly arguments: unknown;
  readonly answer: string;
  readonly isError: boolean;
  readonly durationMs: number;
  /** What was shown beside the text. */
  readonly images?: readonly ToolImage[];
  /** It was a step of a call of this tool, which comes after its steps. */
  readonly within?: string;
  /** A person did it, at the page. */
  readonly isPerson?: boolean;
  /** It came while others were under way on the same machine. */
  readonly isBeside?: boolean;
  /** Stills of the machine's screen, by number. */
  readonly before?: number;
  readonly after?: number;
}

export interface RecordedMoment {
  readonly call: RecordedCall;
  /** PNG in base64, small. */
  readonly before?: string;
  readonly after?: string;
}

/** Something that was done or tried. */
export interface Deed {
  /**
   * The tool, or `page …` for what a person did on the live page, `resources/read`, `http` for a way in that was refused.
   */
  readonly tool: string;
  /** The address of what was read. */
  readonly resource?: string | undefined;
  readonly machine?: string | undefined;
  /** `asked`: it was put to a person first. */
  readonly outcome: 'done' | 'asked' | 'denied' | 'failed';
  /** Why it was denied or failed, in one line. */
  readonly why?: string | undefined;
  readonly durationMs?: number | undefined;
}

/** Output as a reader gets it who follows: nothing is left out, and what was lost is named in the text. */
export interface FollowedText {
  /** What came since the last time, as much as fits into a message. */
  next(): Promise<{ readonly text: string; readonly more: boolean }>;
}

/** Resources of one sort: those there are, the template of those there may be, and how to read one. */
export interface ResourceFamily {
  readonly template?: ResourceTemplate;
  list(): readonly ResourceEntry[];
  /** Undefined: that address is not one of this family's. */
  read(uri: string): Promise<ResourceContent> | undefined;
  /** Values for a variable of the template that begin with what was typed. */
  complete?(variable: string, typed: string): readonly string[];
  /** The machine whose resource this is, if it is one of this family's. */
  owner?(uri: string): string | undefined;
  /** The addresses of this family that a change concerns. */
  changed?(change: Change): readonly string[];
}

export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly mimeType: string;
}

export interface ResourceEntry {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
}

/** Text, or bytes in base64. */
export type ResourceContent = {
  readonly uri: string;
  readonly mimeType: string;
  /** For whoever shows it. */
  readonly _meta?: Record<string, unknown>;
} & ({ readonly text: string } | { readonly blob: string });
