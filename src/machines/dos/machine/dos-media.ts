import type { Disc } from '../../../formats/cd/disc.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { MediaCapability, MediaSlot, Medium, MediumFile } from '../../../machine/media.ts';
import { CdDriveLetter } from '../drives/cd-drive-letter.ts';
import { DosError } from '../drives/dos-error.ts';
import { Disk } from '../drives/fat/disk.ts';
import { FatDrive } from '../drives/fat/fat-drive.ts';
import { findVolumes } from '../drives/fat/volume-layout.ts';
import { type DiscHost, discInMemory, openDisc } from '../drives/open-disc.ts';
import { describeDisc, letterOf } from './cd-slots.ts';
import type { DosEngine } from './dos-engine.ts';
import type { DosMediaRecord } from './image/dos-image.ts';

interface Slot {
  readonly name: string;
  readonly description: string;
  readonly number: number;
  readonly isCd: boolean;
}

const floppies: readonly Slot[] = [
  { name: 'a', description: 'first floppy drive', number: 0, isCd: false },
  { name: 'b', description: 'second floppy drive', number: 1, isCd: false },
];
const mostFloppyBytes = 64 * 1024 * 1024;
const discFiles = /\.(iso|cue|bin)$/i;

interface Inside {
  readonly name: string;
  readonly disk: Disk;
  /** Before something was written to it. */
  readonly version: number;
}

interface InsideCd {
  readonly name: string;
  readonly disc: Disc;
}

/** Floppies and CDs that are put in and taken out while the machine runs. */
export class DosMedia implements MediaCapability {
  readonly #engine: DosEngine;
  readonly #host: DiscHost;
  readonly #slots: readonly Slot[];
  readonly #inside = new Map<string, Inside>();
  readonly #discs = new Map<string, InsideCd>();

  constructor(engine: DosEngine, host: DiscHost, cdLetters: readonly number[] = []) {
    this.#engine = engine;
    this.#host = host;
    const cds = cdLetters.map((number) => {
      const name = letterOf(number).toLowerCase();
      return { name, description: 'CD-ROM drive', number, isCd: true };
    });
    this.#slots = [...floppies, ...cds];
  }

