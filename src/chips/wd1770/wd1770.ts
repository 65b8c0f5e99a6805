import { crcOfMarks, withByte } from './crc.ts';
import { fields as f, phase, status, type Wd1770State } from './fields.ts';

/** Half microseconds: the chip's clock of 8 MHz, divided by four. */
const ticksPerByte = 64;
const ticksPerMs = 2000;
export const bytesPerTurn = 6250;

/** How long the index pulse is, in bytes. */
const indexBytes = 100;
const prepareTicks = 48;
const turnsToSpeed = 6;
const turnsToMotorOff = 9;
const turnsToGiveUp = 5;

/** A byte on the disk that is a mark: its clock is not that of data. */
export const mark = 0x100;
const syncMark = mark | 0xa1;
const headerMark = 0xfe;
const dataMark = 0xfb;
const deletedMark = 0xf8;

const headerBytes = 6;
/** A data field has to begin within so many bytes of its header. */
const longestGap = 43;
/** From the header to where the write gate opens; the first byte has to be there after eleven of them. */
const writeGap = 22;
const lastMoment = writeGap - 11;
const leadBytes = 16;

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
        this.#end(0);
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
      this.#end(0);
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
      this.#end(status.protected);
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

  /** The last byte can still be taken before it is no longer busy. */
  #close(): void {
    this.#s[f.phase] = phase.close;
    this.#s[f.wait] = prepareTicks;
  }

  #end(bits: number): void {
    const s = this.#s;
    s[f.status] = (s[f.status] & ~status.busy) | bits;
    s[f.phase] = phase.idle;
    s[f.interrupt] = 1;
    s[f.turns] = 0;
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
    if (now >= phase.writeLead && now !== phase.readTrack) this.#writeByte(place);
    else if (now >= phase.findHeader) this.#readByte(this.#drive.read(place));
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
        if (s[f.turns] > turnsToGiveUp) this.#end(status.notFound);
        return;
      case phase.readTrack:
        if (s[f.turns] > 1) this.#end(0);
        return;
      case phase.writeTrack:
      case phase.writeTrackSum:
        if (s[f.turns] > 1) {
          s[f.status] &= ~status.dataRequest;
          this.#end(0);
        }
    }
  }

  #offer(byte: number): void {
    const s = this.#s;
    s[f.data] = byte & 0xff;
    s[f.status] |= (s[f.status] & status.dataRequest) !== 0 ? status.lostData : status.dataRequest;
  }

  #readByte(byte: number): void {
    const s = this.#s;
    switch (s[f.phase]) {
      case phase.findHeader:
        if (this.#isMarked(byte, headerMark)) {
          s[f.phase] = phase.header;
          s[f.count] = headerBytes;
          s[f.crc] = withByte(crcOfMarks, headerMark);
        }
        return;
      case phase.header:
        this.#headerByte(byte & 0xff);
        return;
      case phase.findData:
        this.#dataMark(byte);
        return;
      case phase.readData:
        s[f.crc] = withByte(s[f.crc], byte & 0xff);
        this.#offer(byte);
        s[f.count] -= 1;
        if (s[f.count] === 0) {
          s[f.phase] = phase.readSum;
          s[f.count] = 2;
        }
        return;
      case phase.readSum:
        s[f.crc] = withByte(s[f.crc], byte & 0xff);
        s[f.count] -= 1;
        if (s[f.count] > 0) return;
        if (s[f.crc] !== 0) this.#end(status.checksum);
        else this.#nextSector();
        return;
      case phase.writeGap:
        s[f.count] -= 1;
        if (s[f.count] === writeGap - 2) s[f.status] |= status.dataRequest;
        else if (s[f.count] === lastMoment && (s[f.status] & status.dataRequest) !== 0) {
          s[f.status] &= ~status.dataRequest;
          this.#end(status.lostData);
        } else if (s[f.count] === 0) {
          s[f.phase] = phase.writeLead;
          s[f.count] = leadBytes;
        }
        return;
      case phase.readTrack:
        if (s[f.turns] === 1) this.#offer(byte);
    }
  }

  /** Whether this byte is of that kind and comes after marks. */
  #isMarked(byte: number, kind: number): boolean {
    const s = this.#s;
    if (byte === syncMark) {
      s[f.marks] += 1;
      return false;
    }
    const isMarked = s[f.marks] > 0 && byte === kind;
    s[f.marks] = 0;
    return isMarked;
  }

  #headerByte(byte: number): void {
    const s = this.#s;
    const left = s[f.count];
    const isAddress = s[f.command] >= 0xc0;
    s[f.crc] = withByte(s[f.crc], byte);
    s[f.count] = left - 1;
    if (isAddress) {
      if (left === headerBytes) s[f.sector] = byte;
      this.#offer(byte);
    } else if ((left === 6 && byte !== s[f.track]) || (left === 4 && byte !== s[f.sector] && s[f.command] >= 0x80)) {
      s[f.phase] = phase.findHeader;
      return;
    }
    if (left === 3) s[f.size] = 128 << (byte & 3);
    if (left > 1) return;
    if (s[f.crc] !== 0) {
      s[f.status] |= status.checksum;
      if (isAddress) this.#close();
      else s[f.phase] = phase.findHeader;
      return;
    }
    s[f.status] &= ~status.checksum;
    if (isAddress) this.#close();
    else if (s[f.command] < 0x80) this.#end(0);
    else if (s[f.command] < 0xa0) {
      s[f.phase] = phase.findData;
      s[f.count] = longestGap;
    } else {
      s[f.phase] = phase.writeGap;
      s[f.count] = writeGap;
    }
  }

  #dataMark(byte: number): void {
    const s = this.#s;
    s[f.count] -= 1;
    const hasMarks = s[f.marks] > 0;
    if (this.#isMarked(byte, dataMark) || (hasMarks && byte === deletedMark)) {
      if (byte === deletedMark) s[f.status] |= status.deleted;
      s[f.crc] = withByte(crcOfMarks, byte);
      s[f.phase] = phase.readData;
      s[f.count] = s[f.size];
    } else if (s[f.count] <= 0) s[f.phase] = phase.findHeader;
  }

  /** One sector is done. */
  #nextSector(): void {
    const s = this.#s;
    if ((s[f.command] & 0x10) === 0) {
      this.#end(0);
      return;
    }
    s[f.sector] = (s[f.sector] + 1) & 0xff;
    s[f.phase] = phase.findHeader;
    s[f.turns] = 0;
    s[f.marks] = 0;
  }

  /** What the processor has left to be written; zero where it was too late. */
  #wanted(isLast: boolean): number {
    const s = this.#s;
    const isMissing = (s[f.status] & status.dataRequest) !== 0;
    if (isMissing) s[f.status] |= status.lostData;
    if (!isLast) s[f.status] |= status.dataRequest;
    return isMissing ? 0 : s[f.data];
  }

  #writeByte(place: number): void {
    const s = this.#s;
    const drive = this.#drive;
    switch (s[f.phase]) {
      case phase.writeLead:
        drive.write(place, this.#leadByte());
        return;
      case phase.writeData: {
        const byte = this.#wanted(s[f.count] === 1);
        s[f.crc] = withByte(s[f.crc], byte);
        drive.write(place, byte);
        s[f.count] -= 1;
        if (s[f.count] > 0) return;
        s[f.phase] = phase.writeSum;
        s[f.count] = 3;
        return;
      }
      case phase.writeSum:
        s[f.count] -= 1;
        drive.write(place, s[f.count] === 2 ? s[f.crc] >> 8 : s[f.count] === 1 ? s[f.crc] & 0xff : 0x4e);
        if (s[f.count] === 0) this.#nextSector();
        return;
      case phase.awaitTrack:
        this.#awaitTrack(place);
        return;
      case phase.writeTrack:
        drive.write(place, this.#formatByte());
        return;
      case phase.writeTrackSum:
        drive.write(place, s[f.crc] & 0xff);
        s[f.phase] = phase.writeTrack;
    }
  }

  /** Zeros, three marks, and the one of data. */
  #leadByte(): number {
    const s = this.#s;
    s[f.count] -= 1;
    const left = s[f.count];
    if (left > 3) return 0;
    if (left > 0) return syncMark;
    const kind = (s[f.command] & 1) !== 0 ? deletedMark : dataMark;
    s[f.crc] = withByte(crcOfMarks, kind);
    s[f.phase] = phase.writeData;
    s[f.count] = s[f.size];
    return kind;
  }

  /** The first byte has to be there soon, and is written after the index pulse. */
  #awaitTrack(place: number): void {
    const s = this.#s;
    if (s[f.count] > 0) {
      s[f.count] -= 1;
      s[f.turns] = 0;
      if (s[f.count] > 0) return;
      if ((s[f.status] & status.dataRequest) !== 0) {
        s[f.status] &= ~status.dataRequest;
        this.#end(status.lostData);
      }
      return;
    }
    if (place !== 0) return;
    s[f.turns] = 1;
    s[f.marks] = 0;
    s[f.phase] = phase.writeTrack;
    this.#drive.write(place, this.#formatByte());
  }

  /** Some values are marks and checksums instead. */
  #formatByte(): number {
    const s = this.#s;
    const byte = this.#wanted(false);
    if (byte === 0xf7) {
      s[f.phase] = phase.writeTrackSum;
      s[f.marks] = 0;
      return s[f.crc] >> 8;
    }
    if (byte === 0xf5) {
      s[f.crc] = withByte(s[f.marks] === 0 ? 0xffff : s[f.crc], 0xa1);
      s[f.marks] = 1;
      return syncMark;
    }
    if (s[f.marks] !== 0) s[f.crc] = withByte(s[f.crc], byte);
    return byte === 0xf6 ? mark | 0xc2 : byte;
  }
}
