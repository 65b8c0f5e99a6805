/** Sense key, additional code and its qualifier, packed as 0xKKAAQQ. */
export const senses = {
  none: 0,
  noDisc: 0x02_3a_00,
  unreadable: 0x03_11_00,
  unknownCommand: 0x05_20_00,
  outOfRange: 0x05_21_00,
  badPacket: 0x05_24_00,
  badParameters: 0x05_26_00,
  wrongTrack: 0x05_64_00,
  locked: 0x05_53_02,
  discChanged: 0x06_28_00,
  awakened: 0x06_29_00,
} as const;

/** Thrown by what a packet asks for. */
export class PacketFailure extends Error {
  readonly sense: number;

  constructor(name: keyof typeof senses) {
    super(name);
    this.sense = senses[name];
  }
}
