/**
 * Everything the server and the page say to each other, over one WebSocket: JSON both ways, and what is large as
 * numbered binary frames (`frames.ts`). Both halves import these two files, and nothing else of each other.
 */

import type { MachineInput, WatchedTerminal as PageTerminal, PersonAction } from '../api/watch.ts';

export type {
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
  | { readonly type: 'trouble'; readonly text: string };

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
}

export interface CallLine {
  readonly seq: number;
  readonly at: number;
  readonly client: string;
  readonly tool: string;
  readonly arguments: string;
  readonly answer: string;
  readonly isError: boolean;
  readonly durationMs: number;
}

/** As much as a paste into a screen may have, in characters. */
export const longestPaste = 10_000;

/** From the page to the server. All but the first few concern the machine that is watched. */
export type PageCommand =
  /** Its screen, or one of its consoles. */
  | { readonly type: 'watch'; readonly machine: string; readonly console?: string }
  /** Nothing is watched any more. */
  | { readonly type: 'leave' }
  /** The frame of this number has arrived and was used; until then it counts as under way. */
  | { readonly type: 'ack'; readonly seq: number }
  /** Nobody sees the page now, or somebody does again. */
  | { readonly type: 'look'; readonly isLooking: boolean }
  /** Its sound is wanted from now on, or not any more; also that of machines watched later. */
  | { readonly type: 'listen'; readonly isListening: boolean }
  | PersonAction;
