/**
 * A disk drive at the level of the serial bus: it speaks the protocol of the KERNAL's LISTEN, TALK, ACPTR and CIOUT and
 * serves CBM DOS from a disk image. One unit of time is a cycle of the computer, near enough to a microsecond.
 *
 * Not emulated: the drive's processor, memory and ROM (M-R, M-W, M-E and U3-U8 are syntax errors, so fast loaders that send
 * code of their own do not work), the mechanics (a block is there at once, heads and motor make no one wait), partitions of the 1581, the faster protocols of the 1571 and 1581, and LOAD"*" for the file used last (it is the first).
 */

import { attentionLine, clockLine, dataLine } from './bus-lines.ts';
import type { Dos } from './dos.ts';
import { type DriveUnit, type DriveWords, driveFields as f } from './drive-state.ts';

const idle = 0;
/** Attention is given to somebody else. */
const aside = 1;
const noticing = 2;
const listening = 3;
const gettingReady = 4;
const readyForByte = 5;
const confirmingEnd = 6;
const bitComing = 7;
const bitTaken = 8;
const acknowledging = 9;
const turningAround = 10;
const takingClock = 11;
const preparing = 12;
const offering = 13;
const endOffered = 14;
const endConfirmed = 15;
const starting = 16;
const settingBit = 17;
const showingBit = 18;
const awaitingAcknowledge = 19;

const none = 0;
const listener = 1;
const talker = 2;

/** Bytes under attention: $20 and more LISTEN, $40 and more TALK, each with the number of a drive or 31 to end it. */
const talkAddress = 0x40;
const everybody = 0x1f;
const dataPurpose = 0x60;
const closePurpose = 0xe0;
const openPurpose = 0xf0;
const commandChannel = 15;

/** In cycles. The computer pulls the clock line a moment after attention, so the drive must not look too early. */
const noticeTime = 200;
const readyTime = 30;
/** A talker that waits so long before the first bit means that the byte is its last. */
const endTime = 256;
/** Long enough to be seen by a computer whose video chip takes two lines of its time. */
const confirmTime = 120;
const acknowledgeTime = 120;
const turnTime = 80;
const prepareTime = 80;
const startTime = 50;
/** As the 1541 does it for the C64, which bad lines hold up for more than 40 cycles. */
const usualBitTime = 70;
const acknowledgeLimit = 1500;

export class IecDrive {
  readonly unit: DriveUnit;
  readonly dos: Dos;
  readonly #words: DriveWords;
  readonly #bitTime: number;

  constructor(unit: DriveUnit, words: DriveWords, dos: Dos, bitTime = usualBitTime) {
    this.unit = unit;
    this.dos = dos;
    this.#words = words;
    this.#bitTime = bitTime;
  }

  /** What the reset line does. */
  reset(): void {
    this.#rest();
    this.dos.restart();
  }

  get isArmed(): boolean {
    return this.#words[f.armed] !== 0;
  }

  /** Cycles until it does something on its own. */
  cyclesLeft(now: number): number {
    return (this.#words[f.due] - now) | 0;
  }

  /** Looks at the bus and takes at most one step. True if that changed anything. */
  sense(lines: number, now: number): boolean {
    const words = this.#words;
    const before = words[f.lines];
    words[f.lines] = lines;
    if ((before & ~lines & attentionLine) !== 0) this.#attention(now);
    else if ((~before & lines & attentionLine) !== 0) this.#attentionEnds(now);
    else return this.#follow(lines, now);
    return true;
  }

  /** The moment it waited for has come. */
  wake(now: number): void {
    const words = this.#words;
    words[f.armed] = 0;
    switch (words[f.phase]) {
      case noticing:
        words[f.phase] = listening;
        break;
      case gettingReady:
        words[f.pullsData] = 0;
        words[f.phase] = readyForByte;
        if ((words[f.lines] & attentionLine) !== 0) this.#arm(now, endTime);
        break;
      case readyForByte:
        words[f.endOfInformation] = 1;
        words[f.pullsData] = 1;
        this.#arm(now, confirmTime, confirmingEnd);
        break;
      case confirmingEnd:
        words[f.pullsData] = 0;
        words[f.phase] = readyForByte;
        break;
      case acknowledging:
        this.#nextByte();
        break;
      case takingClock:
        words[f.pullsClock] = 1;
        words[f.pullsData] = 0;
        this.#arm(now, prepareTime, preparing);
        break;
      case preparing:
        this.#offer();
        break;
      case starting:
        words[f.pullsClock] = 1;
        words[f.bitCount] = 0;
        this.#setBit(now);
        break;
      case settingBit:
        words[f.pullsClock] = 0;
        this.#arm(now, this.#bitTime, showingBit);
        break;
      case showingBit:
        this.#endBit(now);
        break;
      case awaitingAcknowledge:
        this.#rest();
        break;
    }
  }

  #arm(now: number, cycles: number, phase = this.#words[f.phase]): void {
    this.#words[f.phase] = phase;
    this.#words[f.armed] = 1;
    this.#words[f.due] = now + cycles;
  }

