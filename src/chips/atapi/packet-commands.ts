import { type CdTime, sectorAt } from '../cd-drive/cd-time.ts';
import { subchannel, tableOfContents } from './contents.ts';
import { modeSense } from './mode-pages.ts';
import { PacketFailure } from './packet-failure.ts';
import { mediumIn, type PacketDrive } from './packet-medium.ts';

export interface SectorsToRead {
  readonly first: number;
  readonly count: number;
  /** 2,352 bytes each, not 2,048. */
  readonly whole: boolean;
}

/** Nothing, bytes for the host, sectors for the host, or so many bytes that are to come from it. */
export type PacketReply = undefined | Uint8Array | SectorsToRead | { readonly wanted: number };

type PacketCommand = (drive: PacketDrive, packet: Uint8Array) => PacketReply;

const word = (packet: Uint8Array, at: number) => ((packet[at] ?? 0) << 8) | (packet[at + 1] ?? 0);
const wide = (packet: Uint8Array, at: number) => word(packet, at) * 0x10000 + word(packet, at + 2);
const time = (packet: Uint8Array, at: number): CdTime => ({
  minute: packet[at] ?? 0,
  second: packet[at + 1] ?? 0,
  frame: packet[at + 2] ?? 0,
});
const wantedBytes = { none: 0, user: 0x10, whole: 0xf8 } as const;
const ignoresErrorBits = 0xf8;
const tray = { stop: 0, start: 1, eject: 2, load: 3 } as const;

/** By the first byte of a packet. REQUEST SENSE is the channel's own. */
export const packetCommands: Readonly<Record<number, PacketCommand>> = {
  0: (drive) => {
    mediumIn(drive);
    return undefined;
  },
  18: (_, packet) => upTo(packet[4] ?? 0, inquiry()),
  27: startOrStop,
  30: (drive, packet) => {
    drive.lock(((packet[4] ?? 0) & 1) !== 0);
    return undefined;
  },
  37: (drive) => {
    const last = mediumIn(drive).leadOut - 1;
    return Uint8Array.from([last >>> 24, (last >> 16) & 0xff, (last >> 8) & 0xff, last & 0xff, 0, 0, 8, 0]);
  },
  40: (drive, packet) => sectors(drive, { first: wide(packet, 2), count: word(packet, 7), whole: false }),
  168: (drive, packet) => sectors(drive, { first: wide(packet, 2), count: wide(packet, 6), whole: false }),
  43: (drive, packet) => {
    drive.seek(within(drive, wide(packet, 2)));
    return undefined;
  },
  66: (drive, packet) => upTo(word(packet, 7), subchannel(drive, packet)),
  67: (drive, packet) => upTo(word(packet, 7), tableOfContents(drive, packet)),
  69: (drive, packet) => play(drive, wide(packet, 2), word(packet, 7)),
  165: (drive, packet) => play(drive, wide(packet, 2), wide(packet, 6)),
  71: (drive, packet) => {
    const isHere = packet[3] === 0xff && packet[4] === 0xff && packet[5] === 0xff;
    const first = isHere ? drive.head : sectorAt(time(packet, 3));
    return play(drive, first, sectorAt(time(packet, 6)) - first);
  },
  75: (drive, packet) => {
    mediumIn(drive);
    if (((packet[8] ?? 0) & 1) === 0) {
      if (drive.isPlaying) drive.stop();
    } else if (!drive.isPlaying && !drive.resume()) throw new PacketFailure('badPacket');
    return undefined;
  },
  78: endSound,
  85: (_, packet) => ({ wanted: word(packet, 7) }),
  90: (drive, packet) => upTo(word(packet, 7), modeSense(drive, packet)),
  // One speed.
  187: () => undefined,
  189: (drive, packet) => upTo(word(packet, 8), Uint8Array.of(0, drive.isOpen ? 0x10 : 0, 0, 0, 0, 0, 0, 0)),
  185: (drive, packet) => {
    const first = sectorAt(time(packet, 3));
    return readCd(drive, packet, first, sectorAt(time(packet, 6)) - first);
  },
  190: (drive, packet) => readCd(drive, packet, wide(packet, 2), wide(packet, 5) & 0xffffff),
};

function upTo(length: number, bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, length);
}

function inquiry(): Uint8Array {
  const text = 'FRNTPANL' + 'CD-ROM'.padEnd(16) + '1.0 ';
  const head = [5, 0x80, 0, 0x21, 31, 0, 0, 0];
  return Uint8Array.from([...head, ...[...text].map((letter) => letter.charCodeAt(0))]);
}

function startOrStop(drive: PacketDrive, packet: Uint8Array): undefined {
  const wanted = (packet[4] ?? 0) & 3;
  if (wanted === tray.stop) return endSound(drive);
  if (wanted === tray.start) mediumIn(drive);
  else if (!drive.setTray(wanted === tray.eject)) throw new PacketFailure('locked');
  return undefined;
}

function endSound(drive: PacketDrive): undefined {
  // The first one pauses.
  if (drive.isPlaying) drive.stop();
  if (drive.isPaused) drive.stop();
  return undefined;
}

/** The sector, if the disc has it. */
function within(drive: PacketDrive, sector: number): number {
  const { leadOut } = mediumIn(drive);
  if (sector < 0 || sector >= leadOut) throw new PacketFailure('outOfRange');
  return sector;
}

function sectors(drive: PacketDrive, wanted: SectorsToRead): PacketReply {
  mediumIn(drive);
  if (wanted.count === 0) return undefined;
  within(drive, wanted.first);
  within(drive, wanted.first + wanted.count - 1);
  return wanted;
}

/** READ CD: what of a sector is wanted stands in byte 9. */
function readCd(drive: PacketDrive, packet: Uint8Array, first: number, count: number): PacketReply {
  const wanted = (packet[9] ?? 0) & ignoresErrorBits;
  const isSound = mediumIn(drive).trackAt(first)?.kind === 'audio';
  if (wanted === wantedBytes.none) return undefined;
  if (wanted !== wantedBytes.user && wanted !== wantedBytes.whole) throw new PacketFailure('badPacket');
  return sectors(drive, { first, count, whole: isSound || wanted === wantedBytes.whole });
}

function play(drive: PacketDrive, first: number, count: number): undefined {
  if (count === 0) return undefined;
  if (count < 0) throw new PacketFailure('badPacket');
  within(drive, first);
  if (mediumIn(drive).trackAt(first)?.kind !== 'audio') throw new PacketFailure('wrongTrack');
  drive.play(first, count);
  return undefined;
}
