import type { BootCapability } from './boot.ts';

/** Serial consoles: one port for a console machine, one per serial line for a whole computer. */
export interface ConsoleCapability {
  /** The first is the default. */
  readonly ports: readonly ConsolePort[];
  /** What the system behind these consoles can mount. */
  readonly share?: SharedFolder;
  /** When their lines came since the system was started, where that is kept. */
  readonly boot?: BootCapability;
}

/** A folder of this computer, by the name under which a guest finds it. */
export interface SharedFolder {
  readonly tag: string;
  readonly path: string;
  readonly writable: boolean;
}

/**
 * One serial line. What came out of it is kept in a ring of bytes with absolute offsets, which outlives the link;
 * any number of readers each keep an offset of their own, and none of them takes anything from another.
 */
export interface ConsolePort {
  readonly name: string;
  readonly link: LinkStatus;
  readonly output: OutputRing;
  readonly writePolicy: WritePolicy;
  /** Where the reader of this name stopped; a new reader stands at the start of what is kept. */
  cursor(reader: string): number;
  setCursor(reader: string, offset: number): void;
  /** Forgets the readers that belong to a client: those whose names end with `@` and its session. */
  forgetSession(session: string): void;
  /** A clean slate: nothing of the output so far is kept, and the link is made anew at once. */
  restart(): void;
  /** Calls back after output arrived or the link changed. Bytes are fetched from `output`. */
  onActivity(listener: () => void): () => void;
  write(bytes: Uint8Array, options: WriteOptions): Promise<WriteResult>;
  /** Holds the line in its break condition. */
  sendBreak(durationMs: number): Promise<void>;
  /** Settings and control lines, while a link is up that has them. */
  readonly serial: SerialLine | undefined;
  readonly access: ConsoleAccess;
  /** Files by X-, Y- or ZMODEM, between us and a program at the other end of the line. */
  readonly exchange: FileExchange;
  /** The same port for this visitor: what it writes is its own, and is refused where it may not write. */
  as(who: Visitor): ConsolePort;
  readonly screen: TerminalScreen;
  readonly humans: HumanAccess;
  readonly recording: Recording;
}

/** Somebody at a console. */
export interface Visitor {
  /** The same for all that one person's terminal or one client of an agent does. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly kind: 'person' | 'agent';
}

export interface Presence extends Visitor {
  /** Since it came; for an agent since it was last heard of. */
  readonly ms: number;
  /** Only watches. */
  readonly spying: boolean;
}

/** Who is on a console, and who alone may write, if somebody asked for that. */
export interface ConsoleAccess {
  readonly present: readonly Presence[];
  readonly writer: Visitor | undefined;
  /** Lets only this visitor write from now on. Refused while another has the line, unless `force` takes it away. */
  claim(who: Visitor, force: boolean): void;
  /** Lets everybody write again, if this visitor has the line; answers whether it had. */
  release(who: Visitor): boolean;
}

export type ModemProtocol = 'xmodem' | 'ymodem' | 'zmodem';

/** While a file is on its way, what comes over the line is part of it and nobody else may write. */
export interface FileExchange {
  /** The other side must be waiting for it, or is when `start` was typed. */
  send(file: { readonly name: string; readonly bytes: Uint8Array }, options: ExchangeOptions): Promise<void>;
  /** XMODEM knows neither name nor size: what comes may be longer by padding. */
  receive(options: ExchangeOptions & { readonly maxBytes: number }): Promise<Uint8Array>;
}

export interface ExchangeOptions {
  readonly protocol: ModemProtocol;
  /** Typed first, to start the program at the other end; nothing if it is empty. */
  readonly start: Uint8Array;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  progress(message: string): void;
}

export interface LineSettings {
  readonly baudRate: number;
  readonly dataBits: 5 | 6 | 7 | 8;
  readonly stopBits: 1 | 1.5 | 2;
  readonly parity: 'none' | 'even' | 'odd' | 'mark' | 'space';
  readonly flowControl: 'none' | 'rtscts' | 'xonxoff';
}

/** A serial line's settings and the wires beside its data. */
export interface SerialLine {
  readonly settings: LineSettings;
  /** Changes settings while the line is open; answers with those then in force. */
  configure(wanted: Partial<LineSettings>): Promise<LineSettings>;
  setLines(lines: { readonly dtr?: boolean; readonly rts?: boolean }): Promise<void>;
  /** Wires that the other side drives; `ri` where it can be seen. */
  readLines(): Promise<{
    readonly cts: boolean;
    readonly dsr: boolean;
    readonly dcd: boolean;
    readonly ri?: boolean;
  }>;
  purge(what: 'input' | 'output' | 'both'): Promise<void>;
}

/** What an agent may send: everything, only what a person confirms, nothing. */
export type WritePolicy = 'allow' | 'confirm' | 'deny';

