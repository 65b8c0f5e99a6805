export const datasetteFields = {
  /** Which tape is in it, as a hash (see DiskShelf). */
  hasTape: 0,
  tapeLow: 1,
  tapeHigh: 2,
  playing: 3,
  motor: 4,
  /** Offset of the next pulse in the image. */
  position: 5,
  /**
   * 1 while it moves: then `due` is the cycle (its low 32 bits) of the next pulse, else `left` is what is left until it.
   * When it records: the cycle of the last one, and what went by since then.
   */
  armed: 6,
  due: 7,
  left: 8,
  recording: 9,
  readOnly: 10,
  /** The level of WRITE. */
  write: 11,
  /** What was recorded and is not in the image yet: how many bytes, for how long, and the bytes. */
  pendingBytes: 12,
  pendingCycles: 13,
  /**
   * While it records, the tape ends at `position`. This is the one that was there before, as a hash, and the place up to which
   * it is recorded over: the rest comes back after the recording.
   */
  oldLow: 14,
  oldHigh: 15,
  oldAt: 16,
  oldPast: 17,
  pending: 18,
} as const;

/** In bytes. */
export const pendingRoom = 256;

export const datasettePart = {
  words: datasetteFields.pending + pendingRoom / 4,
  fields: datasetteFields,
  lengths: { pending: pendingRoom / 4 },
};

/** Its words, as they lie in the machine's buffer. */
export type DatasetteWords = Int32Array & Record<(typeof datasetteFields)[keyof typeof datasetteFields], number>;
