/** One of the four channels of a controller. */
export const channelFields = {
  baseAddress: 0,
  baseCount: 1,
  address: 2,
  count: 3,
  mode: 4,
  /** Bits of the page register: address bits 16 to 23. */
  page: 5,
} as const;

const CHANNEL_WORDS = 6;

/** Words of one controller: its four channels, then these. */
export const fields = {
  flipFlop: 24,
  mask: 25,
  status: 26,
  command: 27,
  requests: 28,
} as const;

export const CONTROLLER_WORDS = 29;

/** Both controllers: channels 0-3 and 4-7, then the page registers that belong to no channel. */
export const stateWords = CONTROLLER_WORDS * 2 + 16;

export const EXTRA_PAGES = CONTROLLER_WORDS * 2;

type FieldIndex = (typeof fields)[keyof typeof fields];
type ChannelIndex = (typeof channelFields)[keyof typeof channelFields];

export type ControllerState = Int32Array & { [index in FieldIndex]: number };
export type ChannelState = Int32Array & { [index in ChannelIndex]: number };

export const channelOf = (controller: ControllerState, channel: number) =>
  controller.subarray(channel * CHANNEL_WORDS, (channel + 1) * CHANNEL_WORDS) as ChannelState;
