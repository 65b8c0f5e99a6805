/**
 * A Commodore 1581: a 6502 at 2 MHz with 8 KiB of RAM and 32 KiB of ROM, an 8520 on the serial bus and the mechanics, and a
 * WD1772 for disks of 80 tracks with two sides.
 *
 * Not emulated: the time of day of the 8520 counts as that of a 6526; nothing is sent or received on the line of fast serial
 * transfers, which a C64, a VIC-20 and a Plus/4 do not use; see `Wd1770` for disks.
 */
import { fields as cia, type Mos6526State } from '../../../chips/mos6526/fields.ts';
import { Mos6526 } from '../../../chips/mos6526/mos6526.ts';
import type { Wd1770State } from '../../../chips/wd1770/fields.ts';
import { mark } from '../../../chips/wd1770/marks.ts';
import { Wd1770, type WdDrive } from '../../../chips/wd1770/wd1770.ts';
import { attentionLine, clockLine, dataLine } from './bus-lines.ts';
import type { DiskShelf } from './disk-shelf.ts';
import { type DriveChips, DriveComputer } from './drive-computer.ts';
import { type DriveUnit, type DriveWords, driveFields as f } from './drive-state.ts';
import { mfmByte, mfmMark, mfmSurface, mfmTrackStart } from './mfm-image.ts';
import { ProcessorDrive } from './processor-drive.ts';
import { mechanicsFields as m } from './processor-state.ts';
import type { DriveParts, RealDrive } from './real-drive.ts';

const clockHz = 2_000_000;
const ramBytes = 0x2000;
const lastCylinder = 82;

const sideBit = 0x01;
const motorOffBit = 0x04;
const lightBit = 0x40;
const changedBit = 0x80;

export class Drive1581 extends ProcessorDrive implements RealDrive, DriveChips {
  readonly model = '1581';
  readonly ticksPerMicrosecond = 2;
  /** Its DOS takes 2.2 seconds, as it moves the head. */
  readonly wakingTicks = 4_600_000;
  /** Until the head moves, see `#step`. */
  protected override readonly swapTicks = 1;
  readonly #computer: DriveComputer;
  readonly #cia: Mos6526;
  readonly #c: Mos6526State;
  readonly #controller: Wd1770;
  readonly #controllerState: Wd1770State;
  /** Cycles that the CIA may be left alone, and what is left of it; ticks that the controller has not seen. */
  #span = 0;
  #left = 0;
  #unseen = 0;

  /** `linesChanged`: it pulls other lines of the bus than before. */
  constructor(unit: DriveUnit, words: DriveWords, rom: Uint8Array, shelf: DiskShelf, linesChanged: () => void) {
    super(unit, words, shelf, mfmSurface, clockHz, linesChanged);
    const parts = this.partsWith(ramBytes);
    this.#c = parts.cia as Mos6526State;
    this.#cia = new Mos6526(parts.cia, '6526A');
    this.#controllerState = parts.controller as Wd1770State;
    this.#controller = new Wd1770(parts.controller, this.#diskWires(), '1772');
    this.#computer = new DriveComputer(parts, rom, this);
  }

