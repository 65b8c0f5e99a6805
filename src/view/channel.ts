/**
 * Everything the server and the page say to each other, over one WebSocket: JSON both ways, and what is large as
 * numbered binary frames (`frames.ts`). Both halves import these two files, and nothing else of each other.
 */

import type { RecordedCall } from '../api/tool-host.ts';
import type { MachineInput, WatchedTerminal as PageTerminal, PersonAction } from '../api/watch.ts';

export type {
  ControlAction,
  MachineInput,
  MachineKeys as PageKeys,
  MachinePointer as PagePointer,
  ScrolledPart,
  TerminalPiece,
  WatchedPicture as PagePicture,
  WatchedSound as PageSound,
  WatchedTerminal as PageTerminal,
} from '../api/watch.ts';

/** The subprotocol of the socket, and what the one begins with that carries the token (base64url). */
export const viewProtocol = 'frontpanel';
export const tokenProtocol = 'frontpanel.token.';

/** From the server to the page. */
export type PageEvent =
  /** Who the token says you are, first of all. */
  | { readonly type: 'you'; readonly client: string; readonly role: ViewerRole }
  | { readonly type: 'machines'; readonly machines: readonly MachineLine[] }
  | { readonly type: 'calls'; readonly calls: readonly CallLine[] }
  /** How the watched machine can be used; comes again when that changes. */
  | { readonly type: 'input'; readonly machine: string; readonly input: MachineInput }
  /** What the watched console shows. */
  | { readonly type: 'terminal'; readonly machine: string; readonly console: string; readonly terminal: PageTerminal }
  /** How far a paste has come that is being typed; over when all is typed, or nothing more will be. */
  | { readonly type: 'typing'; readonly typed: number; readonly total: number; readonly isOver: boolean }
  | { readonly type: 'trouble'; readonly text: string }
  /** The answer to `call`, and to `upload`, where its text is the path. */
  | { readonly type: 'answer'; readonly id: number; readonly outcome: PageOutcome }
  /** The answer to `inspect`; nothing of a machine that is gone. */
  | { readonly type: 'seen'; readonly id: number; readonly seen?: Seen }
  /** The answer to `entry`; nothing of one that is not kept any more. */
  | { readonly type: 'entry'; readonly id: number; readonly entry?: TimelineEntry }
  /** The answer to `earlier`: `isAll` if nothing older is kept. */
  | { readonly type: 'earlier'; readonly calls: readonly CallLine[]; readonly isAll: boolean }
  | { readonly type: 'kinds'; readonly kinds: readonly StartableKind[] }
  | { readonly type: 'glimpse'; readonly machine: string; readonly glimpse: PageGlimpse };

/** Who may only observe sees and hears everything, and presses nothing. */
export type ViewerRole = 'observe' | 'use' | 'own';

export interface MachineLine {
  readonly handle: string;
  readonly kind: string;
  /** The state line, as agents see it. */
  readonly line: string;
  readonly state: string;
  readonly hasScreen: boolean;
  /** Names of its serial lines. */
  readonly consoles: readonly string[];
  /** It can be run, paused and reset. */
  readonly hasControl: boolean;
  /** It can be listened to. */
  readonly hasSound: boolean;
  readonly isKept: boolean;
  readonly capabilities: readonly string[];
  /** It can be taken back in time. */
  readonly canRewind: boolean;
  /** What people call it. */
  readonly title?: string;
  /** Who uses it. */
  readonly users: readonly string[];
  /** Who has it in their hands; agents and other people wait. */
  readonly holder?: string;
  /** That is you. */
  readonly isMine: boolean;
}

/** A kind of machine to start, with its options. */
export interface StartableKind {
  readonly kind: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, OptionSchema>>;
}

export interface OptionSchema {
  readonly type: string;
  readonly values?: readonly unknown[];
  readonly usual?: unknown;
  readonly description: string;
}

