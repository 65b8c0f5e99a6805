import { end, prepareTicks } from './ending.ts';
import { fields as f, phase, status, type Wd1770State } from './fields.ts';
import { readByte } from './reading.ts';
import { writeByte } from './writing.ts';

/** Half microseconds: the chip's clock of 8 MHz, divided by four. */
const ticksPerByte = 64;
const ticksPerMs = 2000;
export const bytesPerTurn = 6250;

/** How long the index pulse is, in bytes. */
const indexBytes = 100;
const turnsToSpeed = 6;
const turnsToMotorOff = 9;
const turnsToGiveUp = 5;

const models = {
  '1770': { stepMs: [6, 12, 20, 30], settleMs: 30 },
  '1772': { stepMs: [6, 12, 2, 3], settleMs: 15 },
} as const;

export type Wd1770Model = keyof typeof models;

/** The mechanics that it is wired to. */
export interface WdDrive {
  /** A disk is in and the motor turns it. */
  isTurning(): boolean;
  isProtected(): boolean;
  isAtTrack0(): boolean;
  step(inward: boolean): void;
  /** The byte at this place of the track, with `mark` where it is one. */
  read(place: number): number;
  write(place: number, byte: number): void;
}

/**
 * The floppy disk controller WD1770 or WD1772, byte by byte as they pass under the head in double density. Nobody waits for
 * its pins in these drives, so it is brought up to date (`run`) when it is looked at.
 *
 * Not emulated: single density, precompensation, and bits that are read out of step with bytes; a force interrupt at the next
 * index pulse works, one at every change of the ready line (which these chips have not) does nothing.
 */
export class Wd1770 {
  readonly #s: Wd1770State;
  readonly #drive: WdDrive;
  readonly #stepMs: readonly number[];
  readonly #settleMs: number;

  constructor(state: Int32Array, drive: WdDrive, model: Wd1770Model) {
    this.#s = state as Wd1770State;
    this.#drive = drive;
    this.#stepMs = models[model].stepMs;
    this.#settleMs = models[model].settleMs;
  }

  powerOn(): void {
    this.#s.fill(0);
    this.#s[f.byteLeft] = ticksPerByte;
    this.reset();
  }

  /** The pin /MR. The disk turns on. */
  reset(): void {
    const s = this.#s;
    s[f.status] = 0;
    s[f.command] = 0;
    s[f.track] = 0;
    s[f.sector] = 1;
    s[f.data] = 0;
    s[f.interrupt] = 0;
    s[f.phase] = phase.idle;
    s[f.wait] = 0;
    s[f.turns] = 0;
    s[f.isMoving] = 1;
  }

  // ---- registers

  read(register: number): number {
    const s = this.#s;
    if ((register & 3) === 0) s[f.interrupt] = 0;
    else if ((register & 3) === 3) s[f.status] &= ~status.dataRequest;
    return this.#register(register, s[f.status]);
  }

  peek(register: number): number {
    return this.#register(register, this.#s[f.status]);
  }

