import { SectorImage } from '../../../formats/commodore/media/sector-image.ts';
import { allLines, attentionLine, clockLine, dataLine } from './bus-lines.ts';
import { DiskShelf } from './disk-shelf.ts';
import { DiskSlot } from './disk-slot.ts';
import { disksIn } from './disks-in.ts';
import { Dos } from './dos.ts';
import { DriveChoice, wantedNumber } from './drive-choice.ts';
import {
  type BusWords,
  buffersOfDrive,
  busFields,
  bytesOfDrive,
  type DrivePresence,
  type DriveUnit,
  type DriveWords,
  driveUnits,
  driveFields as f,
  wordsOfDrive,
} from './drive-state.ts';
import { DriveTimes, type DriveWatcher } from './drive-times.ts';
import { IecDrive } from './iec-drive.ts';
import { type DriveModel, type DriveRoms, driveModels, type RealDrive } from './real-drive.ts';

/** What the drives need of the computer. */
export interface DriveWires {
  /** For how many cycles a drive without a processor shows a bit, and then none, where the usual time is too short. */
  readonly bitTime?: number;
  /** The present, in cycles. */
  now(): number;
  /** The lines as the drives leave them: false = pulled low. */
  setSerialLines(clock: boolean, data: boolean): void;
  /** A drive waits for a moment that was not known before. */
  planAnew(): void;
  /** Cycles in a second. */
  clockHz?(): number;
  /** The DOS of each model: disks that fit go into real ones of those that are here. */
  readonly driveRoms?: DriveRoms | undefined;
  /** Each cycle of a drive on its own, as a check of what is done at once. */
  readonly eager?: boolean;
}

interface Place {
  readonly words: DriveWords;
  readonly buffers: Uint8Array;
  readonly slot: DiskSlot;
  readonly drive: IecDrive;
  readonly choice: DriveChoice;
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
  #real: readonly RealDrive[] = [];
  /** Called when a drive without a processor of its own was asked to run a program: nothing will come of it. */
  onProgram: (unit: DriveUnit) => void = () => {};
  /** While somebody watches: asked before each instruction of a drive's processor. True where it shall stop. */
  onInstruction: DriveWatcher | undefined;
  /** Who runs a single drive with a processor of its own to a cycle of the computer's, where that is not as far as it would come. */
  runner: ((drive: RealDrive, now: number) => void) | undefined;
  readonly #times = new DriveTimes();
  /** The cycle up to which the lines of the only real drive are sure to stay as they are, unless it is changed from outside. */
  #sureUntil = -1;

