/**
 * MOS 8726, the RAM expansion controller of the 1700, 1764 and 1750: eleven registers, and transfers between the computer's
 * memory and its own, one byte a cycle (two cycles for a swap), while DMA keeps the processor off the bus.
 *
 * `tick()` is one cycle of a transfer. BA takes the bus away from it as from the processor; in the first cycle of that, which
 * the VIC-II does not use yet, a write still gets through.
 *
 * Sources: Commodore's manual, and the facts that VICE's test programs show. In machines with more than 512 KiB the upper
 * bits of the bank are a latch beside the controller, which neither counts nor can be read.
 */
import { fields as f, type Mos8726State } from './fields.ts';

export interface Mos8726Wires {
  /** The computer's memory as the processor would see it. */
  read(address: number): number;
  write(address: number, value: number): void;
  /** RAM below everything else, which newer boards put on the bus while BA is about to fall. */
  readBelow(address: number): number;
  /** Undefined where no chip is. */
  readRam(address: number): number | undefined;
  writeRam(address: number, value: number): void;
}

export interface Mos8726Setup {
  /** What is put in with the controller, in KiB. */
  readonly kilobytes: number;
  /** On newer boards a byte can come from the RAM below I/O when BA falls in that very cycle. */
  readonly glitches: boolean;
}

/** What the VIC-II does to the bus in a cycle. */
export interface BusCycle {
  readonly isBaLow: boolean;
  /** BA falls only in the course of this cycle: sprite 0 has just been switched on. */
  readonly isBaLate: boolean;
}

const endOfBlock = 0x40;
const verifyError = 0x20;
const bigChips = 0x10;
const execute = 0x80;
const autoload = 0x20;
const atOnce = 0x10;
/** The controller counts so many bits. */
const countedBits = 0x7ffff;
const registers = 0x20;

type Pair = typeof f.host | typeof f.expansion | typeof f.length;
type LoadedPair = typeof f.hostLoaded | typeof f.expansionLoaded | typeof f.lengthLoaded;

export class Mos8726 {
  readonly #s: Mos8726State;
  readonly #wires: Mos8726Wires;
  readonly #glitches: boolean;
  readonly #wrapsAt: number;
  readonly #status: number;

  constructor(state: Int32Array, wires: Mos8726Wires, { kilobytes, glitches }: Mos8726Setup) {
    this.#s = state as Mos8726State;
    this.#wires = wires;
    this.#glitches = glitches;
    // The 1700 has the smaller chips.
    this.#wrapsAt = kilobytes === 128 ? 0x20000 : 0x80000;
    this.#status = kilobytes === 128 ? 0 : bigChips;
  }

  /** The RES line. */
  reset(): void {
    const s = this.#s;
    const latch = s[f.latch];
    s.fill(0);
    s[f.latch] = latch;
    s[f.status] = this.#status;
    s[f.command] = atOnce;
    s[f.length] = 0xffff;
    s[f.lengthLoaded] = 0xffff;
  }

  powerOn(): void {
    this.reset();
    this.#s[f.latch] = 0xff;
  }

  /** It has the bus. */
  get isActive(): boolean {
    return this.#s[f.dma] !== 0;
  }

  /** A write to $FF00 would start a transfer. */
  get isArmed(): boolean {
    return this.#s[f.armed] !== 0;
  }

  /** A register; undefined during a transfer, when it does not answer. */
  read(address: number): number | undefined {
    const value = this.peek(address);
    if (value !== undefined && address % registers === 0) {
      this.#s[f.status] = this.#status;
      this.#s[f.irq] = 0;
    }
    return value;
  }

  peek(address: number): number | undefined {
    const s = this.#s;
    if (s[f.dma] !== 0) return undefined;
    switch (address % registers) {
      case 0:
        return s[f.status];
      case 1:
        return s[f.command];
      case 2:
        return s[f.host] & 255;
      case 3:
        return s[f.host] >> 8;
      case 4:
        return s[f.expansion] & 255;
      case 5:
        return s[f.expansion] >> 8;
      case 6:
        return s[f.bank] | 0xf8;
      case 7:
        return s[f.length] & 255;
      case 8:
        return s[f.length] >> 8;
      case 9:
        return s[f.interruptMask] | 0x1f;
      case 10:
        return s[f.control] | 0x3f;
      default:
        return 0xff;
    }
  }

  /** `history`: BA in this cycle (bit 0) and the ones before, 1 = low. */
  write(address: number, value: number, history: number): void {
    const s = this.#s;
    if (s[f.dma] !== 0) return;
    switch (address % registers) {
      case 1:
        s[f.command] = value;
        s[f.armed] = (value & (execute | atOnce)) === execute ? 1 : 0;
        if ((value & (execute | atOnce)) === (execute | atOnce)) this.#start(history);
        return;
      case 2:
      case 3:
        this.#load(f.host, f.hostLoaded, address & 1, value);
        return;
      case 4:
      case 5:
        this.#load(f.expansion, f.expansionLoaded, address & 1, value);
        return;
      case 6:
        s[f.bank] = value;
        s[f.bankLoaded] = value;
        return;
      case 7:
      case 8:
        this.#load(f.length, f.lengthLoaded, (address & 1) ^ 1, value);
        return;
      case 9:
        s[f.interruptMask] = value;
        this.#interrupt();
        return;
      case 10:
        s[f.control] = value;
        return;
    }
  }

