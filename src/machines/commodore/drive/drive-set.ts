import { geometryOf } from '../../../formats/commodore/media/disk-geometry.ts';
import { isG64 } from '../../../formats/commodore/media/g64.ts';
import { SectorImage } from '../../../formats/commodore/media/sector-image.ts';
import { allLines, attentionLine, clockLine, dataLine } from './bus-lines.ts';
import { DiskShelf } from './disk-shelf.ts';
import { DiskSlot } from './disk-slot.ts';
import { Dos } from './dos.ts';
import { Drive1541 } from './drive-1541.ts';
import {
  type BusWords,
  buffersOfDrive,
  busFields,
  bytesOfDrive,
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
  /** Cycles in a second. */
  clockHz?(): number;
  /** The DOS of a 1541: with it, D64 and G64 images go into real ones. */
  readonly driveRom?: Uint8Array | undefined;
  /** Each cycle of a drive on its own, as a check of what is done at once. */
  readonly eager?: boolean;
}

interface Place {
  readonly words: DriveWords;
  readonly buffers: Uint8Array;
  readonly slot: DiskSlot;
  readonly drive: IecDrive;
  /** What the drive is while `real` is set; there is one if there is a ROM for it. */
  readonly real: Drive1541 | undefined;
}

/** Where a 1541 has its buffers. */
const bufferStart = 0x300;

/** No drive waits for anything within a time worth planning. */
const farAway = 0x7fff_ffff;

/** So many cycles are put off at most, that nobody has to wait long who looks. */
const longestLag = 20_000;

export type DriveLight = 'off' | 'on' | 'blinking';

/** Drives 8 to 11 and the bus between them and the computer. */
export class DriveSet {
  readonly #bus: BusWords;
  readonly #wires: DriveWires;
  /** Everything that was ever on a disk, a tape or a flash chip of this machine. */
  readonly shelf = new DiskShelf();
  readonly #places: readonly Place[];
  /** Those of them that are connected, without and with a processor of their own: caches. */
  #connected: readonly Place[] = [];
  #real: readonly Drive1541[] = [];
  /** Called when a drive without a processor of its own was asked to run a program: nothing will come of it. */
  onProgram: (unit: DriveUnit) => void = () => {};
  /** While somebody watches: asked before each instruction of a drive's processor. True where it shall stop. */
  onInstruction: ((drive: Drive1541) => boolean) | undefined;
  /** Each drive has a cycle to make that has been due. */
  #isHeld = false;

