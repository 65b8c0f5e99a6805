/**
 * A Commodore 1571: a 6502 at 1 or 2 MHz with 2 KiB of RAM and 32 KiB of ROM, the two VIAs of a 1541 with a head for each side of the
 * disk, a 6526 and a WD1770.
 *
 *   serial bus, side, clock -- VIA 1 -- 6502 -- VIA 2 -- stepper, motor, light, heads
 *
 * Not emulated: nothing is sent or received on the line of fast serial transfers, which a C64, a VIC-20 and a Plus/4 do not
 * use; there is no image of disks in MFM, so the WD1770 finds nothing on any; see `DiskHead` and `Via6522`.
 */

import { fields as cpu } from '../../../chips/mos6510/registers.ts';
import { fields as cia, type Mos6526State } from '../../../chips/mos6526/fields.ts';
import { Mos6526 } from '../../../chips/mos6526/mos6526.ts';
import { fields as via } from '../../../chips/via6522/fields.ts';
import type { Wd1770State } from '../../../chips/wd1770/fields.ts';
import { Wd1770 } from '../../../chips/wd1770/wd1770.ts';
import type { DiskShelf } from './disk-shelf.ts';
import { type DriveChips, DriveComputer } from './drive-computer.ts';
import { type DriveUnit, type DriveWords, driveFields as f } from './drive-state.ts';
import { GcrDrive } from './gcr-drive.ts';
import { mechanicsFields as m } from './processor-state.ts';
import type { DriveParts, RealDrive } from './real-drive.ts';
import { isPort } from './via-port.ts';

/** Ticks are half microseconds. */
const clockHz = 2_000_000;
const ramBytes = 0x800;

const sideBit = 0x04;
const fastBit = 0x20;

export class Drive1571 extends GcrDrive implements RealDrive, DriveChips {
  readonly model = '1571';
  readonly ticksPerMicrosecond = 2;
  /** Its DOS takes 0.7 seconds. */
  readonly wakingTicks = 2_000_000;
  protected override readonly swapTicks = 800_000;
  readonly #computer: DriveComputer;
  readonly #cia: Mos6526;
  readonly #c: Mos6526State;
  readonly #controller: Wd1770;
  readonly #controllerState: Wd1770State;
  /** A consequence of the words: the ticks of a cycle. */
  #ticksPerCycle = 2;
  /** Cycles that VIAs and CIA may be left alone, and what is left of it; ticks that the controller has not seen. */
  #span = 0;
  #left = 0;
  #unseen = 0;

