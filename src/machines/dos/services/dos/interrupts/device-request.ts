import type { Guest, ServiceOutcome } from '../../guest.ts';
import { interruptBytes } from '../devices.ts';
import type { Dos } from '../dos.ts';
import { linear, packFar } from '../far-pointer.ts';
import { returnAddress } from '../frames.ts';
import { codeOffsets } from '../install.ts';
import { dosSegment } from '../layout.ts';
import { Waiting } from '../signals.ts';
import { deviceInfo } from '../system-files.ts';

const done = 0x0100;
const busy = 0x0200;
const unknownCommand = 0x8103;

/** A driver called by a program itself: the interrupt entry of one of the kernel's device headers. */
export function deviceRequest(dos: Dos, guest: Guest): ServiceOutcome {
  const entry = Math.floor((returnAddress(guest).offset - codeOffsets.devices) / interruptBytes);
  const pointer = guest.memory.read32(linear(dosSegment, codeOffsets.packet));
  const packet = linear(pointer >>> 16, pointer & 0xffff);
  try {
    guest.memory.write16(packet + 3, serve(dos, guest, entry, packet));
    return 'done';
  } catch (error) {
    if (error instanceof Waiting) return 'wait';
    throw error;
  }
}

function serve(dos: Dos, guest: Guest, entry: number, packet: number): number {
  const { memory } = guest;
  const header = dos.devices.byEntry(entry);
  const buffer = linear(memory.read16(packet + 0x10), memory.read16(packet + 0x0e));
  const count = memory.read16(packet + 0x12);
  const own = dos.ownDrivers.get(header.name);
  if (own) return own.request(memory, packet);
  if (header.name === '') return unknownCommand;
  const file = { info: deviceInfo.device | deviceInfo.raw, driver: packFar(header.at) };
  switch (memory.read8(packet + 2)) {
    case 4: {
      const bytes = dos.deviceFiles.read(file, count);
      memory.write(buffer, bytes);
      memory.write16(packet + 0x12, bytes.length);
      return done;
    }
    case 5:
    case 6:
      return dos.deviceFiles.inputReady(file) ? done : done | busy;
    case 7:
      if (header.name === 'CON') dos.console.flush();
      return done;
    case 8:
    case 9:
      dos.deviceFiles.write(file, memory.bytes(buffer, count));
      return done;
    case 0:
    case 10:
    case 11:
    case 13:
    case 14:
      return done;
    default:
      return unknownCommand;
  }
}
