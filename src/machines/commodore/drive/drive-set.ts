import { SectorImage } from '../media/sector-image.ts';
import { allLines, attentionLine, clockLine, dataLine } from './bus-lines.ts';
import { DiskShelf } from './disk-shelf.ts';
import { DiskSlot } from './disk-slot.ts';
import { Dos } from './dos.ts';
import {
  type BusWords,
  busFields,
  type DriveUnit,
  type DriveWords,
  driveUnits,
  driveFields as f,
  wordsOfDrive,
} from './drive-state.ts';
import { IecDrive } from './iec-drive.ts';

/** What the drives need of the computer. */
export interface DriveWires {
  /** The present, in cycles. */
  now(): number;
  /** The lines as the drives leave them: false = pulled low. */
  setSerialLines(clock: boolean, data: boolean): void;
  /** A drive waits for a moment that was not known before. */
  planAnew(): void;
}

interface Place {
  readonly words: DriveWords;
  readonly slot: DiskSlot;
  readonly drive: IecDrive;
}

/** No drive waits for anything within a time worth planning. */
const farAway = 0x7fff_ffff;

export type DriveLight = 'off' | 'on' | 'blinking';

/** Drives 8 to 11 and the bus between them and the computer. */
export class DriveSet {
  readonly #bus: BusWords;
  readonly #wires: DriveWires;
  /** Everything that was ever on a disk, a tape or a flash chip of this machine. */
  readonly shelf = new DiskShelf();
  readonly #places: readonly Place[];
  /** Those of them that are connected: a cache. */
  #connected: readonly Place[] = [];

