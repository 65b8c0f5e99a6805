import type { GuestMemory } from '../guest.ts';

/** A device driver of the kernel's own that programs send requests to. */
export interface OwnDriver {
  /** The status word for a request that lies there. */
  request(memory: GuestMemory, packet: number): number;
  /** IOCTL of an open file: how many bytes, or undefined where it failed. */
  control(memory: GuestMemory, writing: boolean, place: number, count: number): number | undefined;
}
