import type { Guest } from '../guest.ts';
import { type EmsHandle, type ExpandedMemory, PHYSICAL_PAGES } from './expanded-memory.ts';

/** What AH says of a failure. */
export const emsErrors = {
  badHandle: 0x83,
  badFunction: 0x84,
  noHandles: 0x85,
  mapIsSaved: 0x86,
  notSoManyPages: 0x87,
  notSoManyFree: 0x88,
  noPagesAsked: 0x89,
  badLogicalPage: 0x8a,
  badPhysicalPage: 0x8b,
  alreadySaved: 0x8d,
  notSaved: 0x8e,
  badSubfunction: 0x8f,
  notSupported: 0x91,
  overlap: 0x92,
  beyondHandle: 0x93,
  offsetBeyondPage: 0x95,
  tooLong: 0x96,
  nameNotFound: 0xa0,
  nameTaken: 0xa1,
} as const;

export function succeed(guest: Guest): 'done' {
  guest.ah = 0;
  return 'done';
}

export function fail(guest: Guest, error: number): 'done' {
  guest.ah = error;
  return 'done';
}

/** The handle in DX; without one the failure is already told. */
export function handleOf(memory: ExpandedMemory, guest: Guest): EmsHandle | undefined {
  const handle = memory.find(guest.dx);
  if (handle === undefined) fail(guest, emsErrors.badHandle);
  return handle;
}

/** Logical page FFFFh takes away what is mapped. */
export function mapPage(memory: ExpandedMemory, physical: number, number: number, page: number): number {
  const handle = memory.find(number);
  if (handle === undefined) return emsErrors.badHandle;
  if (physical >= PHYSICAL_PAGES) return emsErrors.badPhysicalPage;
  if (page !== 0xffff && page >= handle.pages.length) return emsErrors.badLogicalPage;
  memory.setMapping(physical, page === 0xffff ? undefined : { handle: number, page });
  return 0;
}
