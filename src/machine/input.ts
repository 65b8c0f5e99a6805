/** A keyboard. */
export interface KeyboardCapability {
  /** Types text as a person would; emulated time passes. Rejects with the first character it cannot type. */
  type(text: string, signal: AbortSignal): Promise<void>;
  /** Presses keys together for so many frames: `["shift","a"]`. */
  press(chord: readonly string[], frames: number, signal: AbortSignal): Promise<void>;
  /** Exactly these keys are down from now on; no time passes. Names it does not know are ignored. */
  hold(keys: readonly string[]): Promise<void>;
  readonly keyNames: readonly string[];
}

export interface JoystickCapability {
  readonly ports: readonly number[];
  /** Holds the directions (`up`, `down`, `left`, `right`, `fire`) until told otherwise. */
  set(port: number, directions: readonly string[]): Promise<void>;
}
