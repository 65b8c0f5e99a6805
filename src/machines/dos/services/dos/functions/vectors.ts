import { hex } from '../../../../../formats/hex.ts';
import type { DosFunction } from '../dos-function.ts';
import { farText } from '../far-pointer.ts';

const setTransferArea: DosFunction = {
  number: 0x1a,
  name: 'set transfer area',
  failure: 'none',
  describe: (guest) => farText(guest.ds, guest.dx),
  run(guest, { area }) {
    area.transferArea = ((guest.ds << 16) | guest.dx) >>> 0;
    return undefined;
  },
};

const getTransferArea: DosFunction = {
  number: 0x2f,
  name: 'get transfer area',
  failure: 'none',
  run(guest, { area }) {
    guest.es = area.transferArea >>> 16;
    guest.bx = area.transferArea & 0xffff;
    return undefined;
  },
  result: (guest) => farText(guest.es, guest.bx),
};

const setVector: DosFunction = {
  number: 0x25,
  name: 'set vector',
  failure: 'none',
  describe: (guest) => `${hex(guest.al, 2)}h to ${farText(guest.ds, guest.dx)}`,
  run(guest, { processes }) {
    processes.setVector(guest.al, ((guest.ds << 16) | guest.dx) >>> 0);
    return undefined;
  },
};

const getVector: DosFunction = {
  number: 0x35,
  name: 'get vector',
  failure: 'none',
  describe: (guest) => `${hex(guest.al, 2)}h`,
  run(guest, { processes }) {
    const vector = processes.vector(guest.al);
    guest.es = vector >>> 16;
    guest.bx = vector & 0xffff;
    return undefined;
  },
  result: (guest) => farText(guest.es, guest.bx),
};

export const vectorFunctions = [setTransferArea, getTransferArea, setVector, getVector] as const;