  /** `linesChanged`: it pulls other lines of the bus than before. */
  constructor(unit: DriveUnit, words: DriveWords, rom: Uint8Array, shelf: DiskShelf, linesChanged: () => void) {
    super(unit, words, shelf, clockHz, linesChanged);
    const parts = this.partsWith(ramBytes);
    this.#c = parts.cia as Mos6526State;
    this.#cia = new Mos6526(parts.cia, '6526');
    this.#controllerState = parts.controller as Wd1770State;
    this.#controller = new Wd1770(
      parts.controller,
      {
        isTurning: () => this.isTurning && words[f.hasDisk] !== 0,
        isProtected: () => this.isProtected,
        isAtTrack0: () => this.mechanics[m.halfTrack] === 0,
        // Only VIA 2 moves the head.
        step: () => {},
        read: () => 0,
        write: () => {},
      },
      '1770',
    );
    this.#computer = new DriveComputer(parts, rom, this);
  }

  // ---- power and time

  powerUp(now: number): void {
    this.mechanics.fill(0);
    this.mechanics[m.ranTo] = now;
    this.powerUpVias();
    this.#cia.powerOn(clockHz / 2, 0);
    this.#controller.powerOn();
    this.#computer.powerUp();
    this.restored();
    this.reset();
  }

  reset(): void {
    this.catchUp();
    this.via1.reset();
    this.via2.reset();
    this.#cia.reset();
    this.#controller.reset();
    this.#computer.reset();
    this.restored();
  }

  /** Half a microsecond: at 1 MHz only every second one is a cycle. */
  tick(): boolean {
    const words = this.mechanics;
    if (this.#ticksPerCycle === 2 && words[m.half] === 0) {
      words[m.half] = 1;
      return false;
    }
    words[m.half] = 0;
    this.#computer.tick();
    return true;
  }

  run(ticks: number): void {
    for (let left = ticks; left > 0; ) {
      const span = this.#ticksPerCycle;
      const isWhole = this.mechanics[m.half] === 0 && this.mechanics[m.swapLeft] === 0;
      const ran = isWhole ? this.#computer.runInstructions(Math.floor(left / span)) : 0;
      if (ran === 0) this.tick();
      left -= ran === 0 ? 1 : ran * span;
    }
  }

  catchUp(): void {
    this.catchUpVias();
    this.#catchUpController();
    this.head.catchUp();
    this.#sense();
    this.#computer.catchUp();
  }

  // ---- what the processor is wired to

  tickChips(): void {
    const words = this.mechanics;
    this.#unseen += this.#ticksPerCycle;
    if (this.#left > 0) this.#left -= 1;
    else {
      this.catchUpVias();
      this.via1.tick();
      this.via2.tick();
      this.#cia.tick();
      this.#span = Math.min(this.via1.quietCycles(), this.via2.quietCycles(), this.#cia.quietCycles());
      this.#left = this.#span;
    }
    if (this.isTurning) this.head.turn();
    if (words[m.swapLeft] > 0) words[m.swapLeft] -= Math.min(words[m.swapLeft], this.#ticksPerCycle);
  }

  get quietCycles(): number {
    return this.isTurning ? Math.min(this.#left, this.head.quietCycles) : this.#left;
  }

  pass(cycles: number): void {
    this.#left -= cycles;
    this.#unseen += cycles * this.#ticksPerCycle;
    if (this.isTurning) this.head.leaveAlone(cycles);
  }

  get irq(): number {
    return this.v1[via.irq] | this.v2[via.irq] | this.#c[cia.irq];
  }

  protected override catchUpVias(): void {
    const elapsed = this.#span - this.#left;
    this.#span = 0;
    this.#left = 0;
    if (elapsed === 0) return;
    this.via1.catchUp(elapsed);
    this.via2.catchUp(elapsed);
    this.#cia.catchUp(elapsed);
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
    const place = placeOf(address);
    if (place === 'memory') return this.#computer.peek(ramAddress(address));
    if (place === 'nothing') return this.mechanics[m.busByte];
    if (place === 'controller') {
      this.#catchUpController();
      return this.#controller.read(address);
    }
    if (place === 'cia' || !isPort(address, place === 'via1' ? this.v1 : this.v2)) this.catchUpVias();
    if (place === 'cia') return this.#cia.read(address);
    if (place === 'via1') {
      if ((address & 15) !== 0) this.#sense();
      return this.via1.read(address);
    }
    if ((address & 15) === 0) this.#sense();
    // The byte is taken.
    if ((address & 15) === 1) this.mechanics[m.byteReady] = 0;
    return this.via2.read(address);
  }

  write(address: number, value: number): void {
    this.mechanics[m.busByte] = value;
    const place = placeOf(address);
    if (place === 'memory') {
      if (address < 0x8000) this.#computer.ram[ramAddress(address)] = value;
    } else if (place === 'controller') {
      this.#catchUpController();
      this.#controller.write(address, value);
    } else if (place !== 'nothing') {
      if (place === 'cia' || !isPort(address, place === 'via1' ? this.v1 : this.v2)) this.catchUpVias();
      if (place === 'cia') this.#cia.write(address, value);
      else if (place === 'via1') this.#writeVia1(address, value);
      else this.#writeVia2(address, value);
    }
  }

  #writeVia1(address: number, value: number): void {
    const before = this.v1[via.pbOut];
    this.via1.write(address, value);
    if (this.v1[via.pbOut] !== before) this.linesChanged();
    this.#follow();
  }

  #writeVia2(address: number, value: number): void {
    this.#catchUpController();
    if ((address & 15) === 1) this.mechanics[m.byteReady] = 0;
    this.via2.write(address, value);
    this.#follow();
    if (this.isTurning) this.head.follow(this.v2[via.pbOut] & this.v2[via.ddrb] & 3, false);
  }

  /** What the pins of the VIAs mean for clock, motor and head. */
  #follow(): void {
    const control = this.v1[via.paOut] & this.v1[via.ddra];
    const ticksPerCycle = (control & fastBit) !== 0 ? 1 : 2;
    if (ticksPerCycle !== this.#ticksPerCycle) this.#catchUpController();
    this.#ticksPerCycle = ticksPerCycle;
    const { head } = this;
    head.cyclesPerMicrosecond = 2 / ticksPerCycle;
    head.side = (control & sideBit) !== 0 ? 1 : 0;
    this.driveHead();
  }

  /** Track 0 and byte ready on VIA 1, SYNC and the light barrier on VIA 2. */
  #sense(): void {
    this.v1[via.paIn] =
      0x7e | (this.mechanics[m.halfTrack] === 0 ? 0 : 1) | (this.mechanics[m.byteReady] !== 0 ? 0 : 0x80);
    this.senseHead();
  }

  /** CA1 of VIA 2, PA7 of VIA 1 and, while CA2 allows it, the processor's SO pin. */
  protected override byteReady(byte: number): void {
    this.v2[via.paIn] = this.head.isWriting ? 0xff : byte;
    this.mechanics[m.byteReady] = this.v2[via.ca2Out];
    this.via2.setCa1(0);
    this.via2.setCa1(1);
    if (this.v2[via.ca2Out] !== 0) this.processor[cpu.v] = 1;
  }

  // ---- from outside

  get side(): number {
    return this.mechanics[m.side];
  }

  get parts(): DriveParts {
    return {
      cpu: this.processor,
      vias: [this.v1, this.v2],
      cia: this.#c,
      controller: this.#controllerState,
    };
  }

  peek(address: number): number {
    const place = placeOf(address);
    if (place === 'memory' || place === 'nothing') return this.#computer.peek(ramAddress(address));
    this.catchUpVias();
    this.#catchUpController();
    this.#sense();
    if (place === 'controller') return this.#controller.peek(address);
    if (place === 'cia') return this.#cia.peek(address);
    return place === 'via1' ? this.via1.peek(address) : this.via2.peek(address);
  }

  poke(address: number, value: number): void {
    if (address < 0x8000 && placeOf(address) === 'memory') this.#computer.ram[ramAddress(address)] = value;
  }

  spaceOf(address: number): 'ram' | 'rom' | 'io' {
    const place = placeOf(address);
    if (place !== 'memory') return place === 'nothing' ? 'ram' : 'io';
    return address >= 0x8000 ? 'rom' : 'ram';
  }

  restored(): void {
    this.#span = 0;
    this.#left = 0;
    this.#unseen = 0;
    this.#computer.restored();
    this.head.reload((this.v1[via.paOut] & this.v1[via.ddra] & fastBit) !== 0 ? 2 : 1);
    this.#follow();
  }
}

type Place = 'memory' | 'nothing' | 'via1' | 'via2' | 'controller' | 'cia';

function placeOf(address: number): Place {
  if (address >= 0x8000) return 'memory';
  if (address >= 0x4000) return 'cia';
  if (address >= 0x3000) return 'nothing';
  if (address >= 0x2000) return 'controller';
  if (address >= 0x1c00) return 'via2';
  if (address >= 0x1800) return 'via1';
  return address < 0x1000 ? 'memory' : 'nothing';
}

/** The RAM is there twice. */
function ramAddress(address: number): number {
  return address < 0x1000 ? address & 0x7ff : address;
}