/** A read of a tool of the machine that is looked at. */
export interface PageRead {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export type PageOutcome =
  | {
      readonly type: 'answer';
      readonly text: string;
      readonly data?: Readonly<Record<string, unknown>>;
      readonly images?: readonly { readonly mimeType: string; readonly base64: string }[];
    }
  | { readonly type: 'error'; readonly message: string; readonly fix: string }
  | { readonly type: 'confirm'; readonly question: string };

/** Several reads of one moment. */
export interface Seen {
  readonly state: string;
  readonly line: string;
  /** The number of the stop; none while it runs. */
  readonly stop?: number;
  readonly time?: string;
  /** It took too long: some reads were given up, and may be tried again. */
  readonly isCutShort?: boolean;
  readonly outcomes: readonly PageOutcome[];
}

/** A machine in small; bytes in base64. */
export interface PageGlimpse {
  readonly picture?: {
    readonly width: number;
    readonly height: number;
    readonly palette: string;
    readonly pixels: string;
  };
  readonly lines?: readonly string[];
}

/** A call in the list: of arguments and answer the beginning. */
export interface CallLine {
  readonly seq: number;
  readonly at: number;
  /** The machine's own time then. */
  readonly time?: number;
  readonly client: string;
  readonly tool: string;
  readonly machine?: string;
  readonly arguments: string;
  readonly answer: string;
  readonly isError: boolean;
  readonly durationMs: number;
  /** Characters of the whole answer, and bytes of the images with it. */
  readonly size: number;
  readonly imageBytes: number;
  readonly isPerson?: boolean;
  readonly within?: string;
}

/** A call as a whole: what was asked and answered, exactly, and the stills around it (PNG in base64). */
export interface TimelineEntry {
  readonly call: RecordedCall;
  readonly before?: string;
  readonly after?: string;
}

/** As much as one message of a page may have, in bytes: the server closes the connection on a longer one. */
export const longestMessage = 64 * 1024;

/** As much as a paste into a screen may have, in characters. */
export const longestPaste = 10_000;

/** From the page to the server. All but the first few concern the machine that is watched. */
export type PageCommand =
  /** Its screen, or one of its consoles. */
  | { readonly type: 'watch'; readonly machine: string; readonly console?: string }
  /** A tool is to be called as this person. */
  | {
      readonly type: 'call';
      readonly id: number;
      readonly tool: string;
      readonly arguments: Readonly<Record<string, unknown>>;
      /** They have just agreed to it. */
      readonly isConfirmed: boolean;
    }
  | { readonly type: 'inspect'; readonly id: number; readonly machine: string; readonly reads: readonly PageRead[] }
  /** One call as a whole. */
  | { readonly type: 'entry'; readonly id: number; readonly seq: number }
  /** Calls before this one. */
  | { readonly type: 'earlier'; readonly before: number }
  /** What can be started? */
  | { readonly type: 'kinds' }
  /** All machines in small are wanted from now on, or not any more. */
  | { readonly type: 'glimpses'; readonly isWanted: boolean }
  /** A part of a file, in base64; with the last one it is whole. */
  | {
      readonly type: 'upload';
      readonly id: number;
      readonly name: string;
      readonly part: string;
      readonly isLast: boolean;
    }
  | { readonly type: 'take'; readonly machine: string }
  | { readonly type: 'handBack'; readonly machine: string; readonly note: string }
  | { readonly type: 'rename'; readonly machine: string; readonly title: string }
  /** Nothing is watched any more. */
  | { readonly type: 'leave' }
  /** The frame of this number has arrived and was used; until then it counts as under way. */
  | { readonly type: 'ack'; readonly seq: number }
  /** Nobody sees the page now, or somebody does again. */
  | { readonly type: 'look'; readonly isLooking: boolean }
  /** Its sound is wanted from now on, or not any more; also that of machines watched later. */
  | { readonly type: 'listen'; readonly isListening: boolean }
  | PersonAction;
