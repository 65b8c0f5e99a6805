import type { Guest, ServiceOutcome } from '../../guest.ts';
import { plainRow, type ServiceRow } from '../service-row.ts';
import type { DiskShelf } from './disk-image.ts';

/** INT 19h: the first sector of floppy A, else of the first hard disk, to 0000:7C00. With neither, INT 18h's way. */
export const bootService = (disk: DiskShelf, otherwise: (guest: Guest) => ServiceOutcome): ServiceRow =>
  plainRow(0x19, 'boot', (guest) => {
    for (const drive of [0, 0x80]) {
      const image = disk(drive);
      if (image === undefined) continue;
      const sector = image.read(0);
      // A floppy need not be marked; a hard disk without a boot record is not booted.
      if (drive === 0x80 && (sector[510] !== 0x55 || sector[511] !== 0xaa)) continue;
      guest.memory.write(0x7c00, sector);
      guest.dx = drive;
      guest.ax = 0xaa55;
      guest.ds = guest.es = 0;
      guest.ss = 0;
      guest.sp = 0x7c00 - 6;
      // The IRET after this service goes there, with interrupts on.
      [0x7c00, 0, 0x0202].forEach((word, index) => {
        guest.memory.write16(guest.sp + index * 2, word);
      });
      return 'done';
    }
    return otherwise(guest);
  });
