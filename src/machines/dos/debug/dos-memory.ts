import type { X86 } from '../../../chips/x86/x86.ts';
import { lowerHex } from '../../../formats/hex.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { MemoryCapability, MemoryFreeze, MemorySpace } from '../../../machine/memory.ts';
import { MemoryValueFinder } from '../../shared/memory-value-finder.ts';

/** Memory that the processor does not see on its own: expanded memory, video planes. */
export interface ExtraSpace extends MemorySpace {
  peek(address: number, length: number): Uint8Array;
  poke(address: number, bytes: Uint8Array): void;
}

export interface MemoryWires {
  readonly cpu: X86;
  readonly freeze: MemoryFreeze;
  /** How a debugger's write is done, so that whoever keeps the machine's history hears of it. */
  poke(address: number, bytes: Uint8Array): void;
  /** Spaces beside the processor's own, as they are now. */
  extra(): readonly ExtraSpace[];
}

/** What the processor sees, by linear address, and what it does not. */
export class DosMemory implements MemoryCapability {
  readonly #wires: MemoryWires;
  readonly finder = new MemoryValueFinder(this);

  constructor(wires: MemoryWires) {
    this.#wires = wires;
  }

  get freeze(): MemoryFreeze {
    return this.#wires.freeze;
  }

  get spaces(): readonly MemorySpace[] {
    const { memory } = this.#wires.cpu;
    const size = this.#wires.cpu.isPaged ? 0x100000000n : BigInt(memory.ram.length & ~0xff);
    const description = 'what the processor sees, by linear address';
    return [
      { name: 'cpu', size, description, writable: true, ...(!memory.a20 && { repeatsFrom: 0x100000n }) },
      ...this.#wires
        .extra()
        .map(({ name, size: own, description, writable }) => ({ name, size: own, description, writable })),
    ];
  }

  async peek(space: string, address: bigint, length: number): Promise<Uint8Array> {
    const extra = this.#extra(space);
    if (extra) return extra.peek(Number(address), length);
    return this.#peek(Number(address), length);
  }

  async poke(space: string, address: bigint, bytes: Uint8Array): Promise<void> {
    const extra = this.#extra(space);
    if (extra) extra.poke(Number(address), bytes);
    else {
      this.#refuseAbsent(Number(address), bytes.length);
      this.#wires.poke(Number(address), bytes);
    }
  }

  #refuseAbsent(address: number, length: number): void {
    const { cpu } = this.#wires;
    for (let at = address; at < address + length; at += 0x1000 - (at & 0xfff)) {
      if (cpu.physical(at) >= 0) continue;
      throw new MachineError(
        'INVALID_ARGUMENT',
        `No page is mapped at 0x${lowerHex(BigInt(at), 8)}.`,
        'Write where the program has memory, or let it run until it has it there.',
      );
    }
  }

  /** Where there are pages, each from where it lies. */
  #peek(address: number, length: number): Uint8Array {
    const { cpu } = this.#wires;
    if (!cpu.isPaged) return cpu.memory.peekBytes(address, length);
    const bytes = new Uint8Array(length).fill(0xff);
    for (let at = 0; at < length; ) {
      const count = Math.min(length - at, 0x1000 - ((address + at) & 0xfff));
      const physical = cpu.physical(address + at);
      if (physical >= 0) bytes.set(cpu.memory.peekBytes(physical, count), at);
      at += count;
    }
    return bytes;
  }

  #extra(space: string): ExtraSpace | undefined {
    return this.#wires.extra().find(({ name }) => name === space);
  }
}
