import type { AddressCapability } from '../../../machine/addresses.ts';
import type { Processor, ProcessorsCapability } from '../../../machine/processors.ts';
import { QemuSource } from '../source/qemu-source.ts';
import { QemuVariables } from '../source/qemu-variables.ts';
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
    const { execution, target, symbols, bulk, addresses, evaluate, writable = true } = this.#wires;
    const thread = execution.threadNamed(name);
    const cpu = new QemuCpu(this.#wires, thread);
    await cpu.refresh();
    const memory = new QemuMemory(execution, target, bulk, { thread, writable });
    const stopped = { execution, target, symbols, thread };
    return {
      cpu,
      memory,
      source: new QemuSource(stopped),
      variables: new QemuVariables(stopped, memory, cpu),
      paging: new QemuPaging(execution, target, thread),
      addresses: { ...addresses, evaluate: (text) => execution.atRest(() => target.on(thread, () => evaluate(text))) },
    };
  }
}
