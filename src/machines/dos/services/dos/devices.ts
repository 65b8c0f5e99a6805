import type { GuestMemory } from '../guest.ts';
import { type FarPointer, linear, packFar } from './far-pointer.ts';
import { readText, writeText } from './guest-text.ts';
import { at, dosSegment, sizes } from './layout.ts';

export interface DeviceHeader {
  readonly at: FarPointer;
  /** Trimmed. Empty for drivers of drives. */
  readonly name: string;
  readonly attributes: number;
}

/** Bits of the attribute word of a header. */
export const deviceAttributes = {
  standardInput: 0x0001,
  standardOutput: 0x0002,
  nul: 0x0004,
  clock: 0x0008,
  generic: 0x0040,
  query: 0x0080,
  openClose: 0x0800,
  control: 0x4000,
  character: 0x8000,
} as const;
const { character, nul: nulBit, clock: clockBit } = deviceAttributes;
const consoleBits = 0x13;

const builtIn: readonly (readonly [name: string, attributes: number])[] = [
  ['CON', character | consoleBits],
  ['AUX', character],
  ['PRN', character | 0x2000],
  ['CLOCK$', character | clockBit],
  ['COM1', character],
  ['COM2', character],
  ['COM3', character],
  ['COM4', character],
  ['LPT1', character | 0x2000],
  ['LPT2', character | 0x2000],
  ['LPT3', character | 0x2000],
];

const nulHeader: FarPointer = { segment: dosSegment, offset: at.listOfLists + 0x22 };
const endOfChain = 0xffff;
const chainMax = 64;
/** pushf, call far, retf. */
export const interruptBytes = 7;
export const interruptEntries = 24;

/** The chain of driver headers, which starts with NUL in the list of lists. */
export class Devices {
  readonly #memory: GuestMemory;
  #added = 0;

  constructor(memory: GuestMemory) {
    this.#memory = memory;
  }

  /** Writes the chain: NUL, the built-in ones, the driver of the drives. Each has an interrupt entry of its own. */
  install(strategy: number, interrupts: number, units: number): void {
    this.#added = 0;
    const headers = [...builtIn, [String.fromCharCode(units), 0x0842] as const];
    this.#write(nulHeader, 'NUL', character | nulBit, this.#place(0), strategy, interrupts);
    headers.forEach(([name, attributes], index) => {
      const last = index === headers.length - 1;
      const next = last ? { segment: endOfChain, offset: endOfChain } : this.#place(index + 1);
      this.#write(this.#place(index), name, attributes, next, strategy, interrupts + (index + 1) * interruptBytes);
    });
  }

  /** Whether a header is one of the kernel's, whose driver is here and not in the guest. */
  isOwn(packed: number): boolean {
    const offset = packed & 0xffff;
    return (
      packed >>> 16 === dosSegment && (offset === nulHeader.offset || (offset >= at.devices && offset < at.drives))
    );
  }

  /** Puts a driver of the guest first after NUL. */
  link(header: FarPointer): void {
    const nul = linear(nulHeader.segment, nulHeader.offset);
    this.#memory.write32(linear(header.segment, header.offset), this.#memory.read32(nul));
    this.#memory.write32(nul, packFar(header));
  }

  /** The device whose interrupt entry has this number. */
  byEntry(index: number): DeviceHeader {
    return this.read(index === 0 ? nulHeader : this.#place(index - 1));
  }

  /** A further device, put first after NUL as a driver from CONFIG.SYS would be. */
  add(
    name: string,
    attributes: number,
    strategy: number,
    interrupts: number,
    ownPart: readonly number[] = [],
  ): FarPointer {
    const header = this.#place(builtIn.length + 1 + this.#added++);
    const interrupt = interrupts + (builtIn.length + 1 + this.#added) * interruptBytes;
    const next = this.#memory.read32(linear(nulHeader.segment, nulHeader.offset));
    const follower = { segment: next >>> 16, offset: next & 0xffff };
    this.#write(header, name, attributes, follower, strategy, interrupt);
    // What a driver keeps after its header takes the place of the next one.
    if (ownPart.length > 0)
      this.#memory.write(linear(header.segment, header.offset + sizes.device), Uint8Array.from(ownPart));
    if (ownPart.length > 0) this.#added++;
    this.#memory.write32(linear(nulHeader.segment, nulHeader.offset), packFar(header));
    return header;
  }

  address(name: string): FarPointer {
    const index = builtIn.findIndex(([known]) => known === name);
    return index < 0 ? nulHeader : this.#place(index);
  }

  blockDriver(): FarPointer {
    return this.#place(builtIn.length);
  }

  find(name: string): DeviceHeader | undefined {
    for (const header of this.walk()) if (header.name === name && header.attributes & character) return header;
    return undefined;
  }

  *walk(): Generator<DeviceHeader> {
    let place = nulHeader;
    for (let i = 0; i < chainMax && place.offset !== endOfChain; i++) {
      yield this.read(place);
      const next = this.#memory.read32(linear(place.segment, place.offset));
      place = { segment: next >>> 16, offset: next & 0xffff };
    }
  }

  read(place: FarPointer): DeviceHeader {
    const address = linear(place.segment, place.offset);
    const attributes = this.#memory.read16(address + 4);
    const name = attributes & character ? readText(this.#memory, address + 10, 8).trimEnd() : '';
    return { at: place, name, attributes };
  }

  #place(index: number): FarPointer {
    return { segment: dosSegment, offset: at.devices + index * sizes.device };
  }

  #write(
    place: FarPointer,
    name: string,
    attributes: number,
    next: FarPointer,
    strategy: number,
    interrupt: number,
  ): void {
    const address = linear(place.segment, place.offset);
    this.#memory.write32(address, packFar(next));
    this.#memory.write16(address + 4, attributes);
    this.#memory.write16(address + 6, strategy);
    this.#memory.write16(address + 8, interrupt);
    writeText(this.#memory, address + 10, name.padEnd(8));
  }
}
