import type { AddressCapability } from '../../../machine/addresses.ts';
import type { Processor, ProcessorsCapability } from '../../../machine/processors.ts';
import type { Bulk } from './bulk-memory.ts';
import { QemuPaging } from './paging/qemu-paging.ts';
import { QemuCpu, type QemuCpuWires } from './qemu-cpu.ts';
import { QemuMemory } from './qemu-memory.ts';
import { vcpuName } from './vcpu-name.ts';

interface Wires extends QemuCpuWires {
  /** False for memory that nobody can change. */
  readonly writable?: boolean;
  readonly bulk: Bulk;
  readonly addresses: AddressCapability;
  /** What an expression is worth on the processor in question. */
  evaluate(text: string): Promise<bigint | undefined>;
}

/** Each of a guest's processors, whichever is selected. */
export class QemuProcessors implements ProcessorsCapability {
  readonly #wires: Wires;

  constructor(wires: Wires) {
    this.#wires = wires;
  }

  get names(): readonly string[] {
    return this.#wires.execution.threads.map(vcpuName);
  }

  async named(name: string): Promise<Processor> {
    const { execution, target, bulk, addresses, evaluate, writable = true } = this.#wires;
    const thread = execution.threadNamed(name);
    const cpu = new QemuCpu(this.#wires, thread);
    await cpu.refresh();
    return {
      cpu,
      paging: new QemuPaging(execution, target, thread),
      memory: new QemuMemory(execution, target, bulk, { thread, writable }),
      addresses: { ...addresses, evaluate: (text) => execution.atRest(() => target.on(thread, () => evaluate(text))) },
    };
  }
}
