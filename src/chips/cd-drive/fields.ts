/** Every word of a CD-ROM drive. Counts of samples and instructions take two words. */
export const fields = {
  /** The tray is out; the button is locked. */
  open: 0,
  locked: 1,
  /** Another disc is in since somebody asked. */
  changed: 2,
  /** One of `audioStates`. */
  audio: 3,
  /** Where the head is, and the sectors that were to be played. */
  head: 4,
  first: 5,
  end: 6,
  /** How the last play ended: 1 at its end, 2 because somebody stopped it. */
  ended: 7,
  /** The sample of the disc (44,100 a second) at which it went on last, and the machine's sample then. */
  from: 8,
  since: 10,
  /** The next sample of the sink. */
  heard: 12,
  /** For each of four outputs: which input, how loud. */
  inputs: 14,
  volumes: 18,
  /** How often another disc may have come in. */
  changes: 22,
} as const;

export const audioStates = { none: 0, playing: 1, paused: 2 } as const;

export const stateWords = 23;

/** Lengths of what takes more than a word, for a table of state. */
export const lengths: Readonly<Record<string, number>> = { from: 2, since: 2, heard: 2, inputs: 4, volumes: 4 };

type FieldIndex = (typeof fields)[keyof typeof fields];

export type CdDriveState = Int32Array & { [index in FieldIndex]: number };
