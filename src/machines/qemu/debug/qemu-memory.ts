import { GdbError } from '../../../links/gdb/gdb-error.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { MemoryCapability, MemorySpace } from '../../../machine/memory.ts';
import type { BulkMemory } from './bulk-memory.ts';
import type { Execution } from './execution.ts';
import type { Target } from './target.ts';

/** The memory of a virtual machine: as the selected processor sees it now, and as it is wired. */
export class QemuMemory implements MemoryCapability {
  readonly spaces: readonly MemorySpace[];
  readonly #execution: Execution;
  readonly #target: Target;
  readonly #bulk: BulkMemory;

  constructor(execution: Execution, target: Target, bulk: BulkMemory) {
    this.#bulk = bulk;
    this.#execution = execution;
    this.#target = target;
    const size = 1n << BigInt(target.names.pc?.bits ?? 64);
    this.spaces = [
      { name: 'virtual', size, description: 'what the selected processor sees now', writable: true },
      { name: 'physical', size, description: 'physical addresses', writable: true },
    ];
  }

  peek(space: string, address: bigint, length: number): Promise<Uint8Array> {
    return this.#in(space, async () => {
      const quickly = await this.#bulk.read(space, address, length);
      return quickly ?? this.#target.memory(address, length);
    });
  }

  async poke(space: string, address: bigint, bytes: Uint8Array): Promise<void> {
    await this.#in(space, async () => {
      await this.#target.setMemory(address, bytes);
      this.#target.forget();
    });
  }

  #in<T>(space: string, access: () => Promise<T>): Promise<T> {
    return this.#execution.atRest(async () => {
      const physical = space === 'physical';
      if (physical && !(await this.#target.gdb.physicalAddresses(true))) {
        throw new MachineError(
          'UNAVAILABLE',
          'This QEMU has no physical addresses for debuggers.',
          'Use space virtual.',
        );
      }
      try {
        return await access();
      } catch (error) {
        throw error instanceof GdbError && error.failure === 'refused' ? unreadable(error, space) : error;
      } finally {
        if (physical) await this.#target.gdb.physicalAddresses(false);
      }
    });
  }
}

function unreadable(error: GdbError, space: string): MachineError {
  const other = space === 'physical' ? 'Use an address where there is memory.' : 'Map it first, or use space physical.';
  return new MachineError('ADDRESS_OUT_OF_BOUNDS', `There is no ${space} memory: ${error.message}.`, other);
}
