import type { GuestMemory } from '../guest.ts';

/** Ports as a processor reaches them with IN and OUT. */
export interface PortBus {
  read8(port: number): number;
  write8(port: number, value: number): void;
}

/** The two things every service of the BIOS works on. */
export interface Hardware {
  readonly memory: GuestMemory;
  readonly ports: PortBus;
}
