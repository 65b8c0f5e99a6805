import { aborted, bits, IdeChannel, type IdeWires, ready } from '../ata/ide-channel.ts';
import { bufferBytes, fields, packetBytes, phases, stateWords } from './fields.ts';
import { identifyPacket } from './identify-packet.ts';
import { modeSelect } from './mode-pages.ts';
import { type PacketReply, packetCommands } from './packet-commands.ts';
import { PacketFailure, senses } from './packet-failure.ts';
import { mediumIn, type PacketDrive } from './packet-medium.ts';

export interface AtapiWires extends IdeWires {
  /** 0 is the master, 1 the slave. */
  drive(index: number): PacketDrive | undefined;
}

const MOST_BYTES = 0xfffe;
const reasons = { fromHost: 0, packet: 1, toHost: 2, done: 3 } as const;
const commands = {
  deviceReset: 0x08,
  diagnose: 0x90,
  packet: 0xa0,
  identifyPacket: 0xa1,
  powerMode: 0xe5,
  identify: 0xec,
  setFeatures: 0xef,
} as const;
/** Those that every drive takes, and that change nothing here: standby, idle, sleep, flush. */
const ignoredCommands: readonly number[] = [0xe0, 0xe1, 0xe2, 0xe3, 0xe6, 0xe7];
const requestSense = 0x03;
const inquiry = 0x12;

/**
 * An IDE channel with up to two CD-ROM drives that take command packets: 170h-177h, 376h, IRQ 15.
 *
 *               +---------+
 *  170h-177h <->|  ATAPI  |---> IRQ 15
 *  376h      <->| channel |<--> two CD-ROM drives
 *               +---------+
 *
 * A packet of 12 bytes follows the command A0h; what it asks for comes in blocks of at most the bytes that the host has
 * written to the cylinder registers, an interrupt each, then one for the end.
 *
 * Source: SFF-8020i 2.6, ATA/ATAPI-4. Not emulated: DMA, overlapped commands, the time that the head takes, hard disks beside
 * the CD-ROM drives.
 */
export class AtapiChannel extends IdeChannel {
  readonly #wires: AtapiWires;

  constructor(state: Int32Array, wires: AtapiWires) {
    super(state, wires, fields.due);
    this.#wires = wires;
  }

  powerOn(): void {
    this.s.fill(0, 0, stateWords);
    for (const drive of [0, 1]) this.s[fields.awakened + drive] = 1;
    this.reset();
  }

  override write(register: number, value: number): void {
    const isReset = (register & 7) === 7 && value === commands.deviceReset;
    if (!isReset) super.write(register, value);
    // A drive that hangs is reset by this, whatever it does.
    else if (this.hasDrives) {
      this.catchUp(this.#wires.now());
      this.#resetDrive();
    }
  }

  get #drive(): PacketDrive | undefined {
    return this.#wires.drive(this.index);
  }

  protected get isThere(): boolean {
    return this.#drive !== undefined;
  }

  protected get hasDrives(): boolean {
    return this.#wires.drive(0) !== undefined;
  }

  protected begin(command: number): void {
    const { s } = this;
    if (!this.#drive && command !== commands.diagnose) return;
    s[fields.command] = command;
    s[fields.error] = 0;
    s[fields.phase] = command === commands.packet ? phases.packet : phases.none;
    s[fields.left] = 0;
    const limit = s[fields.countLow] | (s[fields.countHigh] << 8);
    s[fields.limit] = limit === 0 || limit > MOST_BYTES ? MOST_BYTES : limit;
    this.setIrq(0);
    this.later();
  }

  /** The command as it was begun, or what follows in it. */
  protected goOn(): void {
    const { s } = this;
    switch (s[fields.phase]) {
      case phases.packet:
        this.#offer(packetBytes, reasons.packet);
        return;
      case phases.none:
        this.#executeCommand(s[fields.command]);
        return;
      case phases.toHost:
        this.#nextBlock();
        return;
      default:
        this.#guarded(() => this.#continuePacket());
    }
  }

  #executeCommand(command: number): void {
    const { s } = this;
    if (command === commands.identifyPacket) this.#answer(identifyPacket(this.index));
    else if (command === commands.diagnose) {
      this.#signature();
      s[fields.status] = 0;
      this.setIrq(1);
    } else if (command === commands.powerMode) {
      s[fields.reason] = 0xff;
      this.#finish(0);
    } else if (command === commands.setFeatures || ignoredCommands.includes(command)) this.#finish(0);
    else {
      // So that a program which looks for a hard disk sees what this is.
      if (command === commands.identify || command === 0x20) this.#signature();
      this.#finish(aborted);
    }
  }

