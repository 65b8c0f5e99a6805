import { dataBytes } from '../../../../formats/cd/disc.ts';
import { isoText } from '../../../../formats/iso/iso-volume.ts';
import type { CdDriveLetter } from '../../drives/cd-drive-letter.ts';
import { DosError } from '../../drives/dos-error.ts';
import type { Dos } from '../dos/dos.ts';
import { linear } from '../dos/far-pointer.ts';
import { readAsciz, writeAsciz } from '../dos/guest-text.ts';
import type { Guest, ServiceOutcome } from '../guest.ts';
import { discIn } from './cd-control.ts';
import { type CdDriver, readSectors } from './cd-driver.ts';
import { CdFailure } from './cd-failures.ts';

const version = 0x0217;
const signature = 0xadad;
const primaryVolumes = 0x0100;
const firstDescriptor = 16;
/** By type of descriptor, as AX tells it. */
const descriptorTypes: Readonly<Record<number, number>> = { 1: 1, 255: 0xff };
/** In the other form of a directory entry. */
const nameBytes = 38;

export interface MscdexParts {
  readonly dos: Dos;
  readonly driver: CdDriver;
  /** The drives in the order of the driver's units, from this letter on. */
  readonly first: number;
  readonly letters: readonly CdDriveLetter[];
}

/** MSCDEX 2.23: INT 2Fh with AH = 15h. */
export class Mscdex {
  readonly #parts: MscdexParts;

  constructor(parts: MscdexParts) {
    this.#parts = parts;
  }

  run(guest: Guest): ServiceOutcome {
    try {
      this.#serve(guest);
    } catch (error) {
      guest.carry = true;
      if (error instanceof DosError) guest.ax = error.code;
      else if (error instanceof CdFailure) guest.ax = error.message === 'notReady' ? 21 : 27;
      else throw error;
    }
    return 'done';
  }

  #serve(guest: Guest): void {
    const { memory } = guest;
    const { driver, first, letters } = this.#parts;
    const buffer = linear(guest.es, guest.bx);
    switch (guest.al) {
      case 0x00:
        guest.bx = letters.length;
        guest.cx = first;
        return;
      case 0x01:
        letters.forEach((_, unit) => {
          memory.write8(buffer + unit * 5, unit);
          memory.write32(buffer + unit * 5 + 1, driver.header);
        });
        return;
      case 0x02:
        this.#writeName(guest, 'copyright');
        return;
      case 0x03:
        this.#writeName(guest, 'abstract');
        return;
      case 0x04:
        this.#writeName(guest, 'bibliography');
        return;
      case 0x05: {
        const descriptor = discIn(this.#drive(guest.cx)).data(firstDescriptor + guest.dx);
        if (!descriptor || isoText(descriptor, 1, 5) !== 'CD001') throw new DosError('unknownMedia');
        memory.write(buffer, descriptor);
        guest.carry = false;
        guest.ax = descriptorTypes[descriptor[0] ?? 0] ?? 0;
        return;
      }
      case 0x06:
      case 0x07:
        return;
      case 0x08: {
        const from = ((guest.si << 16) | guest.di) >>> 0;
        readSectors(memory, buffer, discIn(this.#drive(guest.cx)), { first: from, count: guest.dx, raw: false });
        guest.carry = false;
        return;
      }
      case 0x0b:
        guest.ax = this.#unit(guest.cx) === undefined ? 0 : 0x5ad8;
        guest.bx = signature;
        return;
      case 0x0c:
        guest.bx = version;
        return;
      case 0x0d:
        letters.forEach((_, unit) => {
          memory.write8(buffer + unit, first + unit);
        });
        return;
      case 0x0e:
        this.#drive(guest.cx);
        if (guest.bx === 0) guest.dx = primaryVolumes;
        else if (guest.bx !== 1 || guest.dh !== 1) throw new DosError('invalidFunction');
        guest.carry = false;
        return;
      case 0x0f:
        this.#writeEntry(guest);
        return;
      case 0x10: {
        const unit = this.#unit(guest.cx);
        if (unit === undefined) throw new DosError('invalidDrive');
        memory.write8(buffer + 1, unit);
        memory.write16(buffer + 3, driver.request(memory, buffer));
        guest.carry = false;
        return;
      }
      default:
        throw new DosError('invalidFunction');
    }
  }

  #unit(drive: number): number | undefined {
    const { first, letters } = this.#parts;
    return drive >= first && drive < first + letters.length ? drive - first : undefined;
  }

  #drive(letter: number) {
    const unit = this.#unit(letter);
    const drive = unit === undefined ? undefined : this.#parts.driver.drives[unit];
    if (!drive) throw new DosError('invalidDrive');
    return drive;
  }

  #letter(drive: number): CdDriveLetter {
    const found = this.#parts.letters[this.#unit(drive) ?? -1];
    if (!found) throw new DosError('invalidDrive');
    return found;
  }

  #writeName(guest: Guest, which: 'copyright' | 'abstract' | 'bibliography'): void {
    const { volume } = this.#letter(guest.cx);
    if (!volume) throw new DosError('unknownMedia');
    writeAsciz(guest.memory, linear(guest.es, guest.bx), volume[which]);
    guest.carry = false;
  }

  /** As it is on the disc, or (CH = 1) in a form that is the same for all formats. */
  #writeEntry(guest: Guest): void {
    const { memory } = guest;
    const letter = this.#letter(guest.cl);
    const { dos, first } = this.#parts;
    const path = dos.paths.resolve(
      `${String.fromCharCode(0x41 + guest.cl)}:\\${readAsciz(memory, guest.es, guest.bx, 255).replace(/^([a-z]:)?\\*/i, '')}`,
    );
    const entry = path.drive === guest.cl && path.drive >= first ? letter.lookup(path.names) : undefined;
    const record = entry && letter.record(entry.id);
    if (!record) throw new DosError('fileNotFound');
    const { bytes } = record;
    const place = linear(guest.si, guest.di);
    memory.write(place, guest.ch === 0 ? bytes : plainEntry(bytes));
    guest.carry = false;
    guest.ax = 1;
  }
}

function plainEntry(record: Uint8Array): Uint8Array {
  const entry = new Uint8Array(0x42);
  const view = new DataView(entry.buffer);
  const from = new DataView(record.buffer, record.byteOffset, record.byteLength);
  const nameLength = Math.min(nameBytes, record[32] ?? 0);
  entry[0] = record[1] ?? 0;
  view.setUint32(1, from.getUint32(2, true), true);
  view.setUint16(5, dataBytes, true);
  view.setUint32(7, from.getUint32(10, true), true);
  entry.set(record.subarray(18, 25), 0x0b);
  entry[0x12] = record[25] ?? 0;
  entry[0x13] = record[26] ?? 0;
  entry[0x14] = record[27] ?? 0;
  view.setUint16(0x15, from.getUint16(28, true), true);
  const [name = '', number = '1'] = isoText(record, 33, nameLength).split(';');
  entry[0x17] = name.length;
  entry.set(Buffer.from(name, 'latin1'), 0x18);
  view.setUint16(0x3e, Number(number) || 1, true);
  return entry;
}
