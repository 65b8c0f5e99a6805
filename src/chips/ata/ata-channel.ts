import { fields, stateWords, transfers } from './fields.ts';
import { aborted, bits, IdeChannel, type IdeWires, ready } from './ide-channel.ts';
import { identify } from './identify.ts';

/** A hard disk, by sectors of 512 bytes. */
export interface AtaDisk {
  readonly cylinders: number;
  readonly heads: number;
  readonly sectorsPerTrack: number;
  readonly sectors: number;
  /** Undefined where it cannot be read. */
  read(sector: number): Uint8Array | undefined;
  /** False where it cannot be written. */
  write(sector: number, bytes: Uint8Array): boolean;
}

export interface AtaWires extends IdeWires {
  /** 0 is the master, 1 the slave. */
  disk(drive: number): AtaDisk | undefined;
}

const SECTOR_BYTES = 512;
const MOST_MULTIPLE = 16;
const NOWHERE = 0x7fff_ffff;
const errors = { aborted, notFound: 0x10, uncorrectable: 0x40 } as const;
const { none: NONE, toHost: TO_HOST, toDisk: TO_DISK, identity: IDENTITY } = transfers;

/**
 * An IDE channel (ATA-1) with up to two hard disks: 1F0h-1F7h, 3F6h, IRQ 14. Data go by the processor (PIO), a sector or, by
 * READ and WRITE MULTIPLE, a block of up to 16 at a time.
 *
 *               +---------+
 *  1F0h-1F7h <->|   ATA   |---> IRQ 14
 *  3F6h      <->| channel |<--> two disks
 *               +---------+
 *
 * Source: ATA-1 (X3.221-1994). Not emulated: DMA, the time that heads and platters take, formatting tracks, power management
 * beyond its answers. CD-ROM drives have a channel of their own.
 */
export class AtaChannel extends IdeChannel {
  readonly #wires: AtaWires;

  constructor(state: Int32Array, wires: AtaWires) {
    super(state, wires, fields.due);
    this.#wires = wires;
  }

  powerOn(): void {
    this.s.fill(0, 0, stateWords);
    this.reset();
  }

