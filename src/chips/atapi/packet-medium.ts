import type { CdDrive, CdMedium } from '../cd-drive/cd-drive.ts';
import { PacketFailure } from './packet-failure.ts';

interface PacketTrack {
  readonly number: number;
  readonly kind: 'audio' | 'data';
  readonly start: number;
}

/** What is on a disc, as packets ask for it. */
export interface PacketMedium extends CdMedium {
  readonly tracks: readonly PacketTrack[];
  readonly catalog: string | undefined;
  trackAt(sector: number): PacketTrack | undefined;
  /** 2,048 bytes; undefined where there are none. */
  data(sector: number): Uint8Array | undefined;
  /** 2,352 bytes; undefined where the image has none. */
  raw(sector: number): Uint8Array | undefined;
}

export type PacketDrive = CdDrive<PacketMedium>;

export function mediumIn(drive: PacketDrive): PacketMedium {
  const { medium } = drive;
  if (!medium) throw new PacketFailure('noDisc');
  return medium;
}

/** Address and control bits of the Q channel, as packets show them. */
export function controlOf(track: PacketTrack | undefined): number {
  return track?.kind === 'data' ? 0x14 : 0x10;
}
