import { type Via6522State, fields as via } from '../../../chips/via6522/fields.ts';
import { Via6522 } from '../../../chips/via6522/via6522.ts';
import { attentionLine } from './bus-lines.ts';
import { DiskHead } from './disk-head.ts';
import type { DiskShelf } from './disk-shelf.ts';
import { type DriveUnit, type DriveWords, driveFields as f } from './drive-state.ts';
import { gcrSurface } from './gcr-image.ts';
import { ProcessorDrive } from './processor-drive.ts';
import { mechanicsFields as m } from './processor-state.ts';
import { linesPulled, portOfLines } from './via-serial.ts';

/** Track 17, where the coil that is on after a reset holds it. */
const parkedHalfTrack = 32;

const motorBit = 4;
const lightBit = 8;

/**
 * What a 1541 and a 1571 have in common: a VIA on the serial bus and one on the mechanics, with the head that reads what the other
 * drives of the time cannot.
 */
export abstract class GcrDrive extends ProcessorDrive {
  protected readonly via1: Via6522;
  protected readonly via2: Via6522;
  protected readonly v1: Via6522State;
  protected readonly v2: Via6522State;
  protected readonly head: DiskHead;
  /** A consequence of the words: the motor is on. */
  protected isTurning = false;

  constructor(unit: DriveUnit, words: DriveWords, shelf: DiskShelf, clockHz: number, linesChanged: () => void) {
    super(unit, words, shelf, gcrSurface, clockHz, linesChanged);
    const parts = this.partsWith(0);
    this.v1 = parts.via1 as Via6522State;
    this.v2 = parts.via2 as Via6522State;
    this.via1 = new Via6522(parts.via1);
    this.via2 = new Via6522(parts.via2);
    this.head = new DiskHead(this.mechanics, this.slot, {
      byteReady: (byte) => this.byteReady(byte),
      byteToWrite: () => this.v2[via.paOut],
    });
  }

  /** CA1 of VIA 2 and, while CA2 allows it, the processor's SO pin. */
  protected abstract byteReady(byte: number): void;

  /** Brings the VIAs, and what is timed with them, up to the present. */
  protected abstract catchUpVias(): void;

  protected powerUpVias(): void {
    this.mechanics[m.halfTrack] = parkedHalfTrack;
    this.via1.powerOn();
    this.via2.powerOn();
    // The line of attention has been high all along, which its inverter shows as low.
    this.v1[via.ca1] = 0;
  }

  /** What the pins of VIA 2 mean for motor and head. */
  protected driveHead(): void {
    const { head } = this;
    this.isTurning = (this.v2[via.pbOut] & this.v2[via.ddrb] & motorBit) !== 0;
    head.zone = (this.v2[via.pbOut] >> 5) & 3;
    head.isWriting = this.v2[via.cb2Out] === 0 && !this.isProtected;
  }

  /** SYNC and the light barrier on VIA 2's port B. */
  protected senseHead(): void {
    this.v2[via.pbIn] = 0x6f | (this.head.isSync ? 0 : 0x80) | (this.isProtected ? 0 : 0x10);
  }

  protected swapped(): void {
    this.restored();
  }

  setLines(lines: number): void {
    this.v1[via.pbIn] = portOfLines(this.unit, lines);
    const level = (lines & attentionLine) === 0 ? 1 : 0;
    if (this.v1[via.ca1] === level) return;
    this.catchUpVias();
    this.via1.setCa1(level);
  }

  pulled(lines: number): number {
    return linesPulled(this.v1[via.pbOut], lines);
  }

  get isProtected(): boolean {
    return this.words[f.readOnly] !== 0 || this.mechanics[m.swapLeft] > 0;
  }

  get isLightOn(): boolean {
    return (this.v2[via.pbOut] & this.v2[via.ddrb] & lightBit) !== 0;
  }

  get isMotorOn(): boolean {
    return this.isTurning;
  }

  get track(): number {
    return this.mechanics[m.halfTrack] / 2 + 1;
  }
}
