import type { CdDrive } from '../../../../chips/cd-drive/cd-drive.ts';
import { audioBytes, type Disc, dataBytes } from '../../../../formats/cd/disc.ts';
import { linear } from '../dos/far-pointer.ts';
import type { OwnDriver } from '../dos/own-driver.ts';
import type { GuestMemory } from '../guest.ts';
import { type AddressMode, sectorOf } from './cd-addresses.ts';
import { discIn, readControl, writeControl } from './cd-control.ts';
import { CdFailure } from './cd-failures.ts';

const done = 0x0100;
const busy = 0x0200;
const failed = 0x8000;
/** More than lies below the end of real mode's memory. */
const mostSectors = 544;

const commands = {
  initialize: 0,
  readControl: 3,
  flushInput: 7,
  flushOutput: 11,
  writeControl: 12,
  open: 13,
  close: 14,
  readLong: 128,
  prefetch: 130,
  seek: 131,
  play: 132,
  stop: 133,
  resume: 136,
} as const;

/** The device driver of all CD-ROM drives, one unit each, as MSCDEX and programs call it. */
export class CdDriver implements OwnDriver {
  readonly drives: readonly CdDrive<Disc>[];
  /** Where its header is in memory, packed. */
  readonly #header: () => number;

  constructor(drives: readonly CdDrive<Disc>[], header: () => number) {
    this.drives = drives;
    this.#header = header;
  }

  get header(): number {
    return this.#header();
  }

  /** The status word for a request that lies there. */
  request(memory: GuestMemory, packet: number): number {
    const drive = this.drives[memory.read8(packet + 1)];
    try {
      if (!drive) throw new CdFailure('unknownUnit');
      this.#serve(memory, packet, drive);
      return done | (drive.isPlaying ? busy : 0);
    } catch (error) {
      if (!(error instanceof CdFailure)) throw error;
      return failed | done | error.code | (drive?.isPlaying ? busy : 0);
    }
  }

  control(memory: GuestMemory, writing: boolean, place: number, count: number): number | undefined {
    const [drive] = this.drives;
    if (!drive) return undefined;
    try {
      if (writing) writeControl(memory, place, drive);
      else readControl(memory, place, drive, this.header);
      return count;
    } catch (error) {
      if (error instanceof CdFailure) return undefined;
      throw error;
    }
  }

  #serve(memory: GuestMemory, packet: number, drive: CdDrive<Disc>): void {
    const buffer = () => linear(memory.read16(packet + 0x10), memory.read16(packet + 0x0e));
    const mode = memory.read8(packet + 0x0d) as AddressMode;
    const start = (at: number) => sectorOf(memory.read32(packet + at), mode);
    switch (memory.read8(packet + 2)) {
      case commands.initialize:
      case commands.flushInput:
      case commands.flushOutput:
      case commands.open:
      case commands.close:
        return;
      case commands.readControl:
        readControl(memory, buffer(), drive, this.header);
        return;
      case commands.writeControl:
        writeControl(memory, buffer(), drive);
        return;
      case commands.readLong:
        readSectors(memory, buffer(), discIn(drive), {
          first: start(0x14),
          count: memory.read16(packet + 0x12),
          raw: memory.read8(packet + 0x18) !== 0,
        });
        drive.seek(start(0x14) + memory.read16(packet + 0x12));
        return;
      case commands.prefetch:
      case commands.seek:
        if (start(0x14) >= discIn(drive).leadOut) throw new CdFailure('seek');
        drive.seek(start(0x14));
        return;
      case commands.play: {
        const disc = discIn(drive);
        const first = sectorOf(memory.read32(packet + 0x0e), mode);
        if (first < 0 || first >= disc.leadOut) throw new CdFailure('seek');
        if (disc.trackAt(first)?.kind !== 'audio') throw new CdFailure('general');
        drive.play(first, memory.read32(packet + 0x12));
        return;
      }
      case commands.stop:
        drive.stop();
        return;
      case commands.resume:
        discIn(drive);
        if (!drive.resume()) throw new CdFailure('general');
        return;
      default:
        throw new CdFailure('unknownCommand');
    }
  }
}

/** Data sectors, or whole ones, into memory. */
export function readSectors(
  memory: GuestMemory,
  place: number,
  disc: Disc,
  { first, count, raw }: { readonly first: number; readonly count: number; readonly raw: boolean },
): void {
  if (count > mostSectors) throw new CdFailure('general');
  for (let index = 0; index < count; index++) {
    const bytes = raw ? disc.raw(first + index) : disc.data(first + index);
    if (!bytes) throw new CdFailure('sectorNotFound');
    memory.write(place + index * (raw ? audioBytes : dataBytes), bytes);
  }
}
