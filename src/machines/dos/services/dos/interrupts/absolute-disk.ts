import { DosError } from '../../../drives/dos-error.ts';
import type { SectorAccess } from '../../../drives/drive.ts';
import type { Guest, ServiceOutcome } from '../../guest.ts';
import type { Dos } from '../dos.ts';
import { farText, linear } from '../far-pointer.ts';

/** A packet instead of registers, for drives of more than 32 MB. */
const packetMark = 0xffff;
/** As much as all memory below 640 KiB. */
const mostSectors = 1280;
const notReadyStatus = 0x80;
const seekStatus = 0x40;
const writeProtectedStatus = 0x03;
const carryFlag = 1;

interface Transfer {
  readonly sector: number;
  readonly count: number;
  readonly buffer: number;
}

/** INT 25h and 26h: sectors of a drive. They leave the caller's flags on the stack. */
export function absoluteDisk(dos: Dos, guest: Guest, writing: boolean): ServiceOutcome {
  let failed = false;
  try {
    transfer(dos, guest, writing);
  } catch (error) {
    if (!(error instanceof DosError)) throw error;
    failed = true;
    guest.ah = error.code === 27 ? seekStatus : error.code === 19 ? writeProtectedStatus : notReadyStatus;
    guest.al = Math.max(0, error.code - 19);
  }
  leaveFlags(guest, failed);
  return 'done';
}

export function describeAbsoluteDisk(guest: Guest): string {
  const { sector, count } = wanted(guest);
  return `drive ${String.fromCharCode(0x41 + guest.al)}: ${count} sectors from ${sector}, ${farText(guest.ds, guest.bx)}`;
}

function transfer(dos: Dos, guest: Guest, writing: boolean): void {
  const { sectors } = dos.drives.get(guest.al);
  if (sectors === undefined) throw new DosError('notReady');
  const { sector, count, buffer } = wanted(guest);
  if (sector + count > sectors.count || count > mostSectors) throw new DosError('sectorNotFound');
  for (let i = 0; i < count; i++) moveSector(guest, sectors, sector + i, buffer + i * sectors.bytesPerSector, writing);
}

function moveSector(guest: Guest, sectors: SectorAccess, sector: number, address: number, writing: boolean): void {
  if (writing) sectors.write(sector, guest.memory.bytes(address, sectors.bytesPerSector));
  else guest.memory.write(address, sectors.read(sector));
}

function wanted({ memory, cx, dx, ds, bx }: Guest): Transfer {
  if (cx !== packetMark) return { sector: dx, count: cx, buffer: linear(ds, bx) };
  const packet = linear(ds, bx);
  const buffer = linear(memory.read16(packet + 8), memory.read16(packet + 6));
  return { sector: memory.read32(packet), count: memory.read16(packet + 4), buffer };
}

/** IRET must not take the flags that INT pushed, so a frame with new ones is put in front of them. */
function leaveFlags(guest: Guest, failed: boolean): void {
  const { memory, ss, sp } = guest;
  const offset = memory.read16(linear(ss, sp));
  const segment = memory.read16(linear(ss, sp + 2));
  const flags = memory.read16(linear(ss, sp + 4));
  guest.sp = (sp - 2) & 0xffff;
  memory.write16(linear(ss, guest.sp), offset);
  memory.write16(linear(ss, guest.sp + 2), segment);
  memory.write16(linear(ss, guest.sp + 4), failed ? flags | carryFlag : flags & ~carryFlag);
}
