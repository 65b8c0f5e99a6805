import { hex } from '../../../../../formats/hex.ts';
import { DosError } from '../../../drives/dos-error.ts';
import type { DosFunction } from '../dos-function.ts';

const allocate: DosFunction = {
  number: 0x48,
  name: 'allocate memory',
  failure: 'carry',
  describe: (guest) => `${guest.bx} paragraphs`,
  run(guest, { blocks, area, processes }) {
    try {
      guest.ax = blocks.allocate(guest.bx, processes.current, area.allocationStrategy);
    } catch (error) {
      if (error instanceof DosError && error.code === 8) guest.bx = blocks.largest(area.allocationStrategy);
      throw error;
    }
    return undefined;
  },
  result: (guest) => `at ${hex(guest.ax, 4)}h`,
};

const free: DosFunction = {
  number: 0x49,
  name: 'free memory',
  failure: 'carry',
  describe: (guest) => `${hex(guest.es, 4)}h`,
  run(guest, { blocks }) {
    blocks.free(guest.es);
    return undefined;
  },
};

const resize: DosFunction = {
  number: 0x4a,
  name: 'resize memory',
  failure: 'carry',
  describe: (guest) => `${hex(guest.es, 4)}h to ${guest.bx} paragraphs`,
  run(guest, { blocks }) {
    const size = blocks.resize(guest.es, guest.bx);
    if (size < guest.bx) {
      guest.bx = size;
      throw new DosError('insufficientMemory');
    }
    // Not in the manuals, but DOS/16M and the BASIC runtime count on it.
    guest.ax = guest.es;
    return undefined;
  },
};

const strategy: DosFunction = {
  number: 0x58,
  name: 'allocation strategy',
  failure: 'carry',
  describe: (guest) => ['get', `set ${guest.bx}`, 'get upper link', `set upper link ${guest.bx}`][guest.al] ?? '?',
  run(guest, { area, blocks }) {
    switch (guest.al) {
      case 0:
        guest.ax = area.allocationStrategy;
        return undefined;
      case 1:
        if ((guest.bx & 0x3f) > 2 || (guest.bx & 0xc0) === 0xc0) throw new DosError('invalidFunction');
        area.allocationStrategy = guest.bx;
        return undefined;
      case 2:
        guest.al = blocks.linked ? 1 : 0;
        return undefined;
      case 3:
        if (guest.bx > 1) throw new DosError('invalidFunction');
        blocks.linked = guest.bx === 1;
        return undefined;
      default:
        throw new DosError('invalidFunction');
    }
  },
};

export const memoryFunctions = [allocate, free, resize, strategy] as const;
