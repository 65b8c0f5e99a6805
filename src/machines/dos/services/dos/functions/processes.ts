import { hex } from '../../../../../formats/hex.ts';
import { DosError } from '../../../drives/dos-error.ts';
import type { Guest } from '../../guest.ts';
import type { Dos } from '../dos.ts';
import type { DosFunction } from '../dos-function.ts';
import { linear, packFar } from '../far-pointer.ts';
import { returnAddress } from '../frames.ts';
import { psp } from '../processes.ts';
import { endings, terminate } from '../termination.ts';

const prefixBytes = 0x100;
const leastResident = 6;

const terminateOld: DosFunction = {
  number: 0x00,
  name: 'terminate',
  failure: 'none',
  run: (guest, dos) => terminateByPrefix(dos, guest),
};

const exit: DosFunction = {
  number: 0x4c,
  name: 'exit',
  failure: 'none',
  describe: (guest) => `code ${guest.al}`,
  run(guest, dos) {
    terminate(dos, guest, guest.al, endings.normal);
    return undefined;
  },
};

const stayResident: DosFunction = {
  number: 0x31,
  name: 'terminate and stay resident',
  failure: 'none',
  describe: (guest) => `code ${guest.al}, ${guest.dx} paragraphs`,
  run(guest, dos) {
    keepResident(dos, guest, guest.dx, guest.al);
    return undefined;
  },
};

const returnCode: DosFunction = {
  number: 0x4d,
  name: 'get return code',
  failure: 'none',
  run(guest, dos) {
    guest.ax = dos.area.returnCode;
    dos.area.returnCode = 0;
    return undefined;
  },
  result: (guest) => `code ${guest.al}, ending ${guest.ah}`,
};

const setProcess: DosFunction = {
  number: 0x50,
  name: 'set current process',
  failure: 'none',
  describe: (guest) => `${hex(guest.bx, 4)}h`,
  run(guest, dos) {
    dos.processes.current = guest.bx;
    return undefined;
  },
};

const getProcessOld: DosFunction = { ...getProcessRow(), number: 0x51 };
const getProcess: DosFunction = { ...getProcessRow(), number: 0x62 };

const createPrefix: DosFunction = {
  number: 0x26,
  name: 'create PSP',
  failure: 'none',
  describe: (guest) => `at ${hex(guest.dx, 4)}h`,
  run(guest, dos) {
    const { processes, memory } = dos;
    const parent = processes.current;
    const copy = memory.bytes(linear(parent, 0), prefixBytes);
    memory.write(linear(guest.dx, 0), copy);
    processes.saveVectors(guest.dx);
    processes.setLong(guest.dx, psp.terminate, packFar(returnAddress(guest)));
    processes.setWord(guest.dx, psp.parent, parent);
    processes.setLong(guest.dx, psp.handlePointer, ((guest.dx << 16) | psp.handles) >>> 0);
    return undefined;
  },
};

const createChildPrefix: DosFunction = {
  number: 0x55,
  name: 'create child PSP',
  failure: 'none',
  describe: (guest) => `at ${hex(guest.dx, 4)}h, top ${hex(guest.si, 4)}h`,
  run(guest, dos) {
    const { processes } = dos;
    const parent = processes.current;
    processes.create(guest.dx, parent, guest.si);
    processes.inheritHandles(guest.dx, parent);
    processes.setWord(guest.dx, psp.environment, processes.word(parent, psp.environment));
    processes.current = guest.dx;
    guest.al = 0xf0;
    return undefined;
  },
};

export const processFunctions = [
  terminateOld,
  createPrefix,
  stayResident,
  exit,
  returnCode,
  setProcess,
  getProcessOld,
  createChildPrefix,
  getProcess,
] as const;

/** INT 20h and function 0: the caller's CS must be its prefix, which DOS takes on trust. */
export function terminateByPrefix(dos: Dos, guest: Guest): undefined {
  terminate(dos, guest, 0, endings.normal);
  return undefined;
}

/** Keeps the first paragraphs of the current process's block and ends it. */
export function keepResident(dos: Dos, guest: Guest, paragraphs: number, code: number): void {
  const process = dos.processes.current;
  try {
    dos.blocks.resize(process, Math.max(paragraphs, leastResident));
  } catch (error) {
    if (!(error instanceof DosError)) throw error;
  }
  terminate(dos, guest, code, endings.resident);
}

function getProcessRow(): Omit<DosFunction, 'number'> {
  return {
    name: 'get current process',
    failure: 'none',
    run(guest, dos) {
      guest.bx = dos.processes.current;
      return undefined;
    },
    result: (guest) => `${hex(guest.bx, 4)}h`,
  };
}
