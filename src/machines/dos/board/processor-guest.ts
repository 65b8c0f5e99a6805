import { placeOf } from '../../../chips/x86/register-access.ts';
import type { X86 } from '../../../chips/x86/x86.ts';
import type { Guest, GuestMemory } from '../services/guest.ts';

const names = [
  ...['al', 'ah', 'ax', 'eax', 'bl', 'bh', 'bx', 'ebx', 'cl', 'ch', 'cx', 'ecx', 'dl', 'dh', 'dx', 'edx'],
  ...['si', 'esi', 'di', 'edi', 'bp', 'sp', 'cs', 'ip', 'ds', 'es', 'ss', 'fs', 'gs'],
] as const;

const stackSegment = placeOf('ss');
const stackPointer = placeOf('sp');
const carryFlag = 1;
const zeroFlag = 0x40;

/** The processor as services see it. Programs call services millions of times: registers are accessors of a class. */
class ProcessorGuest {
  readonly memory: GuestMemory;
  readonly cpu: X86;

  constructor(cpu: X86, memory: GuestMemory) {
    this.cpu = cpu;
    this.memory = memory;
  }

  get instructions(): number {
    return this.cpu.instructions;
  }

  get returnFlags(): number {
    return this.memory.read16(this.#flagsAddress());
  }

  set returnFlags(flags: number) {
    this.memory.write16(this.#flagsAddress(), flags);
  }

  get carry(): boolean {
    return (this.returnFlags & carryFlag) !== 0;
  }

  set carry(on: boolean) {
    this.#setFlag(carryFlag, on);
  }

  get zero(): boolean {
    return (this.returnFlags & zeroFlag) !== 0;
  }

  set zero(on: boolean) {
    this.#setFlag(zeroFlag, on);
  }

  entering(segment: number, offset: number): void {
    this.cpu.expectEntry(segment, offset);
  }

  #flagsAddress(): number {
    const { cpu } = this;
    return (cpu.getAt(stackSegment) << 4) + ((cpu.getAt(stackPointer) + 4) & 0xffff);
  }

  #setFlag(flag: number, on: boolean): void {
    const flags = this.returnFlags;
    this.returnFlags = on ? flags | flag : flags & ~flag;
  }
}

for (const name of names) {
  const place = placeOf(name);
  Object.defineProperty(ProcessorGuest.prototype, name, {
    get(this: ProcessorGuest) {
      return this.cpu.getAt(place);
    },
    set(this: ProcessorGuest, value: number) {
      this.cpu.setAt(place, value);
    },
  });
}

export function processorGuest(cpu: X86, memory: GuestMemory): Guest {
  return new ProcessorGuest(cpu, memory) as ProcessorGuest & Record<(typeof names)[number], number>;
}

/** Physical memory for services: what the processor would reach. */
export function guestMemory(cpu: { readonly memory: X86['memory'] }): GuestMemory {
  const { memory } = cpu;
  return {
    read8: (address) => memory.read8(address),
    read16: (address) => memory.read16(address),
    read32: (address) => memory.read32(address) >>> 0,
    write8: (address, value) => memory.write8(address, value),
    write16: (address, value) => memory.write16(address, value),
    write32: (address, value) => memory.write32(address, value),
    bytes: (address, length) => memory.readBytes(address, length),
    write: (address, bytes) => memory.writeBytes(address, bytes),
  };
}