export interface LinkStatus {
  readonly state: 'up' | 'down' | 'connecting' | 'ended';
  /** `tcp 127.0.0.1:4555`, `unix /run/x.sock`, `device /dev/ttyUSB0`, `command …`. */
  readonly target: string;
  /** Milliseconds since 1970 of the last change of `state`. */
  readonly since: number;
  /** How long it has been so. Clocks that are set do not change it. */
  readonly lastedMs: number;
  /** How long until the next attempt, while down. */
  readonly retryInMs?: number;
  readonly attempts: number;
  readonly lastError?: string;
  /** How often an established link was lost. */
  readonly losses: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Bytes accepted from writers that have not left yet. */
  readonly queuedBytes: number;
  /** How long ago the last byte came. */
  readonly silentMs: number;
  /** False while connected to something that has not said a word: perhaps another client has the port. */
  readonly heardSinceUp: boolean;
}

export interface OutputRing {
  readonly capacity: number;
  /** Offset of the oldest byte kept. */
  readonly start: number;
  /** Offset after the newest byte: the number of bytes that ever arrived. */
  readonly end: number;
  /** Lines kept in part or whole, at most 1,000. */
  readonly lines: number;
  /** Copies at most `maxBytes` from `from` on; `lost` counts the bytes between `from` and what is still kept. */
  read(from: number, maxBytes: number): { readonly bytes: Uint8Array; readonly from: number; readonly lost: number };
  /** Offset at which the last `count` lines begin. */
  lastLines(count: number): number;
}

/** How a write behaves when the other side does not take the bytes at once. */
export type WriteMode = 'nonblocking' | 'buffered' | 'retry';

export interface WriteOptions {
  readonly mode: WriteMode;
  /** For `retry`: how long to go on trying. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface WriteResult {
  /** Bytes handed to the link. */
  readonly written: number;
  /** Bytes accepted into the queue, which will leave by themselves. */
  readonly queued: number;
  /** Bytes that were not taken; the caller still has them. */
  readonly refused: number;
}

/** What a terminal connected to the line from the start would show. */
export interface TerminalScreen {
  read(): Promise<ScreenText>;
  /**
   * The same with its colours, what the guest has told the terminal's keyboard, and lines that have left the screen,
   * from this number on; none of those if no number is given.
   */
  readStyled(scrolledFrom?: number): Promise<StyledScreen>;
  resize(columns: number, rows: number): Promise<void>;
}

export interface ScreenText {
  readonly columns: number;
  readonly rows: number;
  /** Exactly `rows` lines, right-trimmed. */
  readonly lines: readonly string[];
  readonly cursor: { readonly column: number; readonly row: number; readonly visible: boolean };
  readonly title: string;
  /** Offset in the ring up to which the picture is drawn. */
  readonly offset: number;
}

export interface StyledScreen extends ScreenText {
  /** For each row the pieces it is made of, from the left; what follows the last one is blank. */
  readonly styled: readonly (readonly StyledText[])[];
  /** Cursor keys send their application codes. */
  readonly applicationCursorKeys: boolean;
  readonly bracketedPaste: boolean;
  readonly scrolled: ScrolledLines;
}

/** Lines that have left the screen at its top, numbered upwards. Numbers jump where all lines have become others. */
export interface ScrolledLines {
  /** The oldest that is kept. */
  readonly start: number;
  /** After the newest. */
  readonly end: number;
  /** Of the first one here; as many as are given at once follow. */
  readonly first: number;
  readonly lines: readonly (readonly StyledText[])[];
}

/** Characters that look alike, side by side. */
export interface StyledText {
  readonly text: string;
  /** Columns that it takes. */
  readonly cells: number;
  readonly foreground: TerminalColour;
  readonly background: TerminalColour;
  /** Of bold, dim, italic, underline, inverse, invisible, strikethrough. */
  readonly attributes: readonly string[];
}

/** A number of the usual palette of 256, red, green and blue in one number, or the terminal's own. */
export type TerminalColour =
  | { readonly type: 'palette'; readonly number: number }
  | { readonly type: 'rgb'; readonly rgb: number }
  | undefined;

export interface HumanAccess {
  readonly socketIn: string;
  readonly socketOut: string;
  /** The same at their traditional place, while they are linked there. */
  readonly serialLinks: { readonly in: string; readonly out: string } | undefined;
  /** People (or their programs) connected to the output socket right now. */
  readonly watching: number;
  /** The window that was opened last, while it is there. */
  readonly window: TerminalWindow | undefined;
  /** Opens a terminal window on this port; `auto` finds one. */
  openTerminal(name: string): Promise<TerminalWindow>;
}

export interface TerminalWindow {
  readonly terminal: string;
  readonly pid?: number;
  /** The command line, for a person who wants to run it elsewhere. */
  readonly command: readonly string[];
}

/** A file with the exact bytes and a second one with their times. */
export interface Recording {
  readonly status: RecordingStatus | undefined;
  /** Starts writing below the given path; the bytes already in the ring come first when `withHistory` is set. */
  start(path: string, options: { readonly withHistory: boolean }): Promise<RecordingStatus>;
  stop(): Promise<RecordingStatus>;
  /** A named moment, kept in the time index and exported as a chapter. */
  mark(label: string): void;
  exportAsciicast(path: string): Promise<{ readonly path: string; readonly events: number; readonly seconds: number }>;
}

export interface RecordingStatus {
  readonly path: string;
  readonly indexPath: string;
  readonly bytes: number;
  readonly marks: number;
  readonly active: boolean;
  /** Set when the disk refused bytes: how many are missing in the file and why. */
  readonly missing?: { readonly bytes: number; readonly reason: string };
}
