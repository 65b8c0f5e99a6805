/** Bytes a keyboard or mouse holds back while nobody reads them. */
export const KEYBOARD_BYTES = 64;
export const MOUSE_BYTES = 48;
export const REPLY_BYTES = 8;

/**
 * Every word of the controller, its keyboard and its mouse. Counts of instructions take two words. Words 7 and 29 to 31 are taken
 * too, by keys-down.ts: snapshots are recognised by the names here, and older ones are still to be read.
 */
export const fields = {
  /** The output buffer as port 60h shows it, whether it is full, and whether the byte is the mouse's. */
  data: 0,
  full: 1,
  aux: 2,
  commandByte: 3,
  /** Bit 0: not reset, bit 1: A20. */
  outputPort: 4,
  /** The command whose parameter is awaited on port 60h; 0: bytes go to the keyboard. */
  command: 5,
  wroteCommand: 6,
  /** When the next byte comes out; -1 for not yet known. */
  deliverAt: 8,
  keyboardEnabled: 10,
  keyboardCommand: 11,
  leds: 12,
  scanCodeSet: 13,
  typematic: 14,
  /** The key that repeats (its make code, E0xx where extended), and when it does so next. */
  repeatCode: 15,
  repeatAt: 16,
  mouseReporting: 18,
  mouseCommand: 19,
  mouseRemote: 20,
  mouseScaling: 21,
  mouseResolution: 22,
  mouseRate: 23,
  mouseX: 24,
  mouseY: 25,
  mouseButtons: 26,
  mouseWrap: 27,
  lastKeyboardByte: 28,
  /** The controller's other 31 bytes of memory, after the command byte. */
  memory: 32,
  /** Queues: two words more than bytes each. */
  replies: 64,
  keyboard: 74,
  mouse: 140,
} as const;

export const stateWords = 190;

type FieldIndex = (typeof fields)[keyof typeof fields];

export type I8042State = Int32Array & { [index in FieldIndex]: number };