  #diskWires(): WdDrive {
    return {
      isTurning: () => this.#isTurning,
      isProtected: () => this.isProtected,
      isAtTrack0: () => this.mechanics[m.halfTrack] === 0,
      step: (inward) => this.#step(inward),
      read: (place) => this.#readDisk(place),
      write: (place, byte) => this.#writeDisk(place, byte),
    };
  }

  // ---- power and time

  powerUp(now: number): void {
    this.mechanics.fill(0);
    this.mechanics[m.ranTo] = now;
    this.#cia.powerOn(clockHz, 0);
    this.#controller.powerOn();
    this.#computer.powerUp();
    this.reset();
  }

  reset(): void {
    this.catchUp();
    this.#cia.reset();
    this.#controller.reset();
    this.#computer.reset();
    this.#sense();
  }

  tick(): boolean {
    this.#computer.tick();
    return true;
  }

  run(ticks: number): void {
    for (let left = ticks; left > 0; ) {
      const ran = this.#computer.runInstructions(left);
      if (ran === 0) this.#computer.tick();
      left -= ran === 0 ? 1 : ran;
    }
  }

  catchUp(): void {
    this.#catchUpCia();
    this.#catchUpController();
    this.#sense();
    this.#computer.catchUp();
  }

  // ---- what the processor is wired to

  tickChips(): void {
    this.#unseen += 1;
    if (this.#left > 0) {
      this.#left -= 1;
      return;
    }
    this.#catchUpCia();
    this.#cia.tick();
    this.#span = this.#cia.quietCycles();
    this.#left = this.#span;
  }

  get quietCycles(): number {
    return this.#left;
  }

  pass(cycles: number): void {
    this.#left -= cycles;
    this.#unseen += cycles;
  }

  get irq(): number {
    return this.#c[cia.irq];
  }

  #catchUpCia(): void {
    const elapsed = this.#span - this.#left;
    this.#span = 0;
    this.#left = 0;
    if (elapsed > 0) this.#cia.catchUp(elapsed);
  }

  #catchUpController(): void {
    const ticks = this.#unseen;
    this.#unseen = 0;
    if (ticks > 0) this.#controller.run(ticks);
  }

  read(address: number): number {
    const byte = this.#read(address);
    this.mechanics[m.busByte] = byte;
    return byte;
  }

  #read(address: number): number {
    if (address < ramBytes || address >= 0x8000) return this.#computer.peek(address);
    if (address < 0x4000) return this.mechanics[m.busByte];
    if (address < 0x6000) {
      this.#sense();
      // Its ports have nothing to do with time, and nothing is wired to the pin that tells of them.
      if ((address & 15) < 2) return this.#cia.peek(address);
      this.#catchUpCia();
      return this.#cia.read(address);
    }
    this.#catchUpController();
    return this.#controller.read(address);
  }

  write(address: number, value: number): void {
    this.mechanics[m.busByte] = value;
    if (address < ramBytes) this.#computer.ram[address] = value;
    else if (address >= 0x4000 && address < 0x6000) this.#writeCia(address, value);
    else if (address >= 0x6000 && address < 0x8000) {
      this.#catchUpController();
      this.#controller.write(address, value);
    }
  }

  #writeCia(address: number, value: number): void {
    this.#catchUpCia();
    // Motor and side may change.
    this.#catchUpController();
    const before = this.#c[cia.pbOut];
    this.#cia.write(address, value);
    if (this.#c[cia.pbOut] !== before) this.linesChanged();
  }

  /** The switches of its number, and what the mechanics tell. */
  #sense(): void {
    const ready = this.#isTurning ? 0 : 2;
    const changed = this.mechanics[m.swapLeft] !== 0 ? 0 : changedBit;
    this.#c[cia.paIn] = 0x65 | ready | ((this.unit - 8) << 3) | changed;
    this.#c[cia.pbIn] = (this.#c[cia.pbIn] & ~0x40) | (this.isProtected ? 0 : 0x40);
  }

  // ---- the mechanics

  get isMotorOn(): boolean {
    return (this.#c[cia.paOut] & motorOffBit) === 0;
  }

  get #isTurning(): boolean {
    return this.isMotorOn && this.words[f.hasDisk] !== 0;
  }

  get isProtected(): boolean {
    return this.words[f.readOnly] !== 0;
  }

  #step(inward: boolean): void {
    const words = this.mechanics;
    words[m.halfTrack] = Math.min(lastCylinder, Math.max(0, words[m.halfTrack] + (inward ? 1 : -1)));
    // The line that tells of another disk is let go when the head moves over it.
    if (this.words[f.hasDisk] !== 0) words[m.swapLeft] = 0;
  }

  get side(): number {
    return (this.#c[cia.paOut] & sideBit) !== 0 ? 1 : 0;
  }

  #readDisk(place: number): number {
    const { image } = this.slot;
    const start = mfmTrackStart(this.mechanics[m.halfTrack], this.side);
    return image && start >= 0 ? mfmByte(image, start, place) : 0;
  }

  #writeDisk(place: number, byte: number): void {
    const { image } = this.slot;
    const start = mfmTrackStart(this.mechanics[m.halfTrack], this.side);
    if (!image || start < 0) return;
    this.slot.writeByte(start + place, byte & 0xff);
    const { at, mask } = mfmMark(start, place);
    const marks = image[at] ?? 0;
    this.slot.writeByte(at, (byte & mark) !== 0 ? marks | mask : marks & ~mask);
  }

  // ---- the serial bus

  setLines(lines: number): void {
    const attention = (lines & attentionLine) === 0;
    this.#c[cia.pbIn] =
      (this.#c[cia.pbIn] & 0x7a) |
      ((lines & dataLine) === 0 ? 1 : 0) |
      ((lines & clockLine) === 0 ? 4 : 0) |
      (attention ? 0x80 : 0);
    const level = attention ? 0 : 1;
    if (this.#c[cia.flagLine] === level) return;
    this.#catchUpCia();
    this.#cia.setFlag(level);
  }

  /** A pin that is an input floats high, which pulls too. Data also as long as attention is there and PB4 says so. */
  pulled(lines: number): number {
    const out = this.#c[cia.pbOut];
    const isAnswering = (lines & attentionLine) === 0 && (out & 0x10) !== 0;
    return ((out & 8) !== 0 ? clockLine : 0) | ((out & 2) !== 0 || isAnswering ? dataLine : 0);
  }

  // ---- from outside

  protected override swapped(): void {
    this.#sense();
  }

  get isLightOn(): boolean {
    return (this.#c[cia.paOut] & this.#c[cia.paDdr] & lightBit) !== 0;
  }

  get track(): number {
    return this.mechanics[m.halfTrack] + 1;
  }

  get parts(): DriveParts {
    return { cpu: this.processor, vias: [], cia: this.#c, controller: this.#controllerState };
  }

  peek(address: number): number {
    if (address < 0x4000 || address >= 0x8000) return this.#computer.peek(address);
    this.#catchUpCia();
    this.#catchUpController();
    this.#sense();
    return address < 0x6000 ? this.#cia.peek(address) : this.#controller.peek(address);
  }

  poke(address: number, value: number): void {
    if (address < ramBytes) this.#computer.ram[address] = value;
  }

  spaceOf(address: number): 'ram' | 'rom' | 'io' {
    return address >= 0x8000 ? 'rom' : address < 0x4000 ? 'ram' : 'io';
  }

  restored(): void {
    this.#span = 0;
    this.#left = 0;
    this.#unseen = 0;
    this.#computer.restored();
  }
}
