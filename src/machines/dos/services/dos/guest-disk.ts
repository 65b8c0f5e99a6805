import { DosError } from '../../drives/dos-error.ts';
import type { VolumeDisk } from '../../drives/fat/sector-store.ts';
import { layOut, type VolumeLayout } from '../../drives/fat/volume-layout.ts';
import { type GuestUnit, type SavedDrive, type SavedGuestDisk, savedAs } from '../../drives/saved-drive.ts';
import type { GuestMemory } from '../guest.ts';
import { driverCommands, ownBuffer, putWord, request, requestAt, requestStatus, wordOf } from './driver-request.ts';
import { linear, unpackFar } from './far-pointer.ts';
import type { GuestCalls } from './guest-calls.ts';
import { firstDriverError, type GuestDrivers } from './guest-drivers.ts';

export interface GuestDiskParts {
  readonly memory: GuestMemory;
  readonly drivers: GuestDrivers;
  readonly calls: GuestCalls;
  /** Function 2Eh: drivers are to read what they wrote. */
  verify(): boolean;
  /** The medium is another one now. */
  rebuilt(): void;
}

const unchanged = 1;
const notIbmFormat = 0x2000;
const largestShortSector = 0xffff;

/**
 * Sectors reached through a block driver of the guest. Those read last are kept as DOS keeps its buffers; any other leaves the
 * running service for a request to the driver, and the service runs again when that is back. `change` makes sure that
 * a service never leaves half of a change behind.
 */
export class GuestDisk implements VolumeDisk {
  readonly floppy = false;
  readonly unit: GuestUnit;
  layout: VolumeLayout;
  readonly #parts: GuestDiskParts;
  #sectors = new Map<number, Uint8Array>();
  #changed: Map<number, Uint8Array> | undefined;
  #version = 0;
  #checked = -1;
  /** The driver is to be asked what medium this is. */
  #rebuild = false;
  /** Status of a request that failed and that nobody was told of yet. */
  #failure = 0;

  constructor(parts: GuestDiskParts, unit: GuestUnit, layout: VolumeLayout) {
    this.#parts = parts;
    this.unit = unit;
    this.layout = layout;
  }

  get version(): number {
    return this.#version;
  }

