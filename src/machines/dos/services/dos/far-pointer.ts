import { hex } from '../../../../formats/hex.ts';
export interface FarPointer {
  readonly segment: number;
  readonly offset: number;
}

export function linear(segment: number, offset: number): number {
  return (segment << 4) + (offset & 0xffff);
}

export function packFar({ segment, offset }: FarPointer): number {
  return ((segment << 16) | offset) >>> 0;
}

export function unpackFar(packed: number): FarPointer {
  return { segment: packed >>> 16, offset: packed & 0xffff };
}

export function farText(segment: number, offset: number): string {
  return `${hex(segment, 4)}:${hex(offset, 4)}`;
}