  get #disk(): AtaDisk | undefined {
    return this.#wires.disk(this.index);
  }

  protected get isThere(): boolean {
    return this.#disk !== undefined;
  }

  protected get hasDrives(): boolean {
    return this.#wires.disk(0) !== undefined || this.#wires.disk(1) !== undefined;
  }

  protected begin(command: number): void {
    const { s } = this;
    const isForBoth = command === 0x90;
    if (!this.#disk && !isForBoth) return;
    s[fields.command] = command;
    s[fields.error] = 0;
    this.#endTransfer();
    this.setIrq(0);
    this.later();
  }

  /** The command as it was begun, or its next block. */
  protected goOn(): void {
    const { s } = this;
    const disk = this.#disk;
    if (s[fields.transfer] === TO_HOST) this.#load();
    else if (s[fields.transfer] === TO_DISK) {
      // A block was written.
      if (s[fields.left] === 0) this.#done();
      else {
        this.#request();
        this.setIrq(1);
      }
    } else if (s[fields.command] === 0x90) this.#diagnose();
    else if (disk) this.#execute(disk, s[fields.command]);
  }

  #execute(disk: AtaDisk, command: number): void {
    const { s } = this;
    const drive = this.index;
    if ((command & 0xf0) === 0x10 || (command & 0xf0) === 0x70) {
      s[fields.cylinderLow] = (command & 0xf0) === 0x10 ? 0 : s[fields.cylinderLow];
      this.#done();
      return;
    }
    switch (command) {
      case 0x20:
      case 0x21:
        this.#start(TO_HOST);
        break;
      case 0x30:
      case 0x31:
        this.#start(TO_DISK);
        break;
      case 0x40:
      case 0x41:
        if (this.#address() + this.#wanted() <= disk.sectors) this.#done();
        else this.#fail(errors.notFound);
        break;
      case 0x91:
        s[fields.heads + drive] = (s[fields.drive] & 15) + 1;
        s[fields.sectors + drive] = s[fields.count] || disk.sectorsPerTrack;
        this.#done();
        break;
      case 0xc4:
      case 0xc5:
        if (s[fields.multiple + drive] === 0) this.#fail(errors.aborted);
        else this.#start(command === 0xc4 ? TO_HOST : TO_DISK);
        break;
      case 0xc6:
        if (s[fields.count] > MOST_MULTIPLE || (s[fields.count] & (s[fields.count] - 1)) !== 0)
          this.#fail(errors.aborted);
        else {
          s[fields.multiple + drive] = s[fields.count];
          this.#done();
        }
        break;
      case 0xe5:
        s[fields.count] = 0xff;
        this.#done();
        break;
      case 0xe0:
      case 0xe1:
      case 0xe2:
      case 0xe3:
      case 0xe6:
      case 0xe7:
        this.#done();
        break;
      case 0xec: {
        const current = {
          heads: this.#heads(disk),
          sectors: this.#sectors(disk),
          multiple: s[fields.multiple + drive],
        };
        s.set(identify(disk, drive, MOST_MULTIPLE, current), fields.buffer);
        s[fields.transfer] = IDENTITY;
        s[fields.left] = 0;
        s[fields.block] = 1;
        this.#request();
        this.setIrq(1);
        break;
      }
      case 0xef:
        // PIO modes, read-ahead and caches: nothing that shows.
        if ([2, 3, 0x55, 0x66, 0x82, 0xaa, 0xcc].includes(s[fields.features])) this.#done();
        else this.#fail(errors.aborted);
        break;
      default:
        this.#fail(errors.aborted);
    }
  }

  #start(transfer: number): void {
    const { s } = this;
    s[fields.transfer] = transfer;
    s[fields.left] = this.#wanted();
    s[fields.next] = this.#address();
    if (transfer === TO_HOST) this.#load();
    else this.#request();
  }

  /** A sector for the processor to read, and the interrupt. */
  #load(): void {
    const { s } = this;
    const sector = this.#disk?.read(s[fields.next]);
    if (!sector) {
      this.#place(s[fields.next]);
      this.#fail(s[fields.next] < (this.#disk?.sectors ?? 0) ? errors.uncorrectable : errors.notFound);
      return;
    }
    s.set(sector.subarray(0, SECTOR_BYTES), fields.buffer);
    const isNewBlock = s[fields.block] === 0;
    this.#advance();
    this.#request();
    if (isNewBlock) this.setIrq(1);
  }

  /** One sector less, and the registers tell of it. */
  #advance(): void {
    const { s } = this;
    if (s[fields.block] === 0) s[fields.block] = Math.min(this.#blockSectors(), s[fields.left]);
    this.#place(s[fields.next]);
    s[fields.next]++;
    s[fields.left]--;
    s[fields.block]--;
    s[fields.count] = s[fields.left] & 0xff;
  }

  #blockSectors(): number {
    const { s } = this;
    const isMultiple = s[fields.command] === 0xc4 || s[fields.command] === 0xc5;
    return isMultiple ? s[fields.multiple + this.index] : 1;
  }

  protected takeByte(): number {
    const { s } = this;
    const isOutgoing = s[fields.transfer] === TO_HOST || s[fields.transfer] === IDENTITY;
    if ((s[fields.status] & bits.request) === 0 || !isOutgoing) return 0xff;
    const value = s[fields.buffer + s[fields.position]++];
    if (s[fields.position] < SECTOR_BYTES) return value;
    if (s[fields.transfer] === TO_HOST && s[fields.left] > 0) {
      if (s[fields.block] > 0) this.#load();
      else this.later();
    } else {
      s[fields.status] = ready;
      this.#endTransfer();
    }
    return value;
  }

  protected giveByte(value: number): void {
    const { s } = this;
    if ((s[fields.status] & bits.request) === 0 || s[fields.transfer] !== TO_DISK) return;
    s[fields.buffer + s[fields.position]++] = value;
    if (s[fields.position] < SECTOR_BYTES) return;
    const sector = s[fields.next];
    const bytes = Uint8Array.from(s.subarray(fields.buffer, fields.buffer + SECTOR_BYTES));
    const disk = this.#disk;
    const isThere = disk !== undefined && sector < disk.sectors;
    if (!isThere || !disk.write(sector, bytes)) {
      this.#place(sector);
      this.#fail(isThere ? errors.aborted : errors.notFound, isThere ? bits.fault : 0);
      return;
    }
    this.#advance();
    if (s[fields.block] > 0) this.#request();
    else this.later();
  }

  /** Data may go on. */
  #request(): void {
    this.s[fields.status] = ready | bits.request;
    this.s[fields.position] = 0;
  }

  /** Nothing is under way, and nothing of it is left. */
  #endTransfer(): void {
    const { s } = this;
    s[fields.transfer] = NONE;
    s[fields.block] = 0;
    s[fields.left] = 0;
  }

  #done(): void {
    this.#endTransfer();
    this.s[fields.status] = ready;
    this.setIrq(1);
  }

  #fail(error: number, status = 0): void {
    const { s } = this;
    this.#endTransfer();
    s[fields.error] = error;
    s[fields.status] = ready | bits.failed | status;
    this.setIrq(1);
  }

  #diagnose(): void {
    this.#signature();
    this.#done();
  }

  protected reset(): void {
    const { s } = this;
    for (const drive of [0, 1]) {
      s[fields.heads + drive] = 0;
      s[fields.sectors + drive] = 0;
      s[fields.multiple + drive] = 0;
    }
    this.#endTransfer();
    s[fields.status] = ready;
    this.cancel();
    this.#signature();
    this.setIrq(0);
  }

  /** What tells a disk from other drives; error 1 means that all is well. */
  #signature(): void {
    const { s } = this;
    s[fields.error] = 1;
    s[fields.count] = 1;
    s[fields.sector] = 1;
    s[fields.cylinderLow] = 0;
    s[fields.cylinderHigh] = 0;
    s[fields.drive] = 0;
  }

  #wanted(): number {
    return this.s[fields.count] || 256;
  }

  #heads(disk: AtaDisk): number {
    return this.s[fields.heads + this.index] || disk.heads;
  }

  #sectors(disk: AtaDisk): number {
    return this.s[fields.sectors + this.index] || disk.sectorsPerTrack;
  }

  /** The sector that the registers name; one that no disk has where they make no sense. */
  #address(): number {
    const { s } = this;
    const disk = this.#disk;
    const head = s[fields.drive] & 15;
    const cylinder = s[fields.cylinderLow] | (s[fields.cylinderHigh] << 8);
    if ((s[fields.drive] & 0x40) !== 0) return s[fields.sector] | (cylinder << 8) | (head << 24);
    if (!disk || s[fields.sector] === 0 || s[fields.sector] > this.#sectors(disk)) return NOWHERE;
    return (cylinder * this.#heads(disk) + head) * this.#sectors(disk) + s[fields.sector] - 1;
  }

  #place(sector: number): void {
    const { s } = this;
    const disk = this.#disk;
    if (!disk || sector >= disk.sectors) return;
    const byNumber = (s[fields.drive] & 0x40) !== 0;
    const track = Math.floor(sector / this.#sectors(disk));
    const cylinder = byNumber ? (sector >> 8) & 0xffff : Math.floor(track / this.#heads(disk));
    s[fields.sector] = byNumber ? sector & 0xff : (sector % this.#sectors(disk)) + 1;
    s[fields.cylinderLow] = cylinder & 0xff;
    s[fields.cylinderHigh] = (cylinder >> 8) & 0xff;
    s[fields.drive] = (s[fields.drive] & 0xf0) | (byNumber ? (sector >> 24) & 15 : track % this.#heads(disk));
  }
}
