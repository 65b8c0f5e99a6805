import type { X86 } from '../../../chips/x86/x86.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { FrozenBytes, MemoryFreeze } from '../../../machine/memory.ts';
import { FrozenList } from '../../shared/frozen-list.ts';
import type { MemoryWatches } from './memory-watches.ts';

const videoStart = 0xa0000;
const videoEnd = 0xc0000;

/** Bytes put back in the moment in which something writes them. */
export class DosFreeze implements MemoryFreeze {
  readonly #cpu: X86;
  readonly #watches: MemoryWatches;
  readonly #poke: (address: number, bytes: Uint8Array) => void;
  readonly #owner = Symbol('freeze');
  readonly #list = new FrozenList();

  constructor(cpu: X86, watches: MemoryWatches, poke: (address: number, bytes: Uint8Array) => void) {
    this.#cpu = cpu;
    this.#watches = watches;
    this.#poke = poke;
  }

  get frozen(): readonly FrozenBytes[] {
    return this.#list.all;
  }

  async hold(address: bigint, bytes: Uint8Array): Promise<FrozenBytes> {
    const first = Number(address);
    if (first < videoEnd && first + bytes.length > videoStart) {
      const message = 'Video memory cannot be frozen.';
      throw new MachineError('INVALID_ARGUMENT', message, 'Freeze what the program draws it from.');
    }
    const frozen = this.#list.add(address, bytes);
    this.#poke(first, frozen.bytes);
    this.#arm();
    return frozen;
  }

  async release(id: number): Promise<void> {
    this.#list.remove(id);
    this.#arm();
  }

  #arm(): void {
    const cpu = this.#cpu;
    const watches = this.#list.all.map(({ address, bytes }) => ({
      first: Number(address),
      last: Number(address) + bytes.length - 1,
      kind: 'write' as const,
      touched: (hit: { readonly address: number }) => {
        cpu.memory.ram[cpu.physical(hit.address)] = bytes[hit.address - Number(address)] ?? 0;
        return false;
      },
    }));
    this.#watches.set(this.#owner, watches);
  }
}