  /** Asks once in each call whether the medium is still the same, and where not, what it is now. */
  check(): void {
    const { drivers, calls } = this.#parts;
    if (this.#checked !== drivers.run) {
      drivers.ask(this.unit.driver, this.#packet(driverCommands.mediaCheck), 'afterDisk');
      this.#checked = drivers.run;
    }
    this.#throwFailure();
    if (!this.#rebuild) return;
    // Such drivers look into the first sector of the table to see what it is.
    if (!(this.#attributes & notIbmFormat)) this.#queueRead(this.layout.reserved);
    const packet = this.#packet(driverCommands.buildParameters);
    calls.now({ driver: this.unit.driver, request: packet, back: 'afterDisk' });
  }

  read(sector: number): Uint8Array {
    if (sector < 0 || sector >= this.layout.sectors) throw new DosError('sectorNotFound');
    const known = this.#changed?.get(sector) ?? this.#sectors.get(sector);
    if (known !== undefined) {
      this.#keep(sector, this.#sectors.get(sector) ?? known);
      return known;
    }
    this.#throwFailure();
    return this.#parts.calls.now({ driver: this.unit.driver, request: this.#transfer(sector), back: 'afterDisk' });
  }

  write(sector: number, bytes: Uint8Array): void {
    if (sector < 0 || sector >= this.layout.sectors) throw new DosError('sectorNotFound');
    const change = () => this.#changed?.set(sector, bytes.slice(0, this.layout.bytesPerSector));
    if (this.#changed === undefined) this.change(change);
    else change();
    this.#version++;
  }

  /** What an action writes goes to the driver when it has come to its end, and nowhere if it must leave for a sector. */
  change<T>(action: () => T): T {
    const changed = new Map<number, Uint8Array>();
    this.#changed = changed;
    try {
      const result = action();
      this.#send(changed);
      return result;
    } catch (error) {
      if (error instanceof DosError && !error.critical) this.#send(changed);
      throw error;
    } finally {
      this.#changed = undefined;
      this.#version++;
    }
  }

  /** The driver is done with a request of this disk, which lies where it was sent from. */
  answered(packet: Uint8Array): void {
    const command = packet[requestAt.command];
    const status = wordOf(packet, requestAt.status);
    const short = wordOf(packet, requestAt.sector);
    const sector = short === largestShortSector ? longSector(packet) : short;
    if (command === driverCommands.mediaCheck) {
      if (packet[requestAt.change] !== unchanged) this.#forget();
    } else if (status & requestStatus.failed) {
      this.#failure = status;
      // What was to be written may be there or not.
      if (command !== driverCommands.read) this.#sectors.delete(sector);
    } else if (command === driverCommands.read) {
      this.#keep(sector, this.#parts.drivers.received(this.layout.bytesPerSector));
    } else if (command === driverCommands.buildParameters) this.#rebuilt(packet);
  }

  /** A call is over: as many sectors stay as there are buffers. */
  settle(buffers: number): void {
    for (const sector of this.#sectors.keys()) {
      if (this.#sectors.size <= buffers) return;
      this.#sectors.delete(sector);
    }
  }

  save(): SavedGuestDisk {
    const { unit, layout } = this;
    return {
      type: 'driver',
      unit,
      layout,
      rebuild: this.#rebuild,
      sectors: new Map(this.#sectors),
      failure: this.#failure,
    };
  }

  restore(saved: SavedDrive): void {
    const { layout, rebuild, sectors, failure } = savedAs('driver', saved);
    this.layout = layout;
    this.#rebuild = rebuild;
    this.#sectors = new Map(sectors);
    this.#failure = failure;
    this.#checked = -1;
    this.#version++;
  }

  get #attributes(): number {
    const { segment, offset } = unpackFar(this.unit.driver);
    return this.#parts.memory.read16(linear(segment, offset + 4));
  }

  #forget(): void {
    this.#sectors.clear();
    this.#rebuild = true;
    this.#version++;
  }

  #rebuilt(packet: Uint8Array): void {
    const place = linear(wordOf(packet, requestAt.parameters + 2), wordOf(packet, requestAt.parameters));
    const layout = readParameterBlock(this.#parts.memory, place);
    if (layout === undefined) this.#failure = requestStatus.failed | unknownMedia;
    else {
      this.layout = layout;
      this.#rebuild = false;
      this.#parts.rebuilt();
    }
    this.#version++;
  }

  #send(changed: ReadonlyMap<number, Uint8Array>): void {
    const command = this.#parts.verify() ? driverCommands.writeVerified : driverCommands.write;
    for (const [sector, bytes] of changed) {
      const packet = this.#transfer(sector, command);
      this.#keep(sector, bytes);
      this.#parts.calls.later({ driver: this.unit.driver, request: packet, data: [...bytes], back: 'afterDisk' });
    }
  }

  /** After all others: the one used longest ago is the first to go. */
  #keep(sector: number, bytes: Uint8Array): void {
    this.#sectors.delete(sector);
    this.#sectors.set(sector, bytes);
  }

  #queueRead(sector: number): void {
    this.#parts.calls.later({ driver: this.unit.driver, request: this.#transfer(sector), back: 'afterDisk' });
  }

  #transfer(sector: number, command: number = driverCommands.read): number[] {
    const packet = this.#packet(command);
    putWord(packet, requestAt.count, 1);
    const long = sector >= largestShortSector;
    putWord(packet, requestAt.sector, long ? largestShortSector : sector);
    if (long) {
      putWord(packet, requestAt.longSector, sector & 0xffff);
      putWord(packet, requestAt.longSector + 2, sector >>> 16);
    }
    return packet;
  }

  #packet(command: number): number[] {
    const packet = request(command, ownBuffer);
    packet[requestAt.unit] = this.unit.unit;
    packet[requestAt.drive] = this.unit.drive;
    packet[requestAt.media] = this.layout.media;
    return packet;
  }

  #throwFailure(): void {
    if (this.#failure === 0) return;
    const code = this.#failure & 0xff;
    this.#failure = 0;
    this.#parts.drivers.failing = this.unit.driver;
    throw new DosError(firstDriverError + code, undefined, true);
  }
}

const unknownMedia = 7;

function longSector(packet: Uint8Array): number {
  return wordOf(packet, requestAt.longSector) + wordOf(packet, requestAt.longSector + 2) * 0x10000;
}

/** What a driver says of a medium; undefined where it makes no sense. */
export function readParameterBlock(memory: GuestMemory, place: number): VolumeLayout | undefined {
  return layOut({
    bytesPerSector: memory.read16(place),
    sectorsPerCluster: memory.read8(place + 2),
    reserved: memory.read16(place + 3),
    fats: memory.read8(place + 5),
    rootEntries: memory.read16(place + 6),
    sectors: memory.read16(place + 8) || memory.read32(place + 0x15),
    media: memory.read8(place + 0x0a),
    sectorsPerFat: memory.read16(place + 0x0b),
  });
}
