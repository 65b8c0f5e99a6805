/** What comes out of the loudspeaker. */
export interface AudioCapability {
  /** Lets so many frames pass and answers with what they sounded like; less when something stopped the machine. */
  capture(frames: number, wallMs: number, signal: AbortSignal): Promise<CapturedAudio>;
  /**
   * Keeps what is heard from now on, whenever time passes, for somebody who takes it; lets no time pass itself and
   * changes nothing in the machine. Sound is worked out only while somebody listens.
   */
  listen(): Listening;
}

export interface CapturedAudio {
  readonly sampleRate: number;
  /** One channel, 16 bits, signed. */
  readonly samples: Int16Array;
}

export interface Listening {
  readonly sampleRate: number;
  /** What was heard since the last call, of more than a second the end or nothing. The past run again is not heard. */
  take(): Int16Array;
  close(): void;
}
