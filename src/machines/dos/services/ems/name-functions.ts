import type { FunctionTable } from '../bios/service-row.ts';
import type { GuestMemory } from '../guest.ts';
import { emsErrors, fail, handleOf, succeed } from './answers.ts';
import type { ExpandedMemory } from './expanded-memory.ts';

const NAME_BYTES = 8;

const readName = (memory: GuestMemory, at: number) => String.fromCharCode(...memory.bytes(at, NAME_BYTES));

function writeName(memory: GuestMemory, at: number, name: string): void {
  memory.write(
    at,
    Uint8Array.from({ length: NAME_BYTES }, (_, index) => name.charCodeAt(index) || 0),
  );
}

const isNamed = (name: string) => /[^\0]/.test(name);

/** Names of handles: function 53h gets and sets, 54h lists and finds. */
export const nameFunctions: FunctionTable<ExpandedMemory> = [
  {
    number: 0x53,
    name: 'handle name',
    details: (g) => `${g.al === 0 ? 'get' : 'set'} handle ${g.dx}`,
    run(memory, guest) {
      const handle = handleOf(memory, guest);
      if (handle === undefined) return 'done';
      if (guest.al > 1) return fail(guest, emsErrors.badSubfunction);
      if (guest.al === 0) writeName(guest.memory, (guest.es << 4) + guest.di, handle.name);
      else {
        const name = readName(guest.memory, (guest.ds << 4) + guest.si);
        if (isNamed(name) && memory.handles.some((each) => each !== handle && each.name === name))
          return fail(guest, emsErrors.nameTaken);
        handle.name = name;
      }
      return succeed(guest);
    },
  },
  {
    number: 0x54,
    name: 'handle directory',
    details: (g) => ['list', 'find', 'count'][g.al] ?? 'unknown',
    run(memory, guest) {
      if (guest.al === 0) {
        memory.handles.forEach((handle, index) => {
          const at = (guest.es << 4) + guest.di + index * 10;
          guest.memory.write16(at, handle.number);
          writeName(guest.memory, at + 2, handle.name);
        });
        guest.al = memory.handles.length;
      } else if (guest.al === 1) {
        const name = readName(guest.memory, (guest.ds << 4) + guest.si);
        const handle = isNamed(name) ? memory.handles.find((each) => each.name === name) : undefined;
        if (handle === undefined) return fail(guest, emsErrors.nameNotFound);
        guest.dx = handle.number;
      } else if (guest.al === 2) guest.bx = 255;
      else return fail(guest, emsErrors.badSubfunction);
      return succeed(guest);
    },
  },
];
