import { MachineError } from '../../../machine/errors.ts';
import type { MediaCapability, MediaSlot, Medium } from '../../../machine/media.ts';
import { DosError } from '../drives/dos-error.ts';
import { Disk } from '../drives/fat/disk.ts';
import { FatDrive } from '../drives/fat/fat-drive.ts';
import { findVolumes } from '../drives/fat/volume-layout.ts';
import type { DosEngine } from './dos-engine.ts';
import type { DosMediaRecord } from './image/dos-image.ts';

const floppies = [
  { name: 'a', description: 'first floppy drive', number: 0 },
  { name: 'b', description: 'second floppy drive', number: 1 },
] as const;

interface Inside {
  readonly name: string;
  readonly disk: Disk;
  /** Before something was written to it. */
  readonly version: number;
}

/** Floppies that are put in and taken out while the machine runs. */
export class DosMedia implements MediaCapability {
  readonly #engine: DosEngine;
  readonly #inside = new Map<string, Inside>();

  constructor(engine: DosEngine) {
    this.#engine = engine;
  }

  get slots(): readonly MediaSlot[] {
    return floppies.map(({ name, description }) => {
      const inside = this.#inside.get(name);
      return inside === undefined
        ? { name, description, changed: false }
        : { name, description, medium: inside.name, changed: isChanged(inside) };
    });
  }

  async attach(slot: string, medium: Medium): Promise<string> {
    const { number, name } = driveOf(slot);
    const { disk, drive } = readImage(medium);
    const { system } = this.#engine;
    system.disks.set(number, disk);
    system.kernel.mount(number, drive);
    this.#inside.set(name, { name: medium.name, disk, version: disk.version });
    this.#engine.replacedMedia();
    const size = `${(disk.sectors / 2).toLocaleString('en-US')} KiB`;
    return drive ? `${size}, a FAT volume` : `${size}, no FAT volume on it`;
  }

  async detach(slot: string): Promise<void> {
    const { number, name } = driveOf(slot);
    const { system } = this.#engine;
    system.disks.delete(number);
    system.kernel.mount(number, undefined);
    this.#inside.delete(name);
    this.#engine.replacedMedia();
  }

  /** What a snapshot keeps of the slots; the disks themselves are the machine's. */
  record(): Readonly<Record<string, DosMediaRecord>> {
    const all = [...this.#inside].map(([slot, inside]) => [slot, { name: inside.name, changed: isChanged(inside) }]);
    return Object.fromEntries(all);
  }

  recall(media: Readonly<Record<string, DosMediaRecord>>): void {
    const { disks } = this.#engine.system;
    this.#inside.clear();
    for (const [slot, { name, changed }] of Object.entries(media)) {
      const disk = disks.get(driveOf(slot).number);
      if (disk) this.#inside.set(slot, { name, disk, version: changed ? -1 : disk.version });
    }
  }

  async bytes(slot: string): Promise<Uint8Array> {
    const inside = this.#inside.get(driveOf(slot).name);
    if (!inside) throw new MachineError('NOT_FOUND', `Nothing is in ${slot}.`, 'Attach something first.');
    const { disk } = inside;
    const whole = new Uint8Array(disk.sectors * 512);
    for (let sector = 0; sector < disk.sectors; sector++) whole.set(disk.read(sector), sector * 512);
    return whole;
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

function driveOf(slot: string) {
  const found = floppies.find(({ name }) => name === slot.toLowerCase().replace(/:$/, ''));
  if (found) return found;
  throw new MachineError(
    'INVALID_ARGUMENT',
    `No slot ${slot}.`,
    `Slots: ${floppies.map((each) => each.name).join(', ')}.`,
  );
}
