import { sectorAt, timeOnDisc } from '../../../../chips/cd-drive/cd-time.ts';

/** 0: sectors from 00:02:00 on; 1: minutes, seconds and frames (Red Book). */
export type AddressMode = 0 | 1;

export function sectorOf(address: number, mode: AddressMode): number {
  if (mode === 0) return address >>> 0;
  return sectorAt({ minute: (address >> 16) & 0xff, second: (address >> 8) & 0xff, frame: address & 0xff });
}

export function addressOf(sector: number, mode: AddressMode): number {
  if (mode === 0) return sector >>> 0;
  const { minute, second, frame } = timeOnDisc(sector);
  return (minute << 16) | (second << 8) | frame;
}