  constructor(words: Int32Array, wires: DriveWires) {
    this.#bus = words as BusWords;
    this.#wires = wires;
    this.#places = driveUnits.map((unit) => {
      const own = wordsOfDrive(words, unit);
      const slot = new DiskSlot(own, this.shelf);
      const real = wires.driveRom && new Drive1541(unit, own, wires.driveRom, this.shelf, () => this.#settle());
      const buffers = bytesOfDrive(own, f.buffers, buffersOfDrive * 256);
      return {
        words: own,
        buffers,
        slot,
        drive: new IecDrive(unit, own, new Dos(own, slot, () => this.onProgram(unit))),
        real,
      };
    });
  }

  // ---- from outside

  /**
   * Puts a copy of this D64, D71, D81 (or G64, into a 1541) into the drive, which is switched on if it was not. Throws a
   * RangeError when the bytes are none of them.
   */
  attach(unit: DriveUnit, image: Uint8Array, options: { readonly readOnly: boolean } = { readOnly: false }): void {
    const { words, slot, drive, real } = this.#place(unit);
    const wantsReal = real !== undefined && fits1541(image);
    this.catchUp();
    if (words[f.connected] !== 0 && wantsReal !== (words[f.real] !== 0)) this.disconnect(unit);
    if (real && wantsReal) {
      // Whoever puts a disk in has switched the drive on before.
      if (words[f.connected] === 0) this.#connect(unit, true, true);
      real.insert(image, options.readOnly);
      return;
    }
    void new SectorImage(image);
    drive.dos.closeAll();
    slot.insert(image, options.readOnly);
    this.#connect(unit, false);
  }

  /** Takes the disk out; the drive stays and is not ready. */
  detach(unit: DriveUnit): void {
    const { words, slot, drive, real } = this.#place(unit);
    if (real && words[f.real] !== 0) {
      this.catchUp();
      real.eject();
      return;
    }
    drive.dos.closeAll();
    slot.eject();
  }

  /** Switches the drive on, with or without a disk in it. */
  connect(unit: DriveUnit): void {
    this.#connect(unit, this.#place(unit).real !== undefined);
  }

  #connect(unit: DriveUnit, asReal: boolean, isAwake = false): void {
    const { words, drive, real } = this.#place(unit);
    if (words[f.connected] !== 0) return;
    this.catchUp();
    words[f.connected] = 1;
    words[f.real] = asReal ? 1 : 0;
    words[f.lines] = allLines;
    if (asReal) real?.powerUp(this.#wires.now());
    if (asReal && isAwake) real?.wakeUp();
    this.#connectedChanged();
    if (!asReal) drive.reset();
    this.#settle();
  }

  /** Takes the drive off the bus: nobody answers its number. */
  disconnect(unit: DriveUnit): void {
    const { words, drive } = this.#place(unit);
    this.catchUp();
    this.detach(unit);
    drive.reset();
    words[f.connected] = 0;
    words[f.real] = 0;
    this.#connectedChanged();
    this.#settle();
  }

  isConnected(unit: DriveUnit): boolean {
    return this.#place(unit).words[f.connected] !== 0;
  }

  /** The disk as it is now, with all that was written to it. */
  image(unit: DriveUnit): Uint8Array | undefined {
    const { words, slot, real } = this.#place(unit);
    if (!real || words[f.real] === 0) return slot.bytes();
    this.catchUp();
    return real.slot.file();
  }

  /** Two of these are equal if what is on the disk is. */
  contentsOf(unit: DriveUnit): string {
    const { words, real } = this.#place(unit);
    if (real && words[f.real] !== 0) {
      this.catchUp();
      real.slot.settle();
    }
    return `${words[f.hasDisk]},${words[f.diskLow]},${words[f.diskHigh]}`;
  }

  /** D64 and G64 images go into real drives. */
  get areReal(): boolean {
    return this.#wires.driveRom !== undefined;
  }

  /** It is a 1541 with a processor of its own. */
  isReal(unit: DriveUnit): boolean {
    return this.#place(unit).words[f.real] !== 0;
  }

  isReadOnly(unit: DriveUnit): boolean {
    return this.#place(unit).words[f.readOnly] !== 0;
  }

  /** On while files are open, blinking after an error until the error channel is read. */
  ledOf(unit: DriveUnit): DriveLight {
    const { words, drive, real } = this.#place(unit);
    if (words[f.connected] === 0) return 'off';
    if (real && words[f.real] !== 0) return real.isLightOn ? 'on' : 'off';
    if (drive.dos.status.isError) return 'blinking';
    return drive.dos.isBusy ? 'on' : 'off';
  }

  /** What the error channel would say. */
  statusOf(unit: DriveUnit): string {
    return this.#place(unit).drive.dos.status.text;
  }

  /** The memory of a drive, for debuggers. */
  memoryOf(unit: DriveUnit): { readonly size: bigint; readonly description: string; readonly writable: boolean } {
    if (this.isReal(unit)) return { size: 0x10000n, description: "what the 1541's processor sees", writable: true };
    return { size: 0x800n, description: 'its five buffers from $0300 on', writable: true };
  }

  /** The drives with a processor of their own that are switched on. */
  get real(): readonly Drive1541[] {
    return this.#real;
  }

  peek(unit: DriveUnit, address: number): number {
    const { buffers, real } = this.#place(unit);
    return real && this.isReal(unit) ? real.peek(address) : (buffers[address - bufferStart] ?? 0);
  }

  poke(unit: DriveUnit, address: number, value: number): void {
    const { buffers, real } = this.#place(unit);
    if (real && this.isReal(unit)) real.poke(address, value);
    else if (address >= bufferStart && address - bufferStart < buffers.length) buffers[address - bufferStart] = value;
  }

  #connectedChanged(): void {
    this.#connected = this.#places.filter(({ words }) => words[f.connected] !== 0 && words[f.real] === 0);
    this.#real = this.#places.flatMap(({ words, real }) =>
      real && words[f.connected] !== 0 && words[f.real] !== 0 ? [real] : [],
    );
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
    this.#places.forEach(({ words, slot, real }, index) => {
      const presence = before[index];
      words[f.connected] = presence?.connected ? 1 : 0;
      words[f.lines] = allLines;
      words[f.real] = presence?.source ? 1 : 0;
      if (real && presence?.source) {
        real.powerUp(this.#wires.now());
        real.slot.kept(presence.readOnly, presence.source);
        real.restored();
      } else slot.kept(presence?.readOnly === true);
    });
    this.#connectedChanged();
  }

  /** What `powerUp` has to be told. */
  presence(): readonly DrivePresence[] {
    return this.#places.map(({ words, real }) => {
      if (words[f.real] !== 0) real?.slot.settle();
      return {
        connected: words[f.connected] !== 0,
        readOnly: words[f.readOnly] !== 0,
        source: words[f.real] === 0 ? undefined : { low: words[f.sourceLow], high: words[f.sourceHigh] },
      };
    });
  }

  /** The reset line goes to the drives too. */
  reset(): void {
    this.catchUp();
    for (const { drive } of this.#connected) drive.reset();
    for (const real of this.#real) real.reset();
    if (this.#connected.length + this.#real.length > 0) this.#settle();
  }

  /** One of them alone; nothing where it is not connected. */
  resetUnit(unit: DriveUnit): void {
    if (!this.isConnected(unit)) return;
    const { drive, real, words } = this.#place(unit);
    this.catchUp();
    if (words[f.real] === 0) drive.reset();
    else real?.reset();
    this.#settle();
  }

  /** The computer drives its lines: false = pulled low. */
  setComputerLines(attention: boolean, clock: boolean, data: boolean): void {
    const lines = (attention ? attentionLine : 0) | (clock ? clockLine : 0) | (data ? dataLine : 0);
    if (lines === this.#bus[busFields.computer]) return;
    // What the processor writes is on the line at the end of the cycle.
    if (this.#real.length > 0) this.#runReal(this.#wires.now() + 1);
    this.#bus[busFields.computer] = lines;
    if (this.#connected.length + this.#real.length > 0) this.#settle();
  }

  /** The bus now: the lines that the computer lets go (high), and those that drives pull low. */
  busLines(): { readonly computer: number; readonly pulled: number } {
    this.catchUp();
    return { computer: this.#bus[busFields.computer], pulled: this.#pulled() };
  }

  /** Brings drives that have a processor of their own up to the present, unless they are held. */
  catchUp(): void {
    if (this.#real.length > 0 && !this.#isHeld) this.#runReal(this.#wires.now());
  }

  /** As far as the computer can see: their lines are those of the present. */
  catchUpLines(): void {
    const [first] = this.#real;
    if (!first || this.#isHeld) return;
    if (this.#real.length > 1 || this.onInstruction || this.#wires.eager) {
      this.#runReal(this.#wires.now());
      return;
    }
    const left = first.runForLines(first.cyclesDue(this.#wires.now(), this.#clockHz));
    if (left > 0) first.holdBack(left, this.#clockHz);
  }

  /** The same after every cycle of the computer; where one shall stop, they are held if the present is a cycle later. */
  catchUpHolding(): void {
    const watch = this.onInstruction;
    if (watch && this.#real.length > 0 && !this.#isHeld) this.#runWatched(this.#wires.now(), watch, true);
  }

  /** They have not made the last cycle that is due, so that one is exactly before an instruction. */
  get areHeld(): boolean {
    return this.#isHeld;
  }

  /** Brings them to where they were when they were held at this time. */
  hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    const due = this.#cyclesDue(this.#wires.now());
    this.#real.forEach((drive, index) => {
      if ((due[index] ?? 0) > 0) drive.holdBack(1, this.#clockHz);
    });
    this.#runTogether(due.map((cycles) => cycles - 1));
  }

  letGo(): void {
    this.#isHeld = false;
  }

  /** The same, and nothing in them runs behind: their words can be compared with others. */
  bringUpToDate(): void {
    this.catchUp();
    for (const real of this.#real) real.catchUp();
  }

  /** Side by side, cycle by cycle: they may talk to each other. */
  #runReal(now: number): void {
    const [first] = this.#real;
    if (this.onInstruction) this.#runWatched(now, this.onInstruction, false);
    else if (first && this.#real.length === 1 && !this.#wires.eager) first.run(first.cyclesDue(now, this.#clockHz));
    else this.#runTogether(this.#cyclesDue(now));
  }

  #cyclesDue(now: number): readonly number[] {
    return this.#real.map((drive) => drive.cyclesDue(now, this.#clockHz));
  }

  get #clockHz(): number {
    return this.#wires.clockHz?.() ?? 985_248;
  }

  #runTogether(due: readonly number[]): void {
    const drives = this.#real;
    const [first] = drives;
    if (first && drives.length === 1 && !this.#wires.eager) {
      first.run(due[0] ?? 0);
      return;
    }
    for (let cycle = Math.max(...due); cycle > 0; cycle--) {
      drives.forEach((drive, index) => {
        if ((due[index] ?? 0) >= cycle) drive.tick();
      });
    }
  }

  /** What the computer is about to see or do must not come before a cycle that is due: then they are not held. */
  #runWatched(now: number, watch: (drive: Drive1541) => boolean, mayHold: boolean): void {
    const drives = this.#real;
    const due = this.#cyclesDue(now);
    for (let left = Math.max(...due); left > 0; left--) {
      let isStop = false;
      drives.forEach((drive, index) => {
        if ((due[index] ?? 0) < left) return;
        drive.tick();
        if (drive.isBetweenInstructions && watch(drive)) isStop = true;
      });
      if (!isStop || !mayHold || left !== 2) continue;
      for (const drive of drives) drive.holdBack(1, this.#clockHz);
      this.#isHeld = true;
      return;
    }
  }

  /** How many cycles after this one they can be left alone. */
  quietCycles(): number {
    // Drives of both sorts on one bus have to see each other's lines in time.
    if (this.#real.length > 0 && this.#connected.length > 0) return 0;
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
    // Alone, those with a processor of their own are brought up to date when somebody looks, or has not for long.
    if (this.#connected.length > 0 || this.#isFarBehind) this.catchUp();
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

  get #isFarBehind(): boolean {
    const [first] = this.#real;
    return first?.isBehind(this.#wires.now(), longestLag) === true;
  }

  /** Contents that snapshots made elsewhere may speak of. */
  remember(image: Uint8Array): void {
    this.shelf.keep(image);
  }

  /** The disks that were in the drives when this copy of their words was made, as far as they are known. */
  imagesIn(words: Int32Array): readonly Uint8Array[] {
    return driveUnits.flatMap((unit) => {
      const own = wordsOfDrive(words, unit);
      if (own[f.hasDisk] === 0) return [];
      const contents = this.shelf.find(own[f.diskLow], own[f.diskHigh]);
      const source = own[f.real] === 0 ? undefined : this.shelf.find(own[f.sourceLow], own[f.sourceHigh]);
      return [contents, source].flatMap((revision) => (revision ? [this.shelf.bytesOf(revision)] : []));
    });
  }

  restored(): void {
    this.#isHeld = false;
    for (const { words, slot, real } of this.#places) {
      if (words[f.real] === 0) slot.restored();
      else {
        real?.slot.restored();
        real?.restored();
      }
    }
    this.#connectedChanged();
  }

  /** Lets every connected drive follow the lines until nothing moves any more. */
  #settle(): void {
    const now = this.#wires.now();
    for (let moves = true; moves; ) {
      const lines = this.#bus[busFields.computer] & ~this.#pulled();
      moves = false;
      for (const { drive } of this.#connected) if (drive.sense(lines, now)) moves = true;
      for (const real of this.#real) real.setLines(lines);
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
    for (const real of this.#real) lines |= real.pulled(this.#bus[busFields.computer]);
    return lines;
  }
}

export interface DrivePresence {
  readonly connected: boolean;
  readonly readOnly: boolean;
  /** Of a 1541: which file its disk came from. */
  readonly source?: { readonly low: number; readonly high: number } | undefined;
}

function fits1541(image: Uint8Array): boolean {
  return isG64(image) || geometryOf(image.length)?.geometry.kind === 'd64';
}
