import { z } from 'zod';
import { makeBench } from '../../src/chips/x86/x86-testing.ts';
import type { ControlCapability } from '../../src/machine/control.ts';
import { defineKind } from '../../src/machine/kind.ts';
import type { Machine } from '../../src/machine/machine.ts';
import type { Stop } from '../../src/machine/state.ts';
import { DosAddresses } from '../../src/machines/dos/debug/dos-addresses.ts';
import { DosBreakpoints } from '../../src/machines/dos/debug/dos-breakpoints.ts';
import { DosCpu } from '../../src/machines/dos/debug/dos-cpu.ts';
import { DosFreeze } from '../../src/machines/dos/debug/dos-freeze.ts';
import { DosFunctions } from '../../src/machines/dos/debug/dos-functions.ts';
import { DosGraph } from '../../src/machines/dos/debug/dos-graph.ts';
import { DosMemory } from '../../src/machines/dos/debug/dos-memory.ts';
import { DosVocabulary } from '../../src/machines/dos/debug/dos-vocabulary.ts';
import { MemoryWatches } from '../../src/machines/dos/debug/memory-watches.ts';

/** A processor, memory and a program at 1000:0100: as much of a PC as debugging needs. */
class BenchMachine implements Machine {
  readonly kind = 'dos';
  readonly #bench = makeBench('e80500 e80200 ebfe 40 c3');
  readonly #cpu = this.#bench.cpu;
  readonly addresses = new DosAddresses(this.#cpu);
  readonly cpu = new DosCpu(this.#cpu, this.addresses);
  readonly graph = new DosGraph(this.#cpu, this.addresses.symbols);
  readonly functions = new DosFunctions(this.#cpu, this.addresses.symbols, this.graph);
  readonly #watches = new MemoryWatches(this.#cpu);
  readonly #poke = (address: number, bytes: Uint8Array) => {
    this.#bench.ram.set(bytes, address);
    this.#cpu.memoryReplaced(address, address + bytes.length - 1);
  };
  readonly memory = new DosMemory({
    cpu: this.#cpu,
    freeze: new DosFreeze(this.#cpu, this.#watches, this.#poke),
    poke: this.#poke,
    extra: () => [],
  });
  readonly breakpoints = new DosBreakpoints({
    cpu: this.#cpu,
    vocabulary: new DosVocabulary(this.#cpu, this.addresses.symbols),
    watches: this.#watches,
    ports: { watcher: undefined },
    log: () => {},
    act: () => {},
    save: () => '',
  });
  #stops = 0;
  running = false;
  holds = 0;

  status() {
    const where = this.addresses.format(this.cpu.pc);
    return { state: this.running ? ('RUNNING' as const) : ('PAUSED' as const), where };
  }

  readonly control: ControlCapability = {
    run: async () => this.#stop(this.#cpu.run(this.breakpoints.limit(this.#cpu.instructions + 100)).reason),
    pause: async () => {
      this.running = false;
      return this.#stop('pause');
    },
    step: async () => this.#stop(this.#cpu.step().reason),
    reset: async () => {},
    canRewind: false,
    hold: async () => {
      this.holds++;
      return () => void this.holds--;
    },
  };

  async [Symbol.asyncDispose]() {}

  #stop(reason: string): Stop {
    return { seq: ++this.#stops, cause: 'step', reason };
  }
}

export const benches: BenchMachine[] = [];

export const benchKind = defineKind({
  kind: 'dos',
  summary: 'A processor and memory.',
  options: z.strictObject({}),
  async start() {
    const bench = new BenchMachine();
    benches.push(bench);
    return bench;
  },
});
