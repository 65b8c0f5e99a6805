/** Bytes of parameters that a DSP command takes; commands not named take none. */
export const parameterCounts: ReadonlyMap<number, number> = new Map([
  [0x10, 1],
  [0x14, 2],
  [0x16, 2],
  [0x17, 2],
  [0x24, 2],
  [0x38, 1],
  [0x40, 1],
  [0x48, 2],
  [0x74, 2],
  [0x75, 2],
  [0x76, 2],
  [0x77, 2],
  [0x80, 2],
  [0xe0, 1],
  [0xe2, 1],
  [0xe4, 1],
]);

export interface Playback {
  readonly endless: boolean;
  readonly recording: boolean;
  readonly samplesPerByte: number;
}

const playback = (endless: boolean, recording = false, samplesPerByte = 1): Playback => ({
  endless,
  recording,
  samplesPerByte,
});

/** Commands that start DMA. Those for one block take its length; 90h and 91h use the length of command 48h. */
export const playbacks: ReadonlyMap<number, Playback> = new Map([
  [0x14, playback(false)],
  [0x16, playback(false, false, 4)],
  [0x17, playback(false, false, 4)],
  [0x1c, playback(true)],
  [0x1f, playback(true, false, 4)],
  [0x24, playback(false, true)],
  [0x2c, playback(true, true)],
  [0x74, playback(false, false, 2)],
  [0x75, playback(false, false, 2)],
  [0x76, playback(false, false, 3)],
  [0x77, playback(false, false, 3)],
  [0x7d, playback(true, false, 2)],
  [0x7f, playback(true, false, 3)],
  [0x90, playback(true)],
  [0x91, playback(false)],
  [0x98, playback(true, true)],
  [0x99, playback(false, true)],
]);
