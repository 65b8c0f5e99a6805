export const voiceCount = 24;
export const channelCount = 16;

/** A voice: when it began and was let go (samples, two words each), what it plays. */
export const voiceFields = { start: 0, release: 2, state: 4, channel: 5, note: 6, velocity: 7, program: 8 } as const;
export const VOICE_WORDS = 10;

export const voiceStates = { free: 0, held: 1, sustained: 2, released: 3 } as const;

/** A channel of MIDI. */
export const channelFields = { program: 0, volume: 1, expression: 2, bend: 3, pedal: 4 } as const;
export const CHANNEL_WORDS = 6;

/** Every word of the synthesizer. */
export const fields = {
  voices: 0,
  channels: voiceCount * VOICE_WORDS,
  /** Of the message that is coming in. */
  status: voiceCount * VOICE_WORDS + channelCount * CHANNEL_WORDS,
  data: voiceCount * VOICE_WORDS + channelCount * CHANNEL_WORDS + 1,
  hasData: voiceCount * VOICE_WORDS + channelCount * CHANNEL_WORDS + 2,
  /** The next sample of the sink (two words). */
  sample: voiceCount * VOICE_WORDS + channelCount * CHANNEL_WORDS + 4,
} as const;

export const stateWords = fields.sample + 2;

/** Lengths of what takes more than a word, for a table of state. */
export const lengths: Readonly<Record<string, number>> = {
  voices: voiceCount * VOICE_WORDS,
  channels: channelCount * CHANNEL_WORDS,
  sample: 2,
};