  get slots(): readonly MediaSlot[] {
    return this.#slots.map(({ name, description }) => {
      const disc = this.#discs.get(name);
      if (disc) return { name, description, medium: disc.name, changed: false };
      const inside = this.#inside.get(name);
      return inside === undefined
        ? { name, description, changed: false }
        : { name, description, medium: inside.name, changed: isChanged(inside) };
    });
  }

  slotFor({ name }: MediumFile): string | undefined {
    return discFiles.test(name) ? this.#slots.find(({ isCd }) => isCd)?.name : undefined;
  }

  async attachFile(slot: string, path: string, readOnly: boolean): Promise<string> {
    const place = this.#slot(slot);
    if (!place.isCd) {
      return this.attach(slot, { name: path, bytes: await this.#host.files.read(path, mostFloppyBytes), readOnly });
    }
    return this.#insert(place, path, await openDisc(this.#host, path));
  }

  async attach(slot: string, medium: Medium): Promise<string> {
    const place = this.#slot(slot);
    const { number, name } = place;
    if (place.isCd) return this.#insert(place, medium.name, discInMemory(medium.name, medium.bytes));
    const { disk, drive } = readImage(medium);
    const { system } = this.#engine;
    system.disks.set(number, disk);
    system.board.fdc.changed(number);
    system.kernel.mount(number, drive);
    this.#inside.set(name, { name: medium.name, disk, version: disk.version });
    this.#engine.replacedMedia();
    const size = `${(disk.sectors / 2).toLocaleString('en-US')} KiB`;
    return drive ? `${size}, a FAT volume` : `${size}, no FAT volume on it`;
  }

  async detach(slot: string): Promise<void> {
    const { number, name, isCd } = this.#slot(slot);
    const { system } = this.#engine;
    if (isCd) system.insertDisc(number, undefined);
    else {
      system.disks.delete(number);
      system.board.fdc.changed(number);
      system.kernel.mount(number, undefined);
    }
    this.#engine.replacedMedia();
    this.#inside.delete(name);
    this.#discs.get(name)?.disc.close();
    this.#discs.delete(name);
  }

  /** Discs that are in from the start. */
  begin(discs: readonly (Disc | undefined)[], paths: readonly (string | undefined)[]): void {
    this.#slots
      .filter(({ isCd }) => isCd)
      .forEach((slot, index) => {
        const [disc, path] = [discs[index], paths[index]];
        if (disc && path !== undefined) this.#insert(slot, path, disc);
      });
    // It was in when the power came on.
    for (const drive of this.#engine.system.board.cds) drive.takeChange();
  }

  /** Gives back the files of discs. */
  close(): void {
    for (const { disc } of this.#discs.values()) disc.close();
  }

  /** What a snapshot keeps of the slots; the disks themselves are the machine's. */
  record(): Readonly<Record<string, DosMediaRecord>> {
    const all = [...this.#inside].map(([slot, inside]) => [slot, { name: inside.name, changed: isChanged(inside) }]);
    const discs = [...this.#discs].map(([slot, { name }]) => [slot, { name, changed: false }]);
    return Object.fromEntries([...all, ...discs]);
  }

  /** The option that gives another machine the discs that a snapshot was taken with. */
  discsOf(media: Readonly<Record<string, DosMediaRecord>>): { readonly cdrom: readonly string[] } {
    const drives = this.#slots.filter(({ isCd }) => isCd);
    return { cdrom: drives.map(({ name }) => media[name]?.name ?? `empty ${name.toUpperCase()}:`) };
  }

  recall(media: Readonly<Record<string, DosMediaRecord>>): void {
    const { disks } = this.#engine.system;
    this.#inside.clear();
    for (const [slot, { name, changed }] of Object.entries(media)) {
      const place = this.#slots.find((each) => each.name === slot);
      const disk = place && !place.isCd ? disks.get(place.number) : undefined;
      if (disk) this.#inside.set(slot, { name, disk, version: changed ? -1 : disk.version });
    }
  }

  async bytes(slot: string): Promise<Uint8Array> {
    const { name, isCd } = this.#slot(slot);
    if (isCd) {
      const message = 'A CD is read-only, so its image has not changed.';
      throw new MachineError('INVALID_ARGUMENT', message, 'Copy the image file itself.');
    }
    const inside = this.#inside.get(name);
    if (!inside) throw new MachineError('NOT_FOUND', `Nothing is in ${slot}.`, 'Attach something first.');
    const { disk } = inside;
    const whole = new Uint8Array(disk.sectors * 512);
    for (let sector = 0; sector < disk.sectors; sector++) whole.set(disk.read(sector), sector * 512);
    return whole;
  }

  #insert({ number, name }: Slot, path: string, disc: Disc): string {
    const { system } = this.#engine;
    const before = this.#discs.get(name)?.disc;
    system.insertDisc(number, disc);
    this.#discs.set(name, { name: path, disc });
    this.#engine.replacedMedia();
    before?.close();
    const drive = system.kernel.dos.drives.find(number);
    const volume = drive instanceof CdDriveLetter ? drive.volume : undefined;
    return describeDisc(disc, volume ? `volume ${volume.label || 'without a name'}` : '');
  }

  #slot(wanted: string): Slot {
    const found = this.#slots.find(({ name }) => name === wanted.toLowerCase().replace(/:$/, ''));
    if (found) return found;
    const names = this.#slots.map((each) => each.name).join(', ');
    const more = this.#slots.some(({ isCd }) => isCd)
      ? ''
      : ' CD-ROM drives are there if the machine was started with cdrom.';
    throw new MachineError('INVALID_ARGUMENT', `No slot ${wanted}.`, `Slots: ${names}.${more}`);
  }
}

const isChanged = ({ disk, version }: Inside) => disk.version !== version;

function readImage({ name, bytes, readOnly }: Medium): { readonly disk: Disk; readonly drive: FatDrive | undefined } {
  try {
    const disk = new Disk(bytes, { readOnly });
    const [volume] = findVolumes(disk);
    return { disk, drive: volume && new FatDrive(disk, volume) };
  } catch (error) {
    if (!(error instanceof DosError)) throw error;
    throw new MachineError(
      'INVALID_ARGUMENT',
      `${name} is not a floppy image: ${error.message}.`,
      'Give an image of a whole floppy.',
    );
  }
}
