import { hex } from '../../../../../formats/hex.ts';
import { DosError } from '../../../drives/dos-error.ts';
import type { DosFunction } from '../dos-function.ts';
import { farText, linear } from '../far-pointer.ts';
import { at, dosSegment, tables, tablesSegment } from '../layout.ts';

const version = 5;
/** DX of function 3306h. */
const inHighMemory = 0x1000;

const getVersion: DosFunction = {
  number: 0x30,
  name: 'get DOS version',
  failure: 'none',
  run(guest) {
    // With AL=1 BH tells whether DOS runs from ROM, otherwise the maker: 0 and FFh as MS-DOS answers.
    guest.bh = guest.al === 1 ? 0 : 0xff;
    guest.bl = 0;
    guest.cx = 0;
    guest.ax = version;
    return undefined;
  },
  result: (guest) => `${guest.al}.${guest.ah}`,
};

const breakCheck: DosFunction = {
  number: 0x33,
  name: 'break check',
  failure: 'none',
  describe: (guest) => ['get', `set ${guest.dl}`, `exchange ${guest.dl}`][guest.al] ?? `subfunction ${guest.al}`,
  run(guest, { area, high }) {
    const old = area.breakCheck ? 1 : 0;
    if (guest.al === 0) guest.dl = old;
    else if (guest.al === 1) area.breakCheck = (guest.dl & 1) !== 0;
    else if (guest.al === 2) {
      area.breakCheck = (guest.dl & 1) !== 0;
      guest.dl = old;
    } else if (guest.al === 5) guest.dl = 3;
    else if (guest.al === 6) {
      guest.bx = version;
      guest.dx = high ? inHighMemory : 0;
    } else guest.al = 0xff;
    return undefined;
  },
};

const inDos: DosFunction = {
  number: 0x34,
  name: 'get InDOS flag',
  failure: 'none',
  run(guest) {
    guest.es = dosSegment;
    guest.bx = at.swappableArea + 1;
    return undefined;
  },
  result: (guest) => farText(guest.es, guest.bx),
};

const switchCharacter: DosFunction = {
  number: 0x37,
  name: 'switch character',
  failure: 'none',
  describe: (guest) => (guest.al === 1 ? `set ${hex(guest.dl, 2)}h` : `subfunction ${guest.al}`),
  run(guest, { area }) {
    if (guest.al === 0) {
      guest.dl = area.switchCharacter;
      guest.al = 0;
    } else if (guest.al === 1) {
      area.switchCharacter = guest.dl;
      guest.al = 0;
    } else if (guest.al === 2 || guest.al === 3) guest.dl = 0xff;
    else guest.al = 0xff;
    return undefined;
  },
};

const listOfLists: DosFunction = {
  number: 0x52,
  name: 'get list of lists',
  failure: 'none',
  run(guest) {
    guest.es = dosSegment;
    guest.bx = at.listOfLists;
    return undefined;
  },
  result: (guest) => farText(guest.es, guest.bx),
};

const setVerify: DosFunction = {
  number: 0x2e,
  name: 'set verify',
  failure: 'none',
  describe: (guest) => String(guest.al),
  run(guest, { area }) {
    area.verify = (guest.al & 1) !== 0;
    return undefined;
  },
};

const getVerify: DosFunction = {
  number: 0x54,
  name: 'get verify',
  failure: 'none',
  run(guest, { area }) {
    guest.al = area.verify ? 1 : 0;
    return undefined;
  },
};

const extendedError: DosFunction = {
  number: 0x59,
  name: 'get extended error',
  failure: 'none',
  run(guest, { area }) {
    guest.ax = area.errorCode;
    guest.bh = area.errorClass;
    guest.bl = area.errorAction;
    guest.ch = area.errorLocus;
    return undefined;
  },
  result: (guest) => `error ${guest.ax}, class ${guest.bh}, action ${guest.bl}, locus ${guest.ch}`,
};

const doubleByteTable: DosFunction = {
  number: 0x63,
  name: 'get double-byte table',
  failure: 'none',
  run(guest) {
    if (guest.al !== 0) {
      guest.al = 0xff;
      return undefined;
    }
    guest.ds = tablesSegment;
    guest.si = tables.doubleByte;
    guest.carry = false;
    return undefined;
  },
};

const setHandleCount: DosFunction = {
  number: 0x67,
  name: 'set handle count',
  failure: 'carry',
  describe: (guest) => String(guest.bx),
  run(guest, dos) {
    const { processes, blocks, memory } = dos;
    const process = processes.current;
    const old = processes.handleCount(process);
    if (guest.bx <= 20 && old <= 20) return undefined;
    const count = Math.max(20, guest.bx);
    const entries = Array.from({ length: Math.min(old, count) }, (_, handle) => processes.handle(process, handle));
    for (let handle = count; handle < old; handle++) {
      if (processes.handle(process, handle) !== 0xff) throw new DosError('tooManyOpenFiles');
    }
    const segment = blocks.allocate((count + 15) >> 4, process, dos.area.allocationStrategy);
    const table = new Uint8Array(count).fill(0xff);
    table.set(entries);
    memory.write(linear(segment, 0), table);
    const before = processes.long(process, 0x34);
    processes.setWord(process, 0x32, count);
    processes.setLong(process, 0x34, (segment << 16) >>> 0);
    if (before >>> 16 !== process && (before & 0xffff) === 0) blocks.free(before >>> 16);
    return undefined;
  },
};

export const systemFunctions = [
  setVerify,
  getVersion,
  breakCheck,
  inDos,
  switchCharacter,
  listOfLists,
  getVerify,
  extendedError,
  doubleByteTable,
  setHandleCount,
] as const;
