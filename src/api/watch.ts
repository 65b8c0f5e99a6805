/** A person's view of a machine: its screen or one of its consoles. */
export interface Watch {
  /** The machine has gone; another one may have come under its name. */
  readonly isOver: boolean;
  /** Its sound is wanted from now on, or not any more. */
  listen(isListening: boolean): void;
  /** Tells how the machine can be used, if that has changed. */
  refresh(): void;
  /** Does what the person does; rejects where they may not. */
  act(action: PersonAction): Promise<void>;
  close(): void;
}

/** Who watches. */
export interface Viewer {
  /** False while it does not keep up: it misses pictures and sound, never events. */
  isReady(): boolean;
  /** False while nobody sees it. */
  isLooking(): boolean;
  picture(picture: WatchedPicture): void;
  sound(sound: WatchedSound): void;
  terminal(console: string, terminal: WatchedTerminal): void;
  input(input: MachineInput): void;
  /** How far a paste has come that is being typed. */
  typing(typed: number, total: number, isOver: boolean): void;
  trouble(text: string): void;
}

/** With a palette a byte a pixel, without one red, green and blue of each. */
export interface WatchedPicture {
  readonly width: number;
  readonly height: number;
  readonly palette: Uint8Array;
  readonly pixels: Uint8Array;
}

/** A machine in small: what its screen shows, or the last lines of its console. */
export interface Glimpse {
  readonly picture?: WatchedPicture;
  readonly lines?: readonly string[];
}

/** One channel, 16 bits, signed. */
export interface WatchedSound {
  readonly sampleRate: number;
  readonly samples: Int16Array;
}

/** What a person's hands find on a machine. */
export interface MachineInput {
  readonly keys?: MachineKeys;
  readonly pointer?: MachinePointer;
  /** Ports with a joystick. */
  readonly joysticks: readonly number[];
}

export interface MachineKeys {
  /** The machine's own names for its keys. */
  readonly names: readonly string[];
  /** Names to hold together, the last one being the key itself, for each character that a chord types. */
  readonly characters: Readonly<Record<string, readonly string[]>>;
  /** A key that is held has to be repeated from here. */
  readonly repeats: boolean;
}

export interface MachinePointer {
  readonly buttons: readonly string[];
  /** It can be told places on the picture. */
  readonly positions: boolean;
  readonly movements: boolean;
  readonly wheel: boolean;
}

export interface WatchedTerminal {
  readonly columns: number;
  readonly rows: number;
  readonly lines: readonly (readonly TerminalPiece[])[];
  readonly cursor: { readonly column: number; readonly row: number; readonly visible: boolean };
  readonly applicationCursorKeys: boolean;
  readonly bracketedPaste: boolean;
  readonly scrolled: ScrolledPart;
}

/** Lines that have left the screen, numbered upwards: what is older than `start` is gone; what is here follows the last part. */
export interface ScrolledPart {
  readonly start: number;
  readonly first: number;
  readonly lines: readonly (readonly TerminalPiece[])[];
}

export interface TerminalPiece {
  readonly text: string;
  readonly cells: number;
  /** A number of the palette of 256, or `#rrggbb`. */
  readonly foreground?: number | string;
  readonly background?: number | string;
  readonly attributes: readonly string[];
}

/** What a person does to the machine that they watch. */
export type PersonAction =
  /** To be typed on the machine's keyboard. */
  | { readonly type: 'paste'; readonly text: string }
  /** The rest of a paste is not to be typed. */
  | { readonly type: 'stopTyping' }
  /** Exactly these keys are down from now on. */
  | { readonly type: 'keys'; readonly keys: readonly string[] }
  | { readonly type: 'repeat'; readonly key: string }
  /** Typed on the watched console. */
  | { readonly type: 'type'; readonly text: string }
  | { readonly type: 'break' }
  | { readonly type: 'joystick'; readonly port: number; readonly directions: readonly string[] }
  /** To a pixel of the picture that was sent last. */
  | { readonly type: 'moveTo'; readonly x: number; readonly y: number }
  | { readonly type: 'moveBy'; readonly dx: number; readonly dy: number }
  /** Exactly these buttons are down from now on. */
  | { readonly type: 'buttons'; readonly buttons: readonly string[] }
  /** Positive is away from the person. */
  | { readonly type: 'wheel'; readonly clicks: number }
  | { readonly type: 'control'; readonly action: ControlAction };

/** The buttons of a machine's time. */
export const controlActions = ['run', 'pause', 'reset', 'step into', 'step over', 'step out', 'step back'] as const;
export type ControlAction = (typeof controlActions)[number];
