import type { X86 } from '../../../chips/x86/x86.ts';
import type { Guest, GuestMemory } from '../services/guest.ts';

const names = [
  ...['al', 'ah', 'ax', 'eax', 'bl', 'bh', 'bx', 'ebx', 'cl', 'ch', 'cx', 'ecx', 'dl', 'dh', 'dx', 'edx'],
  ...['si', 'esi', 'di', 'edi', 'bp', 'sp', 'cs', 'ip', 'ds', 'es', 'ss', 'fs', 'gs'],
] as const;

const carryFlag = 1;
const zeroFlag = 0x40;

/** The processor as services see it. */
export function processorGuest(cpu: X86, memory: GuestMemory): Guest {
  const flagsAddress = () => (cpu.get('ss') << 4) + ((cpu.get('sp') + 4) & 0xffff);
  const setFlag = (flag: number, on: boolean) => {
    const flags = memory.read16(flagsAddress());
    memory.write16(flagsAddress(), on ? flags | flag : flags & ~flag);
  };
  const guest = {
    memory,
    get instructions() {
      return cpu.instructions;
    },
    get returnFlags() {
      return memory.read16(flagsAddress());
    },
    set returnFlags(flags: number) {
      memory.write16(flagsAddress(), flags);
    },
    get carry() {
      return (memory.read16(flagsAddress()) & carryFlag) !== 0;
    },
    set carry(on: boolean) {
      setFlag(carryFlag, on);
    },
    get zero() {
      return (memory.read16(flagsAddress()) & zeroFlag) !== 0;
    },
    set zero(on: boolean) {
      setFlag(zeroFlag, on);
    },
  };
  for (const name of names) {
    Object.defineProperty(guest, name, {
      enumerable: true,
      get: () => cpu.get(name),
      set: (value: number) => cpu.set(name, value),
    });
  }
  return guest as Guest;
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
    bytes: (address, length) => Uint8Array.from({ length }, (_, index) => memory.read8(address + index)),
    write(address, bytes) {
      for (let index = 0; index < bytes.length; index++) memory.write8(address + index, bytes[index] ?? 0);
    },
  };
}
