import { hex } from '../../../../formats/hex.ts';
import type { FunctionTable } from '../bios/service-row.ts';
import type { Guest } from '../guest.ts';
import { moveBlock } from './move-block.ts';
import type { XmsDriver } from './xms-driver.ts';
import { xmsErrors } from './xms-errors.ts';

/** Its parameters are in memory. */
export const moveFunction = 0x0b;

const HANDLES = 128;
const FIRST_KILOBYTE = 0x440;

function succeed(guest: Guest): 'done' {
  guest.ax = 1;
  guest.bl = 0;
  return 'done';
}

function fail(guest: Guest, error: number): 'done' {
  guest.ax = 0;
  guest.bl = error;
  return 'done';
}

/** DX says how many paragraphs there are. */
function tooLarge(guest: Guest, largest: number): 'done' {
  guest.dx = largest;
  return fail(guest, largest === 0 ? xmsErrors.noUpperMemory : xmsErrors.lessUpperMemory);
}

const handleDetails = (g: Guest) => `handle ${g.dx}`;

function allocate({ memory }: XmsDriver, guest: Guest, kilobytes: number): 'done' {
  const block = memory.allocate(kilobytes, HANDLES);
  if (block === undefined) return fail(guest, xmsErrors.allAllocated);
  if (block === 'full') return fail(guest, xmsErrors.noHandles);
  guest.dx = block.handle;
  return succeed(guest);
}

