import type { CoreMemory } from '../../../formats/elf/core-memory.ts';
import type { AddressCapability } from '../../../machine/addresses.ts';
import type { ChipsCapability } from '../../../machine/chips.ts';
import type { CrashCapability } from '../../../machine/crash.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { HostFile } from '../../../machine/files.ts';
import type { Machine } from '../../../machine/machine.ts';
import type { Status } from '../../../machine/state.ts';
import type { Bulk } from '../debug/bulk-memory.ts';
import { withLinux } from '../debug/crash/linux-crash.ts';
import { QemuCrash } from '../debug/crash/qemu-crash.ts';
import { evaluate } from '../debug/evaluate.ts';
import { described, guestAddresses } from '../debug/guest-addresses.ts';
import { QemuPaging } from '../debug/paging/qemu-paging.ts';
import { ProcessorChip } from '../debug/processor-chip.ts';
import { QemuCpu } from '../debug/qemu-cpu.ts';
import { QemuMemory } from '../debug/qemu-memory.ts';
import { QemuProcessors } from '../debug/qemu-processors.ts';
import { Target } from '../debug/target.ts';
import { TargetVocabulary } from '../debug/target-vocabulary.ts';
import { QemuLinux } from '../linux/qemu-linux.ts';
import { QemuSource } from '../source/qemu-source.ts';
import { QemuVariables } from '../source/qemu-variables.ts';
import { QemuSymbols } from '../symbols/qemu-symbols.ts';
import { SymbolLoader } from '../symbols/symbol-loader.ts';
import type { Disassembler } from './core-disassembler.ts';
import { CoreRest } from './core-rest.ts';
import type { CoreState } from './core-state.ts';
import { CoreStub } from './core-stub.ts';

const readOnly = { writable: false };

interface CoreParts {
  readonly file: Pick<HostFile, 'path' | 'close'>;
  readonly memory: CoreMemory;
  readonly state: CoreState;
  readonly disassembler: Disassembler;
}

/** A machine that was, from its core file: all that a stopped guest shows, and nothing that would run or change it. */
export class CoreMachine implements Machine {
  readonly kind = 'qemu';
  readonly missingBecause = 'it is a core file, in which nothing runs or changes';
  readonly cpu: QemuCpu;
  readonly processors: QemuProcessors;
  readonly chips: ChipsCapability;
  readonly memory: QemuMemory;
  readonly paging: QemuPaging;
  readonly crash: CrashCapability;
  readonly source: QemuSource;
  readonly variables: QemuVariables;
  readonly linux: QemuLinux;
  readonly symbols: SymbolLoader;
  readonly addresses: AddressCapability;
  readonly #parts: CoreParts;
  readonly #rest: CoreRest;

  static async open(parts: CoreParts): Promise<CoreMachine> {
    const machine = new CoreMachine(parts);
    await machine.#rest.atRest(() => machine.#rest.refresh());
    return machine;
  }

  private constructor(parts: CoreParts) {
    const { state, memory, disassembler, file } = parts;
    this.#parts = parts;
    const stub = new CoreStub(memory, state, disassembler);
    const threads = state.processors.map((_, n) => `p01.${(n + 1).toString(16)}`);
    const target = new Target(stub, stub, state.arch, threads[state.selected] ?? 'p01.1');
    stub.attach(target);
    const rest = new CoreRest(target, threads);
    this.#rest = rest;
    const names = new QemuSymbols();
    this.symbols = new SymbolLoader(names);
    const vocabulary = new TargetVocabulary(target, names);
    this.addresses = guestAddresses(rest, target, names, vocabulary);
    const bulk: Bulk = {
      read: async (space, address, length) => (space === 'physical' ? memory.read(address, length) : undefined),
    };
    const wires = { name: state.description.architecture || state.arch, execution: rest, target, symbols: names };
    this.cpu = new QemuCpu(wires);
    this.processors = new QemuProcessors({
      ...wires,
      ...readOnly,
      bulk,
      addresses: this.addresses,
      evaluate: (text) => evaluate(text, vocabulary, target.names),
    });
    this.chips = { chips: [new ProcessorChip(this.cpu)] };
    this.memory = new QemuMemory(rest, target, bulk, readOnly);
    this.paging = new QemuPaging(rest, target);
    const stopped = { execution: rest, target, symbols: names };
    this.source = new QemuSource(stopped);
    this.variables = new QemuVariables(stopped, this.memory, this.cpu);
    this.linux = new QemuLinux(rest, target, bulk, names);
    const crash = new QemuCrash(rest, target, names, async () => state.log);
    this.crash = {
      explain: async () => withLinux(await crash.explain(), this.linux),
      dump: () => Promise.reject(alreadyOne(file.path)),
    };
  }

  status(): Status {
    const { state } = this.#parts;
    const many = state.processors.length > 1 ? [`vcpu ${this.cpu.vcpu} of ${state.processors.length}`] : [];
    return {
      state: 'PAUSED',
      ...(state.timeMs !== undefined && { time: `${(state.timeMs / 1000).toFixed(1)} s` }),
      where: described(this.addresses, this.#rest.pc),
      notes: [...many, 'core file'],
    };
  }

  introduction(): readonly string[] {
    const { state, file } = this.#parts;
    const count = state.processors.length;
    return [
      `Core file ${file.path}: ${state.arch}, ${count} processor${count === 1 ? '' : 's'}; it can be read, not run or changed`,
      ...(count > 1 ? [`Processors: vcpu0 to vcpu${count - 1}; name one: "cpu":"vcpu1"`] : []),
      ...(state.isWhole
        ? []
        : [
            'It was not written by this program: it has only the registers that QEMU tells every debugger' +
              (this.#parts.state.description.architecture.startsWith('i386')
                ? ''
                : ', and not how virtual addresses are translated; use physical ones'),
          ]),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.disassembler[Symbol.asyncDispose]();
    this.#parts.file.close();
  }
}

function alreadyOne(path: string): MachineError {
  return new MachineError('MISSING_CAPABILITY', 'It is a core file already.', `Copy ${path} instead.`);
}
