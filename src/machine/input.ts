/** A keyboard. */
export interface KeyboardCapability {
  /** Types text as a person would; emulated time passes. Rejects with the first character it cannot type. */
  type(text: string, signal: AbortSignal): Promise<void>;
  /** Presses keys together for so many frames: `["shift","a"]`. */
  press(chord: readonly string[], frames: number, signal: AbortSignal): Promise<void>;
  /**
   * Exactly these keys are down from now on; no time passes. Names it does not know are ignored. `ahead`: also where keys
   * reach no machine that is stopped; they are down as soon as it goes on.
   */
  hold(keys: readonly string[], ahead?: boolean): Promise<void>;
  /** The machine has become another one: what is held now are the keys that are down in it. */
  resume?(): void;
  readonly keyNames: readonly string[];
  /** Key names that type a character when held together, the ones to press first; undefined where no chord does. */
  keysFor(character: string): readonly string[] | undefined;
  /** Puts codes of its characters into the system's keyboard buffer, if that is empty; answers how many fitted. No time passes. */
  feed?(codes: Uint8Array): Promise<number>;
  /** A held key says itself once more, where neither machine nor guest repeats it. */
  repeat?(key: string): Promise<void>;
}

export interface JoystickCapability {
  readonly ports: readonly number[];
  /**
   * Holds the directions (`up`, `down`, `left`, `right`, `fire`) until told otherwise. `byHand`: somebody holds them, and where the past
   * takes another turn the stick is as it is in their hand by then.
   */
  set(port: number, directions: readonly string[], byHand?: boolean): Promise<void>;
  /** What is plugged into the user port holds its eight data pins at these levels until told otherwise. */
  setUserPort?(pins: number): Promise<void>;
}

/** Turning knobs, two to a port. */
export interface PaddleCapability {
  readonly ports: readonly number[];
  /** Positions from 0 to 255 and buttons, until told otherwise. */
  set(port: number, paddles: PaddlePair): Promise<void>;
}

export interface PaddlePair {
  readonly x: number;
  readonly y: number;
  readonly xButton: boolean;
  readonly yButton: boolean;
}

/** A pen held to the screen. Coordinates are pixels of the machine's own picture. */
export interface LightPenCapability {
  /** Holds it there from now on; undefined takes it away. */
  aim(at: { readonly x: number; readonly y: number } | undefined): Promise<void>;
}

/** A mouse, tablet or the like. Coordinates are pixels of the machine's own picture. */
export interface MouseCapability {
  readonly buttons: readonly string[];
  /** What of it would be noticed now. */
  reach(): Promise<MouseReach>;
  /**
   * Puts the pointer there. Rejects, with what would help, where the machine only knows movements. `size` is that of
   * the picture the pixels were counted in, for callers who have one at hand.
   */
  moveTo(x: number, y: number, size?: PictureSize): Promise<void>;
  moveBy(dx: number, dy: number): Promise<void>;
  /** Holds a button or lets it go. */
  button(name: string, down: boolean): Promise<void>;
  /** Positive is away from the person. */
  wheel(clicks: number): Promise<void>;
}

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

export interface MouseReach {
  readonly positions: boolean;
  readonly movements: boolean;
  readonly wheel: boolean;
  /** The longest movement that is seen whole, in a picture's time. */
  readonly longestStep?: number;
}