/** Functions of the XMS driver by AH. */
export const xmsFunctions: FunctionTable<XmsDriver> = [
  {
    number: 0x00,
    name: 'version',
    run(_, guest) {
      guest.ax = 0x0300;
      guest.bx = 0x0100;
      guest.dx = 1;
      return 'done';
    },
  },
  {
    number: 0x01,
    name: 'request high memory area',
    details: (g) => `${g.dx} bytes`,
    run(driver, guest) {
      if (driver.highMemoryTaken) return fail(guest, xmsErrors.noHighMemory);
      driver.highMemoryTaken = true;
      return succeed(guest);
    },
  },
  {
    number: 0x02,
    name: 'release high memory area',
    run(driver, guest) {
      if (!driver.highMemoryTaken) return fail(guest, xmsErrors.highMemoryFree);
      driver.highMemoryTaken = false;
      return succeed(guest);
    },
  },
  {
    number: 0x03,
    name: 'enable A20',
    run({ wires }, guest) {
      wires.setA20(true);
      return succeed(guest);
    },
  },
  {
    number: 0x04,
    name: 'disable A20',
    run({ wires }, guest) {
      wires.setA20(false);
      return succeed(guest);
    },
  },
  {
    number: 0x05,
    name: 'enable A20 locally',
    run(driver, guest) {
      driver.a20Locks++;
      driver.wires.setA20(true);
      return succeed(guest);
    },
  },
  {
    number: 0x06,
    name: 'disable A20 locally',
    run(driver, guest) {
      driver.a20Locks = Math.max(0, driver.a20Locks - 1);
      if (driver.a20Locks === 0) driver.wires.setA20(false);
      return succeed(guest);
    },
  },
  {
    number: 0x07,
    name: 'query A20',
    run({ wires }, guest) {
      guest.ax = wires.a20() ? 1 : 0;
      guest.bl = 0;
      return 'done';
    },
  },
  {
    number: 0x08,
    name: 'query free memory',
    run({ memory }, guest) {
      guest.ax = Math.min(0xffff, memory.largest);
      guest.dx = Math.min(0xffff, memory.free);
      guest.bl = memory.largest === 0 ? xmsErrors.allAllocated : 0;
      return 'done';
    },
  },
  {
    number: 0x09,
    name: 'allocate',
    details: (g) => `${g.dx} KB`,
    run: (driver, guest) => allocate(driver, guest, guest.dx),
  },
  {
    number: 0x0a,
    name: 'free',
    details: handleDetails,
    run({ memory }, guest) {
      const block = memory.find(guest.dx);
      if (block === undefined) return fail(guest, xmsErrors.badHandle);
      if (block.locks > 0) return fail(guest, xmsErrors.locked);
      memory.release(block);
      return succeed(guest);
    },
  },
  {
    number: moveFunction,
    name: 'move',
    details: (g) => {
      const at = (g.ds << 4) + g.si;
      const [from, to] = [g.memory.read16(at + 4), g.memory.read16(at + 10)];
      return `${g.memory.read32(at)} bytes from handle ${from} to ${to}`;
    },
    run(driver, guest) {
      const error = moveBlock(driver, (guest.ds << 4) + guest.si);
      return error === 0 ? succeed(guest) : fail(guest, error);
    },
  },
  {
    number: 0x0c,
    name: 'lock',
    details: handleDetails,
    run({ memory }, guest) {
      const block = memory.find(guest.dx);
      if (block === undefined) return fail(guest, xmsErrors.badHandle);
      block.locks++;
      const address = (FIRST_KILOBYTE + block.start) * 1024;
      guest.ax = 1;
      guest.dx = address >>> 16;
      guest.bx = address & 0xffff;
      return 'done';
    },
  },
  {
    number: 0x0d,
    name: 'unlock',
    details: handleDetails,
    run({ memory }, guest) {
      const block = memory.find(guest.dx);
      if (block === undefined) return fail(guest, xmsErrors.badHandle);
      if (block.locks === 0) return fail(guest, xmsErrors.notLocked);
      block.locks--;
      return succeed(guest);
    },
  },
  {
    number: 0x0e,
    name: 'handle information',
    details: handleDetails,
    run({ memory }, guest) {
      const block = memory.find(guest.dx);
      if (block === undefined) return fail(guest, xmsErrors.badHandle);
      guest.ax = 1;
      guest.bh = block.locks;
      guest.bl = HANDLES - memory.blocks.length;
      guest.dx = Math.min(0xffff, block.kilobytes);
      return 'done';
    },
  },
  {
    number: 0x0f,
    name: 'resize',
    details: (g) => `handle ${g.dx} to ${g.bx} KB`,
    run({ memory, wires }, guest) {
      const block = memory.find(guest.dx);
      if (block === undefined) return fail(guest, xmsErrors.badHandle);
      if (block.locks > 0) return fail(guest, xmsErrors.locked);
      const resized = memory.resize(block, guest.bx, (from, to, kilobytes) => {
        wires.extended.copyWithin(to * 1024, from * 1024, (from + kilobytes) * 1024);
      });
      return resized ? succeed(guest) : fail(guest, xmsErrors.allAllocated);
    },
  },
  {
    number: 0x10,
    name: 'request upper memory block',
    details: (g) => `${g.dx} paragraphs`,
    run({ upper }, guest) {
      const segment = upper?.request(guest.dx);
      if (segment === undefined) return tooLarge(guest, upper?.largest ?? 0);
      guest.ax = 1;
      guest.bx = segment;
      return 'done';
    },
  },
  {
    number: 0x11,
    name: 'release upper memory block',
    details: (g) => `segment ${hex(g.dx, 4)}`,
    run: ({ upper }, guest) => (upper?.release(guest.dx) ? succeed(guest) : fail(guest, xmsErrors.badUpperMemory)),
  },
  {
    number: 0x12,
    name: 'resize upper memory block',
    details: (g) => `segment ${hex(g.dx, 4)} to ${g.bx} paragraphs`,
    run({ upper }, guest) {
      const result = upper?.resize(guest.dx, guest.bx);
      if (result === undefined) return fail(guest, xmsErrors.badUpperMemory);
      return result === true ? succeed(guest) : tooLarge(guest, result);
    },
  },
  {
    number: 0x88,
    name: 'query any free memory',
    run({ memory }, guest) {
      guest.eax = memory.largest;
      guest.edx = memory.free;
      guest.ecx = (FIRST_KILOBYTE + memory.kilobytes) * 1024 - 1;
      guest.bl = memory.largest === 0 ? xmsErrors.allAllocated : 0;
      return 'done';
    },
  },
  {
    number: 0x89,
    name: 'allocate any memory',
    details: (g) => `${g.edx} KB`,
    run: (driver, guest) => allocate(driver, guest, guest.edx),
  },
];
