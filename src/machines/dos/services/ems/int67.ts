import { hex } from '../../../../formats/hex.ts';
import { vectorAddress } from '../bios/data-area.ts';
import { interruptOffset } from '../bios/rom.ts';
import { type FunctionTable, rowByAh, type ServiceRow } from '../bios/service-row.ts';
import type { Guest, GuestMemory } from '../guest.ts';
import { emsErrors, fail, handleOf, mapPage, succeed } from './answers.ts';
import { type ExpandedMemory, FRAME_SEGMENT, PHYSICAL_PAGES } from './expanded-memory.ts';
import { mapFunctions } from './map-functions.ts';
import { moveRegion } from './move-region.ts';
import { nameFunctions } from './name-functions.ts';

const handleDetails = (g: Guest) => `handle ${g.dx}`;

function allocate(memory: ExpandedMemory, guest: Guest, zeroAllowed: boolean): 'done' {
  if (guest.bx === 0 && !zeroAllowed) return fail(guest, emsErrors.noPagesAsked);
  if (guest.bx > memory.pageCount) return fail(guest, emsErrors.notSoManyPages);
  if (guest.bx > memory.freePages) return fail(guest, emsErrors.notSoManyFree);
  if (memory.handles.length >= 255) return fail(guest, emsErrors.noHandles);
  guest.dx = memory.allocate(guest.bx).number;
  return succeed(guest);
}

const functions: FunctionTable<ExpandedMemory> = [
  { number: 0x40, name: 'status', run: (_, guest) => succeed(guest) },
  {
    number: 0x41,
    name: 'page frame',
    run(_, guest) {
      guest.bx = FRAME_SEGMENT;
      return succeed(guest);
    },
  },
  {
    number: 0x42,
    name: 'page counts',
    run(memory, guest) {
      guest.bx = memory.freePages;
      guest.dx = memory.pageCount;
      return succeed(guest);
    },
  },
  {
    number: 0x43,
    name: 'allocate',
    details: (g) => `${g.bx} pages`,
    run: (memory, guest) => allocate(memory, guest, false),
  },
  {
    number: 0x44,
    name: 'map page',
    details: (g) => `physical ${g.al} logical ${g.bx === 0xffff ? 'none' : g.bx} handle ${g.dx}`,
    run(memory, guest) {
      const status = mapPage(memory, guest.al, guest.dx, guest.bx);
      return status === 0 ? succeed(guest) : fail(guest, status);
    },
  },
  {
    number: 0x45,
    name: 'release',
    details: handleDetails,
    run(memory, guest) {
      const handle = handleOf(memory, guest);
      if (handle === undefined) return 'done';
      if (handle.saved !== undefined) return fail(guest, emsErrors.mapIsSaved);
      memory.release(handle);
      return succeed(guest);
    },
  },
  {
    number: 0x46,
    name: 'version',
    run(_, guest) {
      guest.al = 0x40;
      return succeed(guest);
    },
  },
  {
    number: 0x4b,
    name: 'handle count',
    run(memory, guest) {
      guest.bx = memory.handles.length;
      return succeed(guest);
    },
  },
  {
    number: 0x4c,
    name: 'pages of handle',
    details: handleDetails,
    run(memory, guest) {
      const handle = handleOf(memory, guest);
      if (handle === undefined) return 'done';
      guest.bx = handle.pages.length;
      return succeed(guest);
    },
  },
  {
    number: 0x4d,
    name: 'pages of all handles',
    run(memory, guest) {
      memory.handles.forEach((handle, index) => {
        const at = (guest.es << 4) + guest.di + index * 4;
        guest.memory.write16(at, handle.number);
        guest.memory.write16(at + 2, handle.pages.length);
      });
      guest.bx = memory.handles.length;
      return succeed(guest);
    },
  },
  {
    number: 0x51,
    name: 'resize',
    details: (g) => `handle ${g.dx} to ${g.bx} pages`,
    run(memory, guest) {
      const handle = handleOf(memory, guest);
      if (handle === undefined) return 'done';
      if (guest.bx > memory.pageCount) return fail(guest, emsErrors.notSoManyPages);
      if (guest.bx - handle.pages.length > memory.freePages) return fail(guest, emsErrors.notSoManyFree);
      memory.resize(handle, guest.bx);
      return succeed(guest);
    },
  },
  {
    number: 0x52,
    name: 'attributes',
    details: (g) => `al=${hex(g.al, 2)}`,
    run(_, guest) {
      // Nothing outlives a reset.
      if (guest.al === 1) return fail(guest, emsErrors.notSupported);
      if (guest.al > 2) return fail(guest, emsErrors.badSubfunction);
      guest.al = 0;
      return succeed(guest);
    },
  },
  {
    number: 0x57,
    name: 'move or exchange',
    readsMemory: true,
    details: (g) => `${g.al === 1 ? 'exchange' : 'move'} ${g.memory.read32((g.ds << 4) + g.si)} bytes`,
    run(memory, guest) {
      const status = moveRegion(memory, guest);
      return status === 0 ? succeed(guest) : fail(guest, status);
    },
  },
  {
    number: 0x58,
    name: 'physical pages',
    run(_, guest) {
      if (guest.al > 1) return fail(guest, emsErrors.badSubfunction);
      for (let page = 0; guest.al === 0 && page < PHYSICAL_PAGES; page++) {
        const at = (guest.es << 4) + guest.di + page * 4;
        guest.memory.write16(at, FRAME_SEGMENT + page * 0x400);
        guest.memory.write16(at + 2, page);
      }
      guest.cx = PHYSICAL_PAGES;
      return succeed(guest);
    },
  },
  {
    number: 0x59,
    name: 'hardware information',
    run(memory, guest) {
      if (guest.al > 1) return fail(guest, emsErrors.badSubfunction);
      if (guest.al === 1) {
        guest.bx = memory.freePages;
        guest.dx = memory.pageCount;
      } else {
        // Raw pages of 16 KB, no alternate registers, a page map of 16 bytes, no DMA registers.
        [0x400, 0, 16, 0, 0].forEach((word, index) => {
          guest.memory.write16((guest.es << 4) + guest.di + index * 2, word);
        });
      }
      return succeed(guest);
    },
  },
  {
    number: 0x5a,
    name: 'allocate any',
    details: (g) => `${g.bx} pages`,
    run: (memory, guest) => (guest.al > 1 ? fail(guest, emsErrors.badSubfunction) : allocate(memory, guest, true)),
  },
  ...mapFunctions,
  ...nameFunctions,
];

/** INT 67h. */
export const expandedMemoryService = (memory: ExpandedMemory): ServiceRow =>
  rowByAh(0x67, 'expanded memory', memory, functions, (guest) => {
    fail(guest, emsErrors.badFunction);
  });

/** Points INT 67h to the driver, whose name lies in the same segment. Power on leaves the vector empty. */
export function installExpandedMemory(memory: GuestMemory): void {
  memory.write16(vectorAddress(0x67), interruptOffset(0x67));
  memory.write16(vectorAddress(0x67) + 2, 0xf000);
}
