import { type BenchOptions, makeBench } from '../../../chips/x86/x86-testing.ts';
import type { BreakpointSpec } from '../../../machine/breakpoints.ts';
import type { PortWatcher } from '../board/port-map.ts';
import { DosAddresses } from './dos-addresses.ts';
import { DosBreakpoints } from './dos-breakpoints.ts';
import { writeRegister } from './dos-cpu.ts';
import { DosVocabulary } from './dos-vocabulary.ts';
import { InstructionHooks } from './instruction-hooks.ts';
import { MemoryWatches } from './memory-watches.ts';

/** A processor with everything that looks at it, and bytes at 1000:0100. */
export function desk(hex: string, options: BenchOptions = {}) {
  const ports: { watcher: PortWatcher | undefined } = { watcher: undefined };
  const bench = makeBench(hex, options);
  const { cpu } = bench;
  const addresses = new DosAddresses(cpu);
  const vocabulary = new DosVocabulary(cpu, addresses.symbols);
  const watches = new MemoryWatches(cpu);
  const events: string[] = [];
  const breakpoints = new DosBreakpoints({
    ...{ cpu, vocabulary, watches, ports },
    log: (text) => events.push(text),
    act: (event) =>
      event.type === 'poke' ? poke(event.address, event.bytes) : writeRegister(cpu, event.name, event.value),
    save: (breakpoint, hit) => `snapshot-${breakpoint}-${hit}`,
  });
  const poke = (address: number, bytes: Uint8Array) => {
    bench.ram.set(bytes, address);
    cpu.memoryReplaced(address, address + bytes.length - 1);
  };
  const hooks = new InstructionHooks(cpu);
  /** As an engine does: until a breakpoint, the end of the program or a count. */
  const run = (until = 10_000) => {
    for (;;) {
      const leaving = !breakpoints.jumped;
      const end = cpu.run(breakpoints.limit(until, leaving), leaving);
      const hit = breakpoints.check();
      if (hit) return hit;
      if (end.reason === 'halted' || cpu.instructions >= until) return undefined;
    }
  };
  const set = (type: string, address: number, more: Partial<BreakpointSpec> = {}) =>
    breakpoints.set({
      ...more,
      type,
      address: BigInt(address),
      length: more.length ?? 1,
      condition: more.condition,
      logOnly: more.logOnly ?? false,
      temporary: false,
    });
  return { ...bench, ports, addresses, vocabulary, watches, breakpoints, events, poke, hooks, run, set };
}
