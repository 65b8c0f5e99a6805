import { PacketFailure } from './packet-failure.ts';
import type { PacketDrive } from './packet-medium.ts';

const pages = { recovery: 0x01, audio: 0x0e, capabilities: 0x2a, all: 0x3f } as const;
const headerBytes = 8;
const mediumTypes = { data: 1, sound: 2, mixed: 3, none: 0x70, open: 0x71 } as const;
/** Four times the speed of a player of music, in kilobytes a second. */
const speed = 706;
const muted = 0xff;

/** MODE SENSE: one page or all, as they are, or which bits can be changed. */
export function modeSense(drive: PacketDrive, packet: Uint8Array): Uint8Array {
  const wanted = (packet[2] ?? 0) & 0x3f;
  const kind = (packet[2] ?? 0) >> 6;
  // What was saved.
  if (kind === 3) throw new PacketFailure('badPacket');
  const makers: Readonly<Record<number, () => readonly number[]>> = {
    [pages.recovery]: () => [pages.recovery, 6, 0, 0, 0, 0, 0, 0],
    [pages.audio]: () => audioPage(drive, kind),
    [pages.capabilities]: () => capabilities(drive, kind === 1),
  };
  const numbers = wanted === pages.all ? [pages.recovery, pages.audio, pages.capabilities] : [wanted];
  const body = numbers.flatMap((number) => {
    const maker = makers[number];
    if (!maker) throw new PacketFailure('badPacket');
    return maker();
  });
  const length = headerBytes - 2 + body.length;
  return Uint8Array.from([length >> 8, length & 0xff, mediumType(drive), 0, 0, 0, 0, 0, ...body]);
}

/** MODE SELECT: volumes can be set, other pages are taken. */
export function modeSelect(drive: PacketDrive, bytes: Uint8Array): void {
  for (let at = headerBytes; at + 2 <= bytes.length; ) {
    const [code, length] = [(bytes[at] ?? 0) & 0x3f, bytes[at + 1] ?? 0];
    const page = bytes.subarray(at, at + 2 + length);
    if (code === pages.audio) setVolumes(drive, page);
    else if (code !== pages.recovery && code !== pages.capabilities) throw new PacketFailure('badParameters');
    at += 2 + length;
  }
}

function mediumType(drive: PacketDrive): number {
  if (drive.isOpen) return mediumTypes.open;
  const { medium } = drive;
  if (!medium) return mediumTypes.none;
  const kinds = new Set(medium.tracks.map(({ kind }) => kind));
  return kinds.size > 1 ? mediumTypes.mixed : kinds.has('audio') ? mediumTypes.sound : mediumTypes.data;
}

/** Inputs are bits there, numbers in the drive. */
function audioPage(drive: PacketDrive, kind: number): readonly number[] {
  const outputs = [0, 1, 2, 3].flatMap((output) => {
    if (kind === 1) return [15, 0xff];
    if (kind === 2) return [1 << output, output < 2 ? 0xff : 0];
    const { input, volume } = drive.output(output);
    return [input < 4 ? 1 << input : 0, volume];
  });
  return [pages.audio, 14, kind === 1 ? 0 : 4, 0, 0, 0, 0, kind === 1 ? 0 : 75, ...outputs];
}

function setVolumes(drive: PacketDrive, page: Uint8Array): void {
  if (page.length < 16) throw new PacketFailure('badParameters');
  for (let output = 0; output < 4; output++) {
    const [inputs = 0, volume = 0] = page.subarray(8 + output * 2);
    drive.setOutput(output, inputs === 0 ? muted : 31 - Math.clz32(inputs & -inputs), volume);
  }
}

function capabilities(drive: PacketDrive, asMask: boolean): readonly number[] {
  if (asMask) return [pages.capabilities, 18, ...new Array<number>(18).fill(0)];
  const word = (value: number) => [value >> 8, value & 0xff];
  // Sound, both forms of mode 2; sound as data, exactly; a tray that ejects and locks; volumes of their own.
  const tray = 0x29 | (drive.isLocked ? 2 : 0);
  return [
    pages.capabilities,
    18,
    0,
    0,
    0x31,
    3,
    tray,
    3,
    ...word(speed),
    ...word(256),
    ...word(128),
    ...word(speed),
    0,
    0,
    0,
    0,
  ];
}
