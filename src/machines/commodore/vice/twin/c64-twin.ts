import { MachineError } from '../../../../machine/errors.ts';
import type { TwinPixel } from '../../../../machine/twin.ts';
import { C64Board } from '../../c64/c64-board.ts';
import type { C64Chips } from '../../c64/c64-parts.ts';
import { C64CartridgeSlot } from '../../c64/machine/c64-cartridge-slot.ts';
import type { RomImages } from '../../c64/memory-map.ts';
import { numberOf } from '../held-settings.ts';
import type { ViceScreen } from '../vice-screen.ts';
import type { ViceSession } from '../vice-session.ts';
import { BoardTwin, type DifferingPixels, type Moment } from './board-twin.ts';
import type { DriveMoment } from './drive-moment.ts';
import { TwinDrive } from './twin-drive.ts';

/** By VICE's numbers. */
const vicModels = ['6569', '8565', '6569R1', '6567', '8562', '6567R56A'] as const;
/** Fewer than the processor takes to come to its first instruction. */
const resetCycles = 6;
/** Others get a turn after so many. */
const resetsInTurn = 200;
/** Within them it comes to where VICE first stops. */
const startCycles = 1000;

/** A C64 beside an x64sc. */
export class C64Twin extends BoardTwin<C64Board> {
  readonly #slot: C64CartridgeSlot;
  #file: Uint8Array | undefined;

  #drive: TwinDrive | undefined;

  constructor(roms: RomImages, chips: C64Chips, driveRom?: Uint8Array) {
    super(new C64Board({ roms, ...(driveRom && { driveRoms: { 1541: driveRom } }) }));
    this.board.refit(chips);
    this.#slot = new C64CartridgeSlot(this.board);
  }

  /** With what VICE has in its sockets. */
  static async of(session: ViceSession, driveRom?: Uint8Array): Promise<C64Twin> {
    const bank = session.banks.get('rom') ?? 0;
    const roms = {
      basic: await session.peek(bank, 0xa000, 0x2000),
      kernal: await session.peek(bank, 0xe000, 0x2000),
      chargen: await session.peek(bank, 0xd000, 0x1000),
    };
    const vic = vicModels[await numberOf(session, 'VICIIModel')];
    if (vic === undefined) {
      throw new MachineError(
        'UNAVAILABLE',
        'This VICE has a VIC-II that the c64 does not have.',
        'Use a common model.',
      );
    }
    const chips = {
      vic,
      cia1: (await numberOf(session, 'CIA1Model')) === 0 ? '6526' : '6526A',
      cia2: (await numberOf(session, 'CIA2Model')) === 0 ? '6526' : '6526A',
      sid: (await numberOf(session, 'SidModel')) === 0 ? '6581' : '8580',
    } as const;
    return new C64Twin(roms, chips, driveRom);
  }

  /** Plugs a cartridge in; throws a MediaError for what is none, or none that is known here. */
  insert(file: Uint8Array): void {
    this.#slot.insert(file);
    this.#file = file;
    this.board.powerUp();
  }

  /** Puts a disk into drive 8, which is a 1541 that works as VICE's does. */
  async insertDisk(file: Uint8Array): Promise<void> {
    for (const _ of this.board.drives.preparing(8, file)) await new Promise(setImmediate);
    this.board.drives.attach(8, file);
    this.#drive = new TwinDrive(this.board);
  }

  /** Its drive becomes that of VICE. */
  adoptDrive(moment: DriveMoment): void {
    this.#drive?.adopt(moment, this.ahead);
  }

  async align(moment: Moment): Promise<boolean> {
    const { board } = this;
    const { cyclesPerLine, frameSpan } = board;
    board.powerUp();
    if (!board.runUntilPc(moment.pc, startCycles)) return false;
    // The beam goes on while the processor is held in reset, until it is as far ahead of it as VICE's.
    const lines = moment.line - board.rasterLine;
    const ahead = lines * cyclesPerLine + moment.cycle - board.rasterCycle;
    // A cartridge with a megabyte of flash takes a millisecond to reset.
    if (this.#file) this.#slot.remove();
    board.powerUp();
    for (let left = (ahead + frameSpan) % frameSpan, resets = 1; left > 0; left -= resetCycles, resets++) {
      board.runCycles(Math.min(left, resetCycles));
      board.reset();
      if (resets % resetsInTurn === 0) await new Promise(setImmediate);
    }
    if (this.#file) {
      this.#slot.insert(this.#file);
      board.reset();
    }
    if (!board.runUntilPc(moment.pc, startCycles)) return false;
    this.meet(moment);
    return board.rasterLine === moment.line && board.rasterCycle === moment.cycle;
  }

  async adoptFrom(session: ViceSession): Promise<void> {
    const ram = await session.peek(session.banks.get('ram') ?? 0, 0, 0x10000);
    this.adopt(ram, await session.peek(session.banks.get('io') ?? 0, 0xd800, 0x400));
  }

  adopt(ram: Uint8Array, color: Uint8Array): void {
    this.board.ram.set(ram.subarray(2), 2);
    this.board.color.set(color.map((byte) => byte & 15));
    const { ram: own } = this.#slot;
    for (let at = 0; own && at < own.length; at++) own[at] = cartridgeByte(at);
  }

  /** Addresses from 2 on whose bytes differ. */
  differingBytes(ram: Uint8Array): readonly number[] {
    const ours = this.board.ram;
    const found: number[] = [];
    for (let address = 2; address < 0x10000; address++) if (ours[address] !== ram[address]) found.push(address);
    return found;
  }

  async pixels(screen: ViceScreen): Promise<DifferingPixels | undefined> {
    const picture = await screen.picture();
    return this.differingPixels(picture.pixels, picture);
  }

  /** Of the rows that both have drawn whole when a frame of VICE ends. Undefined if VICE shows a picture of another width. */
  differingPixels(
    theirs: Uint8Array,
    size: { readonly width: number; readonly height: number },
  ): DifferingPixels | undefined {
    const { frame, cyclesPerLine, rasterLines } = this.board;
    const { x: left, y: top, width } = this.board.vic.timing.visible;
    if (size.width !== width) return undefined;
    let count = 0;
    let first: TwinPixel | undefined;
    for (let y = 0; y < size.height && top + y < rasterLines; y++) {
      const line = top + y;
      for (let x = 0; x < width; x++) {
        const [our = 0, their = 0] = [frame[line * cyclesPerLine * 8 + left + x], theirs[y * width + x]];
        if (our === their) continue;
        count++;
        first ??= { x, y, line, cycle: ((left + x) >> 3) + 1, ours: our, theirs: their };
      }
    }
    return { count, ...(first && { first }) };
  }
}

/** What VICE has in the RAM of every cartridge at power-up: $FF $00 $00 $FF again and again, the other way about in each second page. */
function cartridgeByte(at: number): number {
  return (((at + 1) >> 1) + (at >> 8)) & 1 ? 0 : 0xff;
}