  #rest(): void {
    const words = this.#words;
    words[f.phase] = idle;
    words[f.role] = none;
    words[f.armed] = 0;
    words[f.pullsClock] = 0;
    words[f.pullsData] = 0;
  }

  // ---- attention

  #attention(now: number): void {
    const words = this.#words;
    this.dos.finishLine(words[f.secondary]);
    words[f.role] = none;
    words[f.pullsClock] = 0;
    words[f.pullsData] = 1;
    this.#arm(now, noticeTime, noticing);
  }

  #attentionEnds(now: number): void {
    const words = this.#words;
    words[f.armed] = 0;
    words[f.endOfInformation] = 0;
    if (words[f.role] === talker) words[f.phase] = turningAround;
    else if (words[f.role] === listener && this.#canListen()) {
      words[f.pullsData] = 1;
      // The byte before may have been answered only now.
      this.#arm(now, readyTime, noticing);
    } else this.#rest();
  }

  #canListen(): boolean {
    return this.#words[f.purpose] !== dataPurpose || this.dos.acceptsData(this.#words[f.secondary]);
  }

  // ---- steps that follow a line

  #follow(lines: number, now: number): boolean {
    const words = this.#words;
    const clock = (lines & clockLine) !== 0;
    const data = (lines & dataLine) !== 0;
    switch (words[f.phase]) {
      case listening:
        if (!clock) return false;
        this.#arm(now, readyTime, gettingReady);
        return true;
      case gettingReady:
        if (clock) return false;
        words[f.armed] = 0;
        words[f.phase] = listening;
        return true;
      case readyForByte:
        if (clock) return false;
        words[f.armed] = 0;
        words[f.bitCount] = 0;
        words[f.byte] = 0;
        words[f.phase] = bitComing;
        return true;
      case bitComing:
        if (!clock) return false;
        words[f.byte] = (words[f.byte] >> 1) | (data ? 0x80 : 0);
        words[f.bitCount] += 1;
        words[f.phase] = bitTaken;
        return true;
      case bitTaken:
        if (clock) return false;
        if (words[f.bitCount] < 8) words[f.phase] = bitComing;
        else this.#byteArrived(now);
        return true;
      case turningAround:
        if (!clock) return false;
        this.#arm(now, turnTime, takingClock);
        return true;
      case offering:
        if (!data) return false;
        if (words[f.endOfInformation] !== 0) words[f.phase] = endOffered;
        else this.#arm(now, startTime, starting);
        return true;
      case endOffered:
        if (data) return false;
        words[f.phase] = endConfirmed;
        return true;
      case endConfirmed:
        if (!data) return false;
        this.#arm(now, startTime, starting);
        return true;
      case awaitingAcknowledge:
        if (data) return false;
        this.#acknowledged(now);
        return true;
      default:
        return false;
    }
  }

  // ---- as listener

  #byteArrived(now: number): void {
    const words = this.#words;
    words[f.pullsData] = 1;
    this.#arm(now, acknowledgeTime, acknowledging);
    if ((words[f.lines] & attentionLine) === 0) this.#commandByte(words[f.byte]);
    else this.#dataByte(words[f.byte]);
  }

  #commandByte(byte: number): void {
    const words = this.#words;
    const isSecondary = byte >= dataPurpose;
    if (isSecondary) {
      words[f.concerned] = words[f.role] === none ? 0 : 1;
      if (words[f.role] !== none) this.#secondary(byte);
      return;
    }
    const number = byte & 0x1f;
    words[f.concerned] = number === this.unit || number === everybody ? 1 : 0;
    words[f.role] = number !== this.unit ? none : byte < talkAddress ? listener : talker;
    words[f.purpose] = dataPurpose;
  }

  #secondary(byte: number): void {
    const words = this.#words;
    words[f.secondary] = byte & 15;
    words[f.purpose] = byte < closePurpose ? dataPurpose : byte & 0xf0;
    if (words[f.purpose] === closePurpose) this.dos.close(words[f.secondary]);
  }

  #dataByte(byte: number): void {
    const words = this.#words;
    const channel = words[f.secondary];
    if (words[f.purpose] === closePurpose) return;
    if (words[f.purpose] === openPurpose || channel === commandChannel) {
      this.dos.append(byte);
      if (words[f.endOfInformation] !== 0) this.dos.finishLine(channel);
    } else if (!this.dos.write(channel, byte, words[f.endOfInformation] !== 0)) words[f.role] = none;
    words[f.endOfInformation] = 0;
  }

  /** After a byte was acknowledged: on to the next, unless it is none of ours. */
  #nextByte(): void {
    const words = this.#words;
    const underAttention = (words[f.lines] & attentionLine) === 0;
    if (underAttention ? words[f.concerned] !== 0 : words[f.role] === listener) words[f.phase] = listening;
    else {
      this.#rest();
      if (underAttention) words[f.phase] = aside;
    }
  }

  // ---- as talker

  /** Without a byte to send both lines go up, and the listener runs into its timeout. */
  #offer(): void {
    const words = this.#words;
    const next = this.dos.next(words[f.secondary]);
    if (next < 0) {
      this.#rest();
      return;
    }
    words[f.byte] = next & 0xff;
    words[f.endOfInformation] = next >> 8;
    words[f.pullsClock] = 0;
    words[f.phase] = offering;
  }

  #setBit(now: number): void {
    const words = this.#words;
    words[f.pullsData] = ((words[f.byte] >> words[f.bitCount]) & 1) ^ 1;
    this.#arm(now, this.#bitTime, settingBit);
  }

  #endBit(now: number): void {
    const words = this.#words;
    words[f.pullsClock] = 1;
    words[f.pullsData] = 0;
    words[f.bitCount] += 1;
    if (words[f.bitCount] < 8) this.#setBit(now);
    else this.#arm(now, acknowledgeLimit, awaitingAcknowledge);
  }

  #acknowledged(now: number): void {
    const words = this.#words;
    words[f.armed] = 0;
    this.dos.taken(words[f.secondary]);
    if (words[f.endOfInformation] !== 0) this.#rest();
    else this.#arm(now, prepareTime, preparing);
  }
}
