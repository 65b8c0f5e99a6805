import type { GuestMemory } from '../../guest.ts';
import { bda } from '../data-area.ts';
import { plainRow, type ServiceRow } from '../service-row.ts';

/** INT 11h. */
export const equipmentService = (memory: GuestMemory): ServiceRow =>
  plainRow(0x11, 'equipment', (guest) => {
    guest.ax = memory.read16(bda.equipment);
    return 'done';
  });

/** INT 12h. */
export const memorySizeService = (memory: GuestMemory): ServiceRow =>
  plainRow(0x12, 'memory size', (guest) => {
    guest.ax = memory.read16(bda.memoryKilobytes);
    return 'done';
  });