  constructor(words: Int32Array, wires: DriveWires) {
    this.#bus = words as BusWords;
    this.#wires = wires;
    this.#places = driveUnits.map((unit) => {
      const own = wordsOfDrive(words, unit);
      const slot = new DiskSlot(own, this.shelf);
      return { words: own, slot, drive: new IecDrive(unit, own, new Dos(own, slot)) };
    });
  }

  // ---- from outside

  /**
   * Puts a copy of this D64, D71 or D81 into the drive, which is switched on if it was not. Throws a RangeError when the
   * bytes are none of them.
   */
  attach(unit: DriveUnit, image: Uint8Array, options: { readonly readOnly: boolean } = { readOnly: false }): void {
    const { slot, drive } = this.#place(unit);
    void new SectorImage(image);
    drive.dos.closeAll();
    slot.insert(image, options.readOnly);
    this.connect(unit);
  }

  /** Takes the disk out; the drive stays and is not ready. */
  detach(unit: DriveUnit): void {
    const { slot, drive } = this.#place(unit);
    drive.dos.closeAll();
    slot.eject();
  }

  /** Switches the drive on, with or without a disk in it. */
  connect(unit: DriveUnit): void {
    const { words, drive } = this.#place(unit);
    if (words[f.connected] !== 0) return;
    words[f.connected] = 1;
    words[f.lines] = allLines;
    this.#connectedChanged();
    drive.reset();
    this.#settle();
  }

  /** Takes the drive off the bus: nobody answers its number. */
  disconnect(unit: DriveUnit): void {
    const { words, drive } = this.#place(unit);
    this.detach(unit);
    drive.reset();
    words[f.connected] = 0;
    this.#connectedChanged();
    this.#settle();
  }

  isConnected(unit: DriveUnit): boolean {
    return this.#place(unit).words[f.connected] !== 0;
  }

  /** The disk as it is now, with all that was written to it. */
  image(unit: DriveUnit): Uint8Array | undefined {
    return this.#place(unit).slot.bytes();
  }

  isReadOnly(unit: DriveUnit): boolean {
    return this.#place(unit).words[f.readOnly] !== 0;
  }

  /** On while files are open, blinking after an error until the error channel is read. */
  ledOf(unit: DriveUnit): DriveLight {
    const { words, drive } = this.#place(unit);
    if (words[f.connected] === 0) return 'off';
    if (drive.dos.status.isError) return 'blinking';
    return drive.dos.isBusy ? 'on' : 'off';
  }

  /** What the error channel would say. */
  statusOf(unit: DriveUnit): string {
    return this.#place(unit).drive.dos.status.text;
  }

  #connectedChanged(): void {
    this.#connected = this.#places.filter(({ words }) => words[f.connected] !== 0);
  }

  #place(unit: DriveUnit): Place {
    const place = this.#places[unit - 8];
    if (!place) throw new RangeError(`no drive ${unit}`);
    return place;
  }

  // ---- from the board

  /** All words are zero: power comes on, and a reset follows. Drives that were connected still are, with their disks. */
  powerUp(before: readonly DrivePresence[]): void {
    this.#bus[busFields.computer] = allLines;
    this.#places.forEach(({ words, slot }, index) => {
      const presence = before[index];
      words[f.connected] = presence?.connected ? 1 : 0;
      words[f.lines] = allLines;
      slot.kept(presence?.readOnly === true);
    });
    this.#connectedChanged();
  }

  /** What `powerUp` has to be told. */
  presence(): readonly DrivePresence[] {
    return this.#places.map(({ words }) => ({
      connected: words[f.connected] !== 0,
      readOnly: words[f.readOnly] !== 0,
    }));
  }

  /** The reset line goes to the drives too. */
  reset(): void {
    for (const { drive } of this.#connected) drive.reset();
    if (this.#connected.length > 0) this.#settle();
  }

  /** The computer drives its lines: false = pulled low. */
  setComputerLines(attention: boolean, clock: boolean, data: boolean): void {
    const lines = (attention ? attentionLine : 0) | (clock ? clockLine : 0) | (data ? dataLine : 0);
    if (lines === this.#bus[busFields.computer]) return;
    this.#bus[busFields.computer] = lines;
    if (this.#connected.length > 0) this.#settle();
  }

  /** Brings drives that have a processor of their own up to the present. */
  catchUp(): void {}

  /** How many cycles after this one they can be left alone. */
  quietCycles(): number {
    if (this.#bus[busFields.armed] === 0) return farAway;
    const now = this.#wires.now();
    let cycles = farAway;
    for (const { drive } of this.#connected) {
      if (drive.isArmed) cycles = Math.min(cycles, Math.max(0, drive.cyclesLeft(now) - 1));
    }
    return cycles;
  }

  /** Does what is due at this cycle. */
  tick(): void {
    if (this.#bus[busFields.armed] === 0) return;
    const now = this.#wires.now();
    let woken = false;
    for (const { drive } of this.#connected) {
      if (drive.isArmed && drive.cyclesLeft(now) <= 0) {
        drive.wake(now);
        woken = true;
      }
    }
    if (woken) this.#settle();
  }

  /** Contents that snapshots made elsewhere may speak of. */
  remember(image: Uint8Array): void {
    this.shelf.keep(image);
  }

  /** The disks that were in the drives when this copy of their words was made, as far as they are known. */
  imagesIn(words: Int32Array): readonly Uint8Array[] {
    return driveUnits.flatMap((unit) => {
      const own = wordsOfDrive(words, unit);
      const revision = own[f.hasDisk] === 0 ? undefined : this.shelf.find(own[f.diskLow], own[f.diskHigh]);
      return revision ? [this.shelf.bytesOf(revision)] : [];
    });
  }

  restored(): void {
    for (const { slot } of this.#places) slot.restored();
    this.#connectedChanged();
  }

  /** Lets every connected drive follow the lines until nothing moves any more. */
  #settle(): void {
    const now = this.#wires.now();
    for (let moves = true; moves; ) {
      const lines = this.#bus[busFields.computer] & ~this.#pulled();
      moves = false;
      for (const { drive } of this.#connected) if (drive.sense(lines, now)) moves = true;
    }
    let armed = 0;
    for (const { drive } of this.#connected) if (drive.isArmed) armed |= 1 << (drive.unit - 8);
    if ((armed | this.#bus[busFields.armed]) !== 0) this.#wires.planAnew();
    this.#bus[busFields.armed] = armed;
    const pulled = this.#pulled();
    this.#wires.setSerialLines((pulled & clockLine) === 0, (pulled & dataLine) === 0);
  }

  /** The lines that drives pull low. */
  #pulled(): number {
    let lines = 0;
    for (const { words } of this.#connected) {
      if (words[f.pullsClock] !== 0) lines |= clockLine;
      if (words[f.pullsData] !== 0) lines |= dataLine;
    }
    return lines;
  }
}

export interface DrivePresence {
  readonly connected: boolean;
  readonly readOnly: boolean;
}