  /** Half of a pair: the other half becomes what was last written to it, wherever the count is. */
  #load(register: Pair, loaded: LoadedPair, isHigh: number, value: number): void {
    const s = this.#s;
    s[loaded] = isHigh !== 0 ? (s[loaded] & 0xff) | (value << 8) : (s[loaded] & 0xff00) | value;
    s[register] = s[loaded];
  }

  /** The processor writes to $FF00. */
  trigger(history: number): void {
    if (this.#s[f.armed] !== 0) this.#start(history);
  }

  #start(history: number): void {
    const s = this.#s;
    s[f.armed] = 0;
    s[f.dma] = 1;
    s[f.done] = 0;
    s[f.halfway] = 0;
    s[f.ending] = 0;
    s[f.busHistory] = history;
  }

  /** One cycle of a transfer. */
  tick({ isBaLow, isBaLate }: BusCycle): void {
    const s = this.#s;
    if (s[f.ending] !== 0) {
      this.#finish();
      return;
    }
    const bus = ((s[f.busHistory] << 1) & 15) | (isBaLow && !isBaLate ? 1 : 0);
    s[f.busHistory] = bus;
    switch (s[f.command] & 3) {
      case 0:
        this.#stash(bus, isBaLate);
        return;
      case 1:
        this.#fetch(bus);
        return;
      case 2:
        this.#swap(bus);
        return;
      default:
        this.#verify(bus);
    }
  }

  #stash(bus: number, isLate: boolean): void {
    if ((bus & 1) !== 0) return;
    const s = this.#s;
    s[f.latch] = this.#readHost(isLate);
    this.#writeRam(s[f.latch]);
    this.#count();
    this.#countLength();
  }

  #fetch(bus: number): void {
    const s = this.#s;
    if ((bus & 3) === 3) return;
    // The byte after the first waits a cycle longer for the bus, and the last does not use the cycle in which it goes.
    if ((bus & 2) !== 0 ? s[f.done] === 1 : (bus & 1) !== 0 && s[f.length] === 1) return;
    s[f.latch] = this.#readRam();
    this.#wires.write(s[f.host], s[f.latch]);
    this.#count();
    // The byte that would be next is on its way already.
    if (s[f.length] === 1) s[f.latch] = this.#readRam();
    this.#countLength();
  }

  #swap(bus: number): void {
    const s = this.#s;
    if (s[f.halfway] === 0) {
      if ((bus & 3) === 1 && s[f.done] === 0) return;
      if (bus !== 15) {
        s[f.fromExpansion] = this.#readRam();
        s[f.fromHost] = this.#readHost((bus & 1) !== 0);
      }
    } else if ((bus & 1) === 0 || s[f.length] === 1) {
      this.#writeRam(s[f.fromHost]);
      this.#wires.write(s[f.host], s[f.fromExpansion]);
      this.#count();
      this.#countLength();
    }
    s[f.halfway] ^= 1;
  }

  #verify(bus: number): void {
    if ((bus & 1) !== 0) return;
    const s = this.#s;
    const isEqual = this.#readRam() === this.#wires.read(s[f.host]);
    if (s[f.halfway] !== 0) {
      // A byte too far: only if it is the last, and equal, does the block count as done.
      if (s[f.length] === 1 && isEqual) s[f.status] |= endOfBlock;
      s[f.ending] = 1;
      return;
    }
    this.#count();
    if (!isEqual) {
      s[f.status] |= verifyError;
      if (s[f.length] !== 1) s[f.halfway] = 1;
    }
    this.#countLength();
  }

  #readHost(isGlitch: boolean): number {
    const host = this.#s[f.host];
    return isGlitch && this.#glitches ? this.#wires.readBelow(host) : this.#wires.read(host);
  }

  get #place(): number {
    return (this.#s[f.bank] << 16) | this.#s[f.expansion];
  }

  #readRam(): number {
    return this.#wires.readRam(this.#place) ?? this.#s[f.latch];
  }

  #writeRam(value: number): void {
    this.#wires.writeRam(this.#place, value);
  }

  /** Addresses that are not fixed go up. */
  #count(): void {
    const s = this.#s;
    s[f.done] += 1;
    if ((s[f.control] & 0x80) === 0) s[f.host] = (s[f.host] + 1) & 0xffff;
    if ((s[f.control] & 0x40) !== 0) return;
    const place = this.#place;
    const next = (place & countedBits) + 1;
    const counted = (place & ~countedBits) | (next === this.#wrapsAt ? 0 : next & countedBits);
    s[f.expansion] = counted & 0xffff;
    s[f.bank] = counted >> 16;
  }

  #countLength(): void {
    const s = this.#s;
    s[f.length] = (s[f.length] - 1) & 0xffff;
    if (s[f.length] !== 0) return;
    s[f.length] = 1;
    s[f.status] |= endOfBlock;
    s[f.ending] = 1;
  }

  #finish(): void {
    const s = this.#s;
    if ((s[f.command] & autoload) !== 0) {
      s[f.host] = s[f.hostLoaded];
      s[f.expansion] = s[f.expansionLoaded];
      s[f.bank] = s[f.bankLoaded];
      s[f.length] = s[f.lengthLoaded];
    }
    this.#interrupt();
    s[f.command] = (s[f.command] & ~execute) | atOnce;
    s[f.dma] = 0;
    s[f.ending] = 0;
  }

  #interrupt(): void {
    const s = this.#s;
    const wanted = s[f.interruptMask] & s[f.status] & (endOfBlock | verifyError);
    if ((s[f.interruptMask] & 0x80) === 0 || wanted === 0) return;
    s[f.status] |= 0x80;
    s[f.irq] = 1;
  }
}
