/** What comes out of the loudspeaker. */
export interface AudioCapability {
  /** Lets so many frames pass and answers with what they sounded like; less when something stopped the machine. */
  capture(frames: number, wallMs: number, signal: AbortSignal): Promise<CapturedAudio>;
}

export interface CapturedAudio {
  readonly sampleRate: number;
  /** One channel, 16 bits, signed. */
  readonly samples: Int16Array;
}