  constructor(words: Int32Array, wires: DriveWires) {
    this.#bus = words as BusWords;
    this.#wires = wires;
    this.#places = driveUnits.map((unit) => {
      const own = wordsOfDrive(words, unit);
      const slot = new DiskSlot(own, this.shelf);
      return {
        ...{ words: own, slot, buffers: bytesOfDrive(own, f.buffers, buffersOfDrive * 256) },
        drive: new IecDrive(unit, own, new Dos(own, slot, () => this.onProgram(unit)), wires.bitTime),
        choice: new DriveChoice(unit, own, wires.driveRoms ?? {}, this.shelf, () => this.#settle()),
      };
    });
  }

  // ---- from outside

  /**
   * Puts a copy of this D64, D71, D81 (or G64, into a drive that reads it) into the drive, which is switched on if it was not and becomes
   * another one if it has to. Throws a RangeError when the bytes are none of them.
   */
  attach(unit: DriveUnit, image: Uint8Array, options: { readonly readOnly: boolean } = { readOnly: false }): void {
    const { words, slot, drive, choice } = this.#place(unit);
    const number = choice.numberFor(image);
    this.catchUp();
    if (words[f.connected] !== 0 && number !== words[f.real]) this.disconnect(unit);
    const real = choice.at(number);
    if (real) {
      // Whoever puts a disk in has switched the drive on before.
      if (words[f.connected] === 0) this.#connect(unit, number, true);
      real.insert(image, options.readOnly);
      return;
    }
    void new SectorImage(image);
    drive.dos.closeAll();
    slot.insert(image, options.readOnly);
    this.#connect(unit, 0);
  }

  /** What `attach` has to do first, in steps, where a drive has to be switched on for this disk. */
  *preparing(unit: DriveUnit, image: Uint8Array): Generator<void> {
    const { words, choice } = this.#place(unit);
    const number = choice.numberFor(image);
    if (words[f.connected] === 0 || words[f.real] !== number) yield* choice.waking(number);
  }

  /** Takes the disk out; the drive stays and is not ready. */
  detach(unit: DriveUnit): void {
    const { slot, drive } = this.#place(unit);
    const real = this.#realOf(unit);
    if (real) {
      this.catchUp();
      real.eject();
      return;
    }
    drive.dos.closeAll();
    slot.eject();
  }

  /** Switches the drive on, with or without a disk in it. */
  connect(unit: DriveUnit): void {
    this.#connect(unit, this.#place(unit).choice.numberWithoutDisk);
  }

  /** What it shall be from now on: a model, where there is a ROM of it, or `fast`: none with a processor. It is switched off if it is another. */
  want(unit: DriveUnit, model: DriveModel | 'fast' | undefined): void {
    const { words } = this.#place(unit);
    const number = wantedNumber(model);
    if (words[f.wanted] === number) return;
    if (words[f.connected] !== 0) this.disconnect(unit);
    words[f.wanted] = number;
  }

  /** The model that it was told to be. */
  wantedOf(unit: DriveUnit): DriveModel | undefined {
    return driveModels[this.#place(unit).words[f.wanted] - 1];
  }

  #connect(unit: DriveUnit, number: number, isAwake = false): void {
    const { words, drive, choice } = this.#place(unit);
    if (words[f.connected] !== 0) return;
    this.catchUp();
    const real = choice.at(number);
    words[f.connected] = 1;
    words[f.real] = real ? number : 0;
    words[f.lines] = allLines;
    real?.powerUp(this.#wires.now());
    if (real && isAwake) choice.wake(real);
    this.#connectedChanged();
    if (!real) drive.reset();
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
    const real = this.#realOf(unit);
    if (!real) return this.#place(unit).slot.bytes();
    this.catchUp();
    return real.slot.file();
  }

  /** Two of these are equal if what is on the disk is. */
  contentsOf(unit: DriveUnit): string {
    const { words } = this.#place(unit);
    const real = this.#realOf(unit);
    if (real) {
      this.catchUp();
      real.slot.settle();
    }
    return `${words[f.hasDisk]},${words[f.diskLow]},${words[f.diskHigh]}`;
  }

  /** The models that there are ROMs of. */
  get models(): readonly DriveModel[] {
    return driveModels.filter((model) => this.#wires.driveRoms?.[model] !== undefined);
  }

  /** Whether this disk goes into a drive with a processor of its own. */
  takesAsReal(unit: DriveUnit, image: Uint8Array): boolean {
    return this.#place(unit).choice.numberFor(image) !== 0;
  }

  /** What a drive that is switched on is; undefined where it has no processor of its own. */
  modelOf(unit: DriveUnit): DriveModel | undefined {
    return this.#realOf(unit)?.model;
  }

  #realOf(unit: DriveUnit): RealDrive | undefined {
    return this.#place(unit).choice.real;
  }

  isReadOnly(unit: DriveUnit): boolean {
    return this.#place(unit).words[f.readOnly] !== 0;
  }

  /** On while files are open, blinking after an error until the error channel is read. */
  ledOf(unit: DriveUnit): DriveLight {
    const { words, drive } = this.#place(unit);
    if (words[f.connected] === 0) return 'off';
    const real = this.#realOf(unit);
    if (real) return real.isLightOn ? 'on' : 'off';
    if (drive.dos.status.isError) return 'blinking';
    return drive.dos.isBusy ? 'on' : 'off';
  }

  /** What the error channel would say. */
  statusOf(unit: DriveUnit): string {
    return this.#place(unit).drive.dos.status.text;
  }

  /** The memory of a drive, for debuggers. */
  memoryOf(unit: DriveUnit): { readonly size: bigint; readonly description: string; readonly writable: boolean } {
    const model = this.modelOf(unit);
    if (model) return { size: 0x10000n, description: `what the ${model}'s processor sees`, writable: true };
    return { size: 0x800n, description: 'its five buffers from $0300 on', writable: true };
  }

  /** The drives with a processor of their own that are switched on. */
  get real(): readonly RealDrive[] {
    return this.#real;
  }

  peek(unit: DriveUnit, address: number): number {
    const real = this.#realOf(unit);
    return real ? real.peek(address) : (this.#place(unit).buffers[address - bufferStart] ?? 0);
  }

  poke(unit: DriveUnit, address: number, value: number): void {
    const { buffers } = this.#place(unit);
    const real = this.#realOf(unit);
    if (real) real.poke(address, value);
    else if (address >= bufferStart && address - bufferStart < buffers.length) buffers[address - bufferStart] = value;
  }

  #connectedChanged(): void {
    this.#sureUntil = -1;
    this.#connected = this.#places.filter(({ words }) => words[f.connected] !== 0 && words[f.real] === 0);
    this.#real = this.#places.flatMap(({ words, choice: { real } }) =>
      real && words[f.connected] !== 0 ? [real] : [],
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
    this.#places.forEach(({ words, slot, choice }, index) => {
      const presence = before[index];
      words[f.connected] = presence?.connected ? 1 : 0;
      words[f.lines] = allLines;
      words[f.real] = presence?.real ?? 0;
      words[f.wanted] = presence?.wanted ?? 0;
      const { real } = choice;
      if (real && presence) {
        real.powerUp(this.#wires.now());
        real.slot.kept(presence.readOnly, presence.source);
        real.restored();
      } else slot.kept(presence?.readOnly === true);
    });
    this.#connectedChanged();
  }

  /** What `powerUp` has to be told. */
  presence(): readonly DrivePresence[] {
    return this.#places.map(({ words, choice }) => {
      choice.real?.slot.settle();
      return {
        connected: words[f.connected] !== 0,
        readOnly: words[f.readOnly] !== 0,
        real: words[f.real],
        wanted: words[f.wanted],
        source: { low: words[f.sourceLow], high: words[f.sourceHigh] },
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
    const real = this.#realOf(unit);
    this.catchUp();
    if (real) real.reset();
    else this.#place(unit).drive.reset();
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
    this.#sureUntil = -1;
    if (this.#real.length > 0 && this.#times.held === 0) this.#runReal(this.#wires.now());
  }

  /** As far as the computer can see: their lines are those of the present. */
  catchUpLines(): void {
    const [first] = this.#real;
    if (!first || this.#times.held !== 0) return;
    if (this.#real.length > 1 || this.onInstruction || this.runner || this.#wires.eager) {
      this.#runReal(this.#wires.now());
      return;
    }
    const now = this.#wires.now();
    if (now > this.#sureUntil) this.#sureUntil = first.runForLines(now, this.#clockHz);
  }

  /** Whether they are those of this cycle already, which is not one of the past. */
  areLinesSure(cycle: number): boolean {
    return cycle <= this.#sureUntil || this.#real.length === 0;
  }

  /** The same after every cycle of the computer; where one shall stop, they are held if the present is later than that. */
  catchUpHolding(): void {
    const watch = this.onInstruction;
    if (!watch || this.#real.length === 0 || this.#times.held !== 0) return;
    this.#times.watched(this.#real, this.#ticksDue(this.#wires.now()), watch, { computerHz: this.#clockHz });
  }

  /** For how many beats they are held: not all that is due has been made, so that one is exactly before an instruction. */
  get held(): number {
    return this.#times.held;
  }

  /** Brings them to where they were when they were held at this time. */
  hold(beats: number): void {
    this.#sureUntil = -1;
    if (this.#times.held !== 0) return;
    this.#times.hold(this.#real, this.#ticksDue(this.#wires.now()), beats, this.#clockHz);
  }

  letGo(): void {
    this.#sureUntil = -1;
    this.#times.letGo();
  }

  /** The same, and nothing in them runs behind: their words can be compared with others. */
  bringUpToDate(): void {
    this.catchUp();
    for (const real of this.#real) real.catchUp();
  }

  #runReal(now: number): void {
    const [first] = this.#real;
    if (this.onInstruction) this.#times.watched(this.#real, this.#ticksDue(now), this.onInstruction, undefined);
    else if (first && this.runner) this.runner(first, now);
    else if (first && this.#real.length === 1 && !this.#wires.eager) first.run(first.ticksDue(now, this.#clockHz));
    else this.#times.together(this.#real, this.#ticksDue(now));
  }

  #ticksDue(now: number): readonly number[] {
    return this.#real.map((drive) => drive.ticksDue(now, this.#clockHz));
  }

  get #clockHz(): number {
    return this.#wires.clockHz?.() ?? 985_248;
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
    return disksIn(words, this.shelf);
  }

  restored(): void {
    this.#times.letGo();
    for (const { words, slot, choice } of this.#places) {
      const { real } = choice;
      if (words[f.real] === 0) slot.restored();
      real?.slot.restored();
      real?.restored();
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
