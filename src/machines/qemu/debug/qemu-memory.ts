import { GdbError } from '../../../links/gdb/gdb-error.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { MemoryCapability, MemorySpace } from '../../../machine/memory.ts';
import type { Bulk } from './bulk-memory.ts';
import { ifThere } from './if-there.ts';
import type { Rest } from './rest.ts';
import type { Target } from './target.ts';
import { vcpuName } from './vcpu-name.ts';

/** Of 32-bit processors with extensions: x86 has 36, ARM 40. */
const physicalBits = 40;
const pageBytes = 4096n;
const maxPages = 64;

interface MemoryView {
  /** Of the processor that sees it; the selected one without. */
  readonly thread?: string | undefined;
  /** False for memory that nobody can change. */
  readonly writable?: boolean;
}

/** The memory of a virtual machine: as the selected processor sees it now, and as it is wired. */
export class QemuMemory implements MemoryCapability {
  readonly spaces: readonly MemorySpace[];
  readonly #execution: Rest;
  readonly #target: Target;
  readonly #bulk: Bulk;
  /** Of the addresses that the stub takes. */
  readonly #size: bigint;
  readonly #thread: string | undefined;

  constructor(execution: Rest, target: Target, bulk: Bulk, { thread, writable = true }: MemoryView = {}) {
    this.#thread = thread;
    this.#bulk = bulk;
    this.#execution = execution;
    this.#target = target;
    const bits = target.names.pc?.bits ?? 64;
    this.#size = 1n << BigInt(bits);
    const physical = 1n << BigInt(Math.max(bits, physicalBits));
    this.spaces = [
      {
        name: 'virtual',
        size: this.#size,
        description: `what ${thread === undefined ? 'the selected processor' : vcpuName(thread)} sees now`,
        writable,
      },
      { name: 'physical', size: physical, description: 'physical addresses', writable },
    ];
  }

  get bigEndian(): boolean {
    return this.#target.bigEndian;
  }

  peek(space: string, address: bigint, length: number): Promise<Uint8Array> {
    return this.#in(space, async () => {
      const beyond = address + BigInt(length) > this.#size;
      const quickly = await this.#bulk.read(space, address, length, beyond);
      if (quickly) return quickly;
      if (beyond) throw beyondStub('read');
      return this.#target
        .memory(address, length)
        .catch((error: unknown) => this.#explain(error, space, address, length));
    });
  }

  async poke(space: string, address: bigint, bytes: Uint8Array): Promise<void> {
    await this.#in(space, async () => {
      if (address + BigInt(bytes.length) > this.#size) throw beyondStub('write');
      await this.#target
        .setMemory(address, bytes)
        .catch((error: unknown) => this.#explain(error, space, address, bytes.length));
      this.#target.forget();
      await this.#check(space, address, bytes);
    });
  }

  /** The stub says of everything that it was written, also where there is a device or nothing. Devices notice a reader. */
  async #check(space: string, address: bigint, bytes: Uint8Array): Promise<void> {
    const pieces = (await this.#target.pieces(space, address, bytes.length)) ?? [];
    for (const { address: first, length, holds } of pieces) {
      // Written to its physical address, a device has it.
      if (holds === 'device' && space === 'physical') continue;
      if (holds !== 'memory') throw notTaken(space, first);
      const kept = await this.#target
        .memory(first, length)
        .catch((error: unknown) => this.#explain(error, space, first, length));
      const from = Number(first - address);
      const lost = kept.findIndex((byte, index) => byte !== bytes[from + index]);
      if (lost !== -1) throw notTaken(space, first + BigInt(lost));
    }
  }

  /** Says where memory ends, as far as it can be found out quickly. */
  async #explain(error: unknown, space: string, address: bigint, length: number): Promise<never> {
    if (!(error instanceof GdbError) || error.failure !== 'refused') throw error;
    const readable = async (at: bigint) => {
      const [piece] = (await this.#target.pieces(space, at, 1)) ?? [];
      return piece?.holds === 'device' || (await ifThere(this.#target.memory(at, 1))) !== undefined;
    };
    let missing = address;
    for (let page = 0; page < maxPages && missing < address + BigInt(length) && (await readable(missing)); page++) {
      missing = (missing / pageBytes + 1n) * pageBytes;
    }
    const before = missing - address;
    const other =
      space === 'physical' ? 'Use an address where there is memory.' : 'Map it first, or use space physical.';
    throw new MachineError(
      'ADDRESS_OUT_OF_BOUNDS',
      `There is no ${space} memory at 0x${missing.toString(16)}.`,
      before > 0n ? `Reduce the length to ${before}. ${other}` : other,
      {},
      { cause: error },
    );
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
        return await this.#target.on(this.#thread ?? this.#target.thread, access);
      } finally {
        if (physical) await this.#target.gdb.physicalAddresses(false);
      }
    });
  }
}

function notTaken(space: string, address: bigint): MachineError {
  return new MachineError(
    'ADDRESS_OUT_OF_BOUNDS',
    `What was written to 0x${address.toString(16)} (${space}) is not there: QEMU only lets debuggers write RAM and ROM.`,
    'Let code of the guest write to registers of devices.',
  );
}

/** The stub cuts addresses to the width of the processor's, which physical ones may exceed. */
function beyondStub(action: 'read' | 'write'): MachineError {
  return new MachineError(
    'UNAVAILABLE',
    `QEMU cannot ${action} physical memory there: its debugger takes no longer addresses than the processor's own.`,
    'Map it in the guest and use space virtual.',
  );
}