  #continuePacket(): void {
    const { s } = this;
    const drive = this.#drive;
    if (!drive) return;
    if (s[fields.phase] === phases.execute) this.#executePacket(drive);
    else if (s[fields.phase] === phases.sectors) this.#loadSector(drive);
    else {
      modeSelect(drive, Uint8Array.from(s.subarray(fields.buffer, fields.buffer + s[fields.length])));
      this.#done();
    }
  }

  #executePacket(drive: PacketDrive): void {
    const { s } = this;
    const packet = Uint8Array.from(s.subarray(fields.packet, fields.packet + packetBytes));
    const [code = 0, , , , length = 0] = packet;
    if (code === requestSense) {
      this.#answer(this.#takeSense(drive).subarray(0, length));
      return;
    }
    if (code !== inquiry) this.#tellAttention(drive);
    this.#setSense(senses.none);
    const command = packetCommands[code];
    if (!command) throw new PacketFailure('unknownCommand');
    this.#reply(command(drive, packet));
  }

  #reply(reply: PacketReply): void {
    const { s } = this;
    if (reply === undefined) this.#done();
    else if (reply instanceof Uint8Array) this.#answer(reply);
    else if ('wanted' in reply) {
      if (reply.wanted > bufferBytes) throw new PacketFailure('badPacket');
      s[fields.phase] = phases.fromHost;
      s[fields.length] = reply.wanted;
      if (reply.wanted === 0) this.#done();
      else {
        this.#offer(reply.wanted, reasons.fromHost);
        this.setIrq(1);
      }
    } else {
      s[fields.next] = reply.first;
      s[fields.left] = reply.count;
      s[fields.whole] = reply.whole ? 1 : 0;
      this.#guarded(() => this.#loadSector(this.#drive));
    }
  }

  #loadSector(drive: PacketDrive | undefined): void {
    const { s } = this;
    if (!drive) return;
    const medium = mediumIn(drive);
    const sector = s[fields.next]++;
    s[fields.left]--;
    const bytes = s[fields.whole] !== 0 ? medium.raw(sector) : medium.data(sector);
    if (!bytes) {
      const isData = medium.trackAt(sector)?.kind === 'data';
      throw new PacketFailure(isData && s[fields.whole] === 0 ? 'unreadable' : 'wrongTrack');
    }
    drive.seek(s[fields.next]);
    this.#answer(bytes);
  }

  /** Bytes for the host, in blocks. */
  #answer(bytes: Uint8Array): void {
    const { s } = this;
    if (bytes.length === 0) {
      this.#done();
      return;
    }
    s.set(bytes, fields.buffer);
    s[fields.length] = bytes.length;
    s[fields.blockEnd] = 0;
    s[fields.phase] = phases.toHost;
    this.#nextBlock();
  }

  #nextBlock(): void {
    const { s } = this;
    const start = s[fields.blockEnd];
    const isPacket = s[fields.command] === commands.packet;
    const left = s[fields.length] - start;
    // Only the last block may be odd.
    const most = isPacket ? Math.max(2, s[fields.limit] & ~1) : left;
    this.#offer(Math.min(left, most), reasons.toHost, start);
    this.setIrq(1);
  }

  /** Data may go on: so many bytes. */
  #offer(count: number, reason: number, start = 0): void {
    const { s } = this;
    s[fields.position] = start;
    s[fields.blockEnd] = start + count;
    s[fields.reason] = reason;
    s[fields.countLow] = count & 0xff;
    s[fields.countHigh] = count >> 8;
    s[fields.status] = ready | bits.request;
  }

  protected takeByte(): number {
    const { s } = this;
    if ((s[fields.status] & bits.request) === 0 || s[fields.phase] !== phases.toHost) return 0xff;
    const value = s[fields.buffer + s[fields.position]++];
    if (s[fields.position] >= s[fields.blockEnd]) this.#blockTaken();
    return value;
  }

  #blockTaken(): void {
    const { s } = this;
    if (s[fields.command] !== commands.packet) {
      s[fields.phase] = phases.none;
      s[fields.status] = ready;
      return;
    }
    if (s[fields.blockEnd] >= s[fields.length]) s[fields.phase] = s[fields.left] > 0 ? phases.sectors : phases.execute;
    if (s[fields.phase] === phases.execute) this.#done();
    else this.later();
  }

  protected giveByte(value: number): void {
    const { s } = this;
    const phase = s[fields.phase];
    if ((s[fields.status] & bits.request) === 0 || (phase !== phases.packet && phase !== phases.fromHost)) return;
    const place = phase === phases.packet ? fields.packet : fields.buffer;
    s[place + s[fields.position]++] = value;
    if (s[fields.position] < s[fields.blockEnd]) return;
    if (phase === phases.packet) s[fields.phase] = phases.execute;
    this.later();
  }

  /** Packets that fail leave their sense, and tell of it in the error register. */
  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (!(error instanceof PacketFailure)) throw error;
      this.#setSense(error.sense);
      this.s[fields.reason] = reasons.done;
      this.#finish(((error.sense >> 16) << 4) | aborted);
    }
  }

  #done(): void {
    this.s[fields.reason] = reasons.done;
    this.#finish(0);
  }

  #finish(error: number): void {
    const { s } = this;
    s[fields.phase] = phases.none;
    s[fields.left] = 0;
    s[fields.error] = error;
    s[fields.status] = ready | (error === 0 ? 0 : bits.failed);
    this.setIrq(1);
  }

  /** Somebody switched the machine on or changed the disc: the next command is told, once. */
  #tellAttention(drive: PacketDrive): void {
    const attention = this.#attention(drive);
    if (attention) throw new PacketFailure(attention);
  }

  #attention(drive: PacketDrive): 'awakened' | 'discChanged' | undefined {
    const { s } = this;
    const [awakened, changes] = [fields.awakened + this.index, fields.changes + this.index];
    const wasAwakened = s[awakened] !== 0;
    const isChanged = s[changes] !== drive.changes && drive.medium !== undefined;
    s[awakened] = 0;
    if (wasAwakened || isChanged) s[changes] = drive.changes;
    return wasAwakened ? 'awakened' : isChanged ? 'discChanged' : undefined;
  }

  #setSense(sense: number): void {
    this.s[fields.sense + this.index] = sense;
  }

  #takeSense(drive: PacketDrive): Uint8Array {
    const attention = this.#attention(drive);
    const sense = attention ? senses[attention] : this.s[fields.sense + this.index];
    this.#setSense(senses.none);
    const bytes = new Uint8Array(18);
    bytes.set([0x70, 0, sense >> 16]);
    bytes[7] = 10;
    bytes.set([(sense >> 8) & 0xff, sense & 0xff], 12);
    return bytes;
  }

  protected reset(): void {
    const { s } = this;
    s[fields.drive] = 0;
    this.#resetDrive();
  }

  /** Drives of packets are not ready until they got one. */
  #resetDrive(): void {
    const { s } = this;
    s[fields.phase] = phases.none;
    s[fields.left] = 0;
    s[fields.status] = 0;
    this.cancel();
    this.#signature();
    this.setIrq(0);
  }

  /** What tells a drive of packets from a hard disk; error 1 means that all is well. */
  #signature(): void {
    const { s } = this;
    s[fields.error] = 1;
    s[fields.reason] = 1;
    s[fields.sector] = 1;
    s[fields.countLow] = 0x14;
    s[fields.countHigh] = 0xeb;
    s[fields.drive] &= 0x10;
  }
}
