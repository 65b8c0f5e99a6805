import type { CdDrive } from '../../../../chips/cd-drive/cd-drive.ts';
import { timeOf, timeOnDisc } from '../../../../chips/cd-drive/cd-time.ts';
import { audioBytes, type Disc, dataBytes } from '../../../../formats/cd/disc.ts';
import type { GuestMemory } from '../guest.ts';
import { type AddressMode, addressOf } from './cd-addresses.ts';
import { CdFailure } from './cd-failures.ts';

type Drive = CdDrive<Disc>;
type Action = (memory: GuestMemory, place: number, drive: Drive, header: number) => void;

const redBook: AddressMode = 1;
/** Control bits of a track. */
const dataTrack = 0x40;
const status = {
  open: 0x1,
  unlocked: 0x2,
  raw: 0x4,
  audio: 0x10,
  channels: 0x100,
  redBook: 0x200,
  empty: 0x800,
} as const;
const changes = { changed: 0xff, same: 1 } as const;

export function discIn(drive: Drive): Disc {
  const disc = drive.medium;
  if (!disc) throw new CdFailure('notReady');
  return disc;
}

/** What command 3 asks by the first byte of its block. */
const readers: Readonly<Record<number, Action>> = {
  0: (memory, place, _, header) => memory.write32(place + 1, header),
  1: (memory, place, drive) =>
    memory.write32(place + 2, addressOf(drive.head, memory.read8(place + 1) === 0 ? 0 : redBook)),
  4: (memory, place, drive) => {
    for (let output = 0; output < 4; output++) {
      const { input, volume } = drive.output(output);
      memory.write8(place + 1 + output * 2, input);
      memory.write8(place + 2 + output * 2, volume);
    }
  },
  5: (memory, place) => memory.write8(place + 1, 0),
  6: (memory, place, drive) => memory.write32(place + 1, statusOf(drive)),
  7: (memory, place) => memory.write16(place + 2, memory.read8(place + 1) === 0 ? dataBytes : audioBytes),
  8: (memory, place, drive) => memory.write32(place + 1, discIn(drive).leadOut),
  9: (memory, place, drive) => {
    const changed = drive.takeChange();
    discIn(drive);
    memory.write8(place + 1, changed ? changes.changed : changes.same);
  },
  10: (memory, place, drive) => {
    const { tracks, leadOut } = discIn(drive);
    memory.write8(place + 1, tracks[0]?.number ?? 1);
    memory.write8(place + 2, tracks.at(-1)?.number ?? 1);
    memory.write32(place + 3, addressOf(leadOut, redBook));
  },
  11: (memory, place, drive) => {
    const number = memory.read8(place + 1);
    const track = discIn(drive).tracks.find((each) => each.number === number);
    if (!track) throw new CdFailure('sectorNotFound');
    memory.write32(place + 2, addressOf(track.start, redBook));
    memory.write8(place + 6, track.kind === 'data' ? dataTrack : 0);
  },
  12: writePlace,
  14: (memory, place, drive) => {
    const { catalog } = discIn(drive);
    if (catalog === undefined) throw new CdFailure('sectorNotFound');
    const digits = `${catalog}0`;
    memory.write8(place + 1, 2);
    for (let byte = 0; byte < 7; byte++)
      memory.write8(place + 2 + byte, Number.parseInt(digits.slice(byte * 2, byte * 2 + 2), 16));
    memory.write16(place + 9, 0);
  },
  15: (memory, place, drive) => {
    const { first, end } = drive.range;
    memory.write16(place + 1, drive.isPaused ? 1 : 0);
    memory.write32(place + 3, addressOf(drive.isPaused ? drive.head : first, redBook));
    memory.write32(place + 7, addressOf(end, redBook));
  },
};

/** What command 12 does by the first byte of its block. */
const writers: Readonly<Record<number, Action>> = {
  0: (_, __, drive) => {
    if (!drive.setTray(true)) throw new CdFailure('general');
  },
  1: (memory, place, drive) => drive.lock(memory.read8(place + 1) !== 0),
  2: (_, __, drive) => drive.seek(0),
  3: (memory, place, drive) => {
    for (let output = 0; output < 4; output++) {
      drive.setOutput(output, memory.read8(place + 1 + output * 2), memory.read8(place + 2 + output * 2));
    }
  },
  5: (_, __, drive) => {
    drive.setTray(false);
  },
};

export function readControl(memory: GuestMemory, place: number, drive: Drive, header: number): void {
  const action = readers[memory.read8(place)];
  if (!action) throw new CdFailure('unknownCommand');
  action(memory, place, drive, header);
}

export function writeControl(memory: GuestMemory, place: number, drive: Drive): void {
  const action = writers[memory.read8(place)];
  if (!action) throw new CdFailure('unknownCommand');
  action(memory, place, drive, 0);
}

export function statusOf(drive: Drive): number {
  return (
    (drive.isOpen ? status.open : 0) |
    (drive.isLocked ? 0 : status.unlocked) |
    (drive.medium ? 0 : status.empty) |
    status.raw |
    status.audio |
    status.channels |
    status.redBook
  );
}

/** The Q channel: track, index, time in the track, time on the disc. */
function writePlace(memory: GuestMemory, place: number, drive: Drive): void {
  const disc = discIn(drive);
  const { head } = drive;
  const track = disc.trackAt(head);
  const inTrack = timeOf(Math.max(0, head - (track?.start ?? 0)));
  const onDisc = timeOnDisc(head);
  const bytes = [
    (track?.kind === 'data' ? dataTrack : 0) | 1,
    track?.number ?? 0,
    1,
    inTrack.minute,
    inTrack.second,
    inTrack.frame,
    0,
    onDisc.minute,
    onDisc.second,
    onDisc.frame,
  ];
  memory.write(place + 1, Uint8Array.from(bytes));
}