  #register(register: number, bits: number): number {
    const s = this.#s;
    switch (register & 3) {
      case 0:
        return s[f.isMoving] === 0 ? bits : (bits & ~0x46) | this.#pins;
      case 1:
        return s[f.track];
      case 2:
        return s[f.sector];
      default:
        return s[f.data];
    }
  }

  get #pins(): number {
    const drive = this.#drive;
    return (
      (drive.isProtected() ? status.protected : 0) |
      (drive.isAtTrack0() ? status.lostData : 0) |
      (drive.isTurning() && this.#s[f.place] < indexBytes ? status.dataRequest : 0)
    );
  }

  write(register: number, value: number): void {
    const s = this.#s;
    switch (register & 3) {
      case 0:
        this.#command(value);
        return;
      case 1:
        s[f.track] = value;
        return;
      case 2:
        s[f.sector] = value;
        return;
      default:
        s[f.data] = value;
        s[f.status] &= ~status.dataRequest;
    }
  }

  #command(command: number): void {
    const s = this.#s;
    if ((command & 0xf0) === 0xd0) {
      this.#force(command);
      return;
    }
    if ((s[f.status] & status.busy) !== 0) return;
    s[f.command] = command;
    s[f.interrupt] = 0;
    s[f.isMoving] = command < 0x80 ? 1 : 0;
    s[f.status] = (s[f.status] & status.motor) | status.busy;
    s[f.phase] = phase.prepare;
    s[f.wait] = prepareTicks;
  }

  /** Ends what is under way; the status is then that of a command that moves the head, unless there was something. */
  #force(command: number): void {
    const s = this.#s;
    if ((s[f.status] & status.busy) === 0) {
      s[f.isMoving] = 1;
      s[f.status] &= status.motor;
    }
    s[f.status] &= ~(status.busy | status.dataRequest);
    s[f.phase] = phase.idle;
    s[f.wait] = 0;
    s[f.turns] = 0;
    s[f.command] = command;
    if ((command & 8) !== 0) s[f.interrupt] = 1;
  }

  // ---- time

  run(ticks: number): void {
    const s = this.#s;
    const isTurning = this.#drive.isTurning();
    if (s[f.byteLeft] < 1) s[f.byteLeft] = ticksPerByte;
    for (let left = ticks; left > 0; ) {
      let span = left;
      if (isTurning && s[f.byteLeft] < span) span = s[f.byteLeft];
      if (s[f.wait] > 0 && s[f.wait] < span) span = s[f.wait];
      left -= span;
      if (isTurning) s[f.byteLeft] -= span;
      if (s[f.wait] > 0) {
        s[f.wait] -= span;
        if (s[f.wait] === 0) this.#waited();
      }
      if (isTurning && s[f.byteLeft] === 0) this.#byte();
    }
  }

  /** A time is over. */
  #waited(): void {
    const s = this.#s;
    switch (s[f.phase]) {
      case phase.prepare:
        this.#begin();
        return;
      case phase.step:
        if (s[f.command] < 0x20) this.#seek();
        else this.#verify();
        return;
      case phase.settle:
        s[f.turns] = 0;
        s[f.marks] = 0;
        this.#work();
        return;
      case phase.close:
        end(s, 0);
    }
  }

  /** The motor first, unless it turns already or shall not be waited for. */
  #begin(): void {
    const s = this.#s;
    const isReady = (s[f.command] & 8) !== 0 || (s[f.status] & status.motor) !== 0;
    s[f.status] |= status.motor;
    s[f.turns] = 0;
    if (isReady) this.#ready();
    else s[f.phase] = phase.spinUp;
  }

  #ready(): void {
    const s = this.#s;
    const command = s[f.command];
    if (command >= 0x80) {
      s[f.phase] = phase.settle;
      // At once where it is not asked to let the head come to rest.
      if ((command & 4) !== 0) s[f.wait] = this.#settleMs * ticksPerMs;
      else this.#waited();
      return;
    }
    s[f.status] |= status.deleted;
    if (command < 0x10) {
      s[f.track] = 0xff;
      s[f.data] = 0;
    }
    if (command < 0x20) {
      this.#seek();
      return;
    }
    if (command >= 0x40) s[f.inward] = command < 0x60 ? 1 : 0;
    if ((command & 0x10) !== 0) this.#count();
    this.#step();
  }

  #seek(): void {
    const s = this.#s;
    if (s[f.track] === s[f.data]) {
      this.#verify();
      return;
    }
    s[f.inward] = s[f.data] > s[f.track] ? 1 : 0;
    this.#count();
    this.#step();
  }

  #count(): void {
    const s = this.#s;
    s[f.track] = (s[f.track] + (s[f.inward] !== 0 ? 1 : -1)) & 0xff;
  }

  #step(): void {
    const s = this.#s;
    if (s[f.inward] === 0 && this.#drive.isAtTrack0()) {
      s[f.track] = 0;
      this.#verify();
      return;
    }
    this.#drive.step(s[f.inward] !== 0);
    s[f.phase] = phase.step;
    s[f.wait] = (this.#stepMs[s[f.command] & 3] ?? 6) * ticksPerMs;
  }

  #verify(): void {
    const s = this.#s;
    if ((s[f.command] & 4) === 0) {
      end(s, 0);
      return;
    }
    s[f.phase] = phase.settle;
    s[f.wait] = this.#settleMs * ticksPerMs;
  }

  /** The head is where it has to be. */
  #work(): void {
    const s = this.#s;
    const isWriting = (s[f.command] & 0xe0) === 0xa0 || (s[f.command] & 0xf0) === 0xf0;
    if (isWriting && this.#drive.isProtected()) {
      end(s, status.protected);
      return;
    }
    if (s[f.command] < 0xe0) {
      s[f.phase] = phase.findHeader;
      return;
    }
    s[f.phase] = s[f.command] < 0xf0 ? phase.readTrack : phase.awaitTrack;
    s[f.count] = 3;
    if (isWriting) s[f.status] |= status.dataRequest;
  }

  // ---- the disk

  /** The next byte is under the head. */
  #byte(): void {
    const s = this.#s;
    s[f.byteLeft] = ticksPerByte;
    const place = s[f.place];
    s[f.place] = place + 1 >= bytesPerTurn ? 0 : place + 1;
    if (place === 0) this.#index();
    const now = s[f.phase];
    if (now === phase.close) return;
    if (now >= phase.writeLead && now !== phase.readTrack) writeByte(s, this.#drive, place);
    else if (now >= phase.findHeader) readByte(s, this.#drive.read(place));
  }

  #index(): void {
    const s = this.#s;
    s[f.turns] += 1;
    switch (s[f.phase]) {
      case phase.idle:
        if (s[f.turns] >= turnsToMotorOff) s[f.status] &= ~status.motor;
        if ((s[f.command] & 0xf4) === 0xd4) s[f.interrupt] = 1;
        return;
      case phase.spinUp:
        if (s[f.turns] >= turnsToSpeed) this.#ready();
        return;
      case phase.findHeader:
      case phase.header:
      case phase.findData:
        if (s[f.turns] > turnsToGiveUp) end(s, status.notFound);
        return;
      case phase.readTrack:
        if (s[f.turns] > 1) end(s, 0);
        return;
      case phase.writeTrack:
      case phase.writeTrackSum:
        if (s[f.turns] > 1) {
          s[f.status] &= ~status.dataRequest;
          end(s, 0);
        }
    }
  }
}
