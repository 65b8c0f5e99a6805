import { leadInSectors, sectorsPerSecond } from '../../../../formats/cd/disc.ts';

/** 0: sectors from 00:02:00 on; 1: minutes, seconds and frames (Red Book). */
export type AddressMode = 0 | 1;

export function sectorOf(address: number, mode: AddressMode): number {
  if (mode === 0) return address >>> 0;
  const [frame, second, minute] = [address & 0xff, (address >> 8) & 0xff, (address >> 16) & 0xff];
  return (minute * 60 + second) * sectorsPerSecond + frame - leadInSectors;
}

export function addressOf(sector: number, mode: AddressMode): number {
  if (mode === 0) return sector >>> 0;
  const { minute, second, frame } = timeOf(sector + leadInSectors);
  return (minute << 16) | (second << 8) | frame;
}

export function timeOf(frames: number): { readonly minute: number; readonly second: number; readonly frame: number } {
  const seconds = Math.floor(frames / sectorsPerSecond);
  return { minute: Math.floor(seconds / 60), second: seconds % 60, frame: frames % sectorsPerSecond };
}
