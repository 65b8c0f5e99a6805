import { timeOf, timeOnDisc } from '../cd-drive/cd-time.ts';
import { PacketFailure } from './packet-failure.ts';
import { controlOf, mediumIn, type PacketDrive } from './packet-medium.ts';

const leadOutTrack = 0xaa;
const audioStatus = { playing: 0x11, paused: 0x12, completed: 0x13, none: 0x15 } as const;
const formats = { position: 1, catalog: 2, trackCode: 3 } as const;

/** Four bytes: a sector, or minutes, seconds and frames. */
function placeOf(sector: number, byTime: boolean, { minute, second, frame } = timeOnDisc(sector)): readonly number[] {
  if (byTime) return [0, minute, second, frame];
  return [(sector >>> 24) & 0xff, (sector >> 16) & 0xff, (sector >> 8) & 0xff, sector & 0xff];
}

/** READ TOC: all tracks from one on and the lead-out, or the first track of the last session. */
export function tableOfContents(drive: PacketDrive, packet: Uint8Array): Uint8Array {
  const { tracks, leadOut } = mediumIn(drive);
  const [, flags = 0, mmcFormat = 0, , , , start = 0, , , oldFormat = 0] = packet;
  const byTime = (flags & 2) !== 0;
  const format = mmcFormat & 15 || oldFormat >> 6;
  const [first, last] = [tracks[0]?.number ?? 1, tracks.at(-1)?.number ?? 1];
  if (format > 1) throw new PacketFailure('badPacket');
  if (start > last && start !== leadOutTrack && format === 0) throw new PacketFailure('badPacket');
  const listed = format === 1 ? tracks.slice(0, 1) : tracks.filter(({ number }) => number >= start);
  const entries = listed.map((track) => [0, controlOf(track), track.number, 0, ...placeOf(track.start, byTime)]);
  if (format === 0) entries.push([0, controlOf(tracks.at(-1)), leadOutTrack, 0, ...placeOf(leadOut, byTime)]);
  const body = format === 1 ? [1, 1, ...entries.flat()] : [first, last, ...entries.flat()];
  return Uint8Array.from([body.length >> 8, body.length & 0xff, ...body]);
}

/** READ SUB-CHANNEL: what plays, and where the head is. */
export function subchannel(drive: PacketDrive, packet: Uint8Array): Uint8Array {
  const medium = mediumIn(drive);
  const [, flags = 0, wanted = 0, format = 0] = packet;
  const body = (wanted & 0x40) === 0 ? [] : subchannelData(drive, format, (flags & 2) !== 0, medium.catalog);
  return Uint8Array.from([0, audioStatusOf(drive), body.length >> 8, body.length & 0xff, ...body]);
}

function audioStatusOf(drive: PacketDrive): number {
  if (drive.isPlaying) return audioStatus.playing;
  if (drive.isPaused) return audioStatus.paused;
  return drive.howItEnded === 1 ? audioStatus.completed : audioStatus.none;
}

function subchannelData(
  drive: PacketDrive,
  format: number,
  byTime: boolean,
  catalog: string | undefined,
): readonly number[] {
  const { head } = drive;
  const track = mediumIn(drive).trackAt(head);
  switch (format) {
    case formats.position: {
      const inTrack = Math.max(0, head - (track?.start ?? 0));
      const relative = placeOf(inTrack, byTime, timeOf(inTrack));
      return [format, controlOf(track), track?.number ?? 0, 1, ...placeOf(head, byTime), ...relative];
    }
    case formats.catalog: {
      const digits = [...(catalog ?? '')].map((digit) => digit.charCodeAt(0));
      const padded = Array.from({ length: 15 }, (_, index) => digits[index] ?? 0);
      return [format, 0, 0, 0, catalog === undefined ? 0 : 0x80, ...padded];
    }
    case formats.trackCode:
      // No image tells one.
      return [format, controlOf(track), track?.number ?? 0, 0, ...new Array<number>(16).fill(0)];
    default:
      throw new PacketFailure('badPacket');
  }
}
