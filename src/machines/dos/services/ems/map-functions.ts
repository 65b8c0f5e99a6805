import { hex } from '../../../../formats/hex.ts';
import type { FunctionTable } from '../bios/service-row.ts';
import type { Guest, GuestMemory } from '../guest.ts';
import { emsErrors, fail, handleOf, mapPage, succeed } from './answers.ts';
import { type ExpandedMemory, FRAME_SEGMENT, type PageMap, PHYSICAL_PAGES } from './expanded-memory.ts';

const NONE = 0xffff;

/** Four bytes for each physical page: handle and logical page. */
function writeMap(memory: GuestMemory, at: number, map: PageMap): void {
  map.forEach((mapping, physical) => {
    memory.write16(at + physical * 4, mapping?.handle ?? NONE);
    memory.write16(at + physical * 4 + 2, mapping?.page ?? NONE);
  });
}

const readMap = (memory: GuestMemory, at: number): PageMap =>
  Array.from({ length: PHYSICAL_PAGES }, (_, physical) => {
    const handle = memory.read16(at + physical * 4);
    return handle === NONE ? undefined : { handle, page: memory.read16(at + physical * 4 + 2) };
  });

/** Function 50h's physical pages come by number or by segment. */
const physicalPage = (value: number, bySegment: boolean) => (bySegment ? (value - FRAME_SEGMENT) / 0x400 : value);

/** Functions that save, restore and set several pages at once. */
export const mapFunctions: FunctionTable<ExpandedMemory> = [
  {
    number: 0x47,
    name: 'save page map',
    details: (g) => `handle ${g.dx}`,
    run(memory, guest) {
      const handle = handleOf(memory, guest);
      if (handle === undefined) return 'done';
      if (handle.saved !== undefined) return fail(guest, emsErrors.alreadySaved);
      handle.saved = memory.map;
      return succeed(guest);
    },
  },
  {
    number: 0x48,
    name: 'restore page map',
    details: (g) => `handle ${g.dx}`,
    run(memory, guest) {
      const handle = handleOf(memory, guest);
      if (handle === undefined) return 'done';
      if (handle.saved === undefined) return fail(guest, emsErrors.notSaved);
      memory.setMap(handle.saved);
      handle.saved = undefined;
      return succeed(guest);
    },
  },
  {
    number: 0x4e,
    name: 'page map',
    details: (g) => ['get', 'set', 'get and set', 'size'][g.al] ?? 'unknown',
    run(memory, guest) {
      if (guest.al > 3) return fail(guest, emsErrors.badSubfunction);
      if (guest.al === 3) guest.al = PHYSICAL_PAGES * 4;
      else {
        const next = guest.al !== 0 ? readMap(guest.memory, (guest.ds << 4) + guest.si) : undefined;
        if (guest.al !== 1) writeMap(guest.memory, (guest.es << 4) + guest.di, memory.map);
        if (next !== undefined) memory.setMap(next);
      }
      return succeed(guest);
    },
  },
  {
    number: 0x4f,
    name: 'partial page map',
    details: (g) => ['get', 'set', 'size'][g.al] ?? 'unknown',
    run(memory, guest) {
      return partialMap(memory, guest);
    },
  },
  {
    number: 0x50,
    name: 'map pages',
    details: (g) => `${g.cx} pages of handle ${g.dx}, table at ${hex(g.ds, 4)}:${hex(g.si, 4)}`,
    run(memory, guest) {
      if (guest.al > 1) return fail(guest, emsErrors.badSubfunction);
      for (let i = 0; i < guest.cx; i++) {
        const at = (guest.ds << 4) + guest.si + i * 4;
        const physical = physicalPage(guest.memory.read16(at + 2), guest.al === 1);
        const status = mapPage(
          memory,
          Number.isInteger(physical) ? physical : PHYSICAL_PAGES,
          guest.dx,
          guest.memory.read16(at),
        );
        if (status !== 0) return fail(guest, status);
      }
      return succeed(guest);
    },
  },
];

/** A count, then for each page its segment, handle and logical page. */
function partialMap(memory: ExpandedMemory, guest: Guest): 'done' {
  const { memory: ram } = guest;
  const source = (guest.ds << 4) + guest.si;
  if (guest.al === 0) {
    const target = (guest.es << 4) + guest.di;
    const count = ram.read16(source);
    ram.write16(target, count);
    for (let i = 0; i < count; i++) {
      const segment = ram.read16(source + 2 + i * 2);
      const mapping = memory.map[(segment - FRAME_SEGMENT) / 0x400];
      [segment, mapping?.handle ?? NONE, mapping?.page ?? NONE].forEach((word, index) => {
        ram.write16(target + 2 + i * 6 + index * 2, word);
      });
    }
  } else if (guest.al === 1) {
    for (let i = 0; i < ram.read16(source); i++) {
      const at = source + 2 + i * 6;
      const physical = (ram.read16(at) - FRAME_SEGMENT) / 0x400;
      const handle = ram.read16(at + 2);
      if (!Number.isInteger(physical) || physical < 0 || physical >= PHYSICAL_PAGES)
        return fail(guest, emsErrors.badPhysicalPage);
      memory.setMapping(physical, handle === NONE ? undefined : { handle, page: ram.read16(at + 4) });
    }
  } else if (guest.al === 2) guest.al = 2 + guest.bx * 6;
  else return fail(guest, emsErrors.badSubfunction);
  return succeed(guest);
}
