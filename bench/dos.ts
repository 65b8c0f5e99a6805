import { DosSystem } from '../src/machines/dos/board/dos-system.ts';
import { noWires, pcOptions } from '../src/machines/dos/board/system-testing.ts';
import { dosCpuTable } from './dos-cpu.ts';
import { dosProgramsTables, dosWatchingTable } from './dos-programs.ts';
import type { Bench, Table } from './harness/bench.ts';
import { timedMs } from './harness/clock.ts';
import { median } from './harness/statistics.ts';

const rounds = 15;

export const dosBench: Bench = {
  summary:
    'The DOS PC: instructions a CPU-second with graph and catalogue recorded, whole programs, what watching costs, and what a snapshot takes.',
  async run(progress) {
    progress('processor …');
    const processor = await dosCpuTable();
    const programs = await dosProgramsTables(progress);
    progress('conditions and traces …');
    const watching = await dosWatchingTable();
    progress('snapshots …');
    return [processor, ...programs, watching, await snapshots()];
  },
};

async function snapshots(): Promise<Table> {
  const system = new DosSystem(pcOptions({ instructionsPerSecond: 4_000_000, extendedKilobytes: 1024 }), noWires);
  system.board.run(4_000_000);
  const state = system.board.snapshot();
  const services = system.save();
  const save: number[] = [];
  const restore: number[] = [];
  for (let round = 0; round < rounds; round++) {
    save.push(
      await timedMs(async () => {
        system.board.snapshot();
        system.save();
      }),
    );
    restore.push(
      await timedMs(async () => {
        system.board.restore(state);
        system.restore(services);
      }),
    );
  }
  const ms = (values: readonly number[]) => `${median(values).toFixed(2)} ms`;
  return {
    title: 'Snapshots',
    rows: [
      { what: 'save', measured: ms(save), best: `${Math.min(...save).toFixed(2)} ms` },
      { what: 'restore', measured: ms(restore), best: `${Math.min(...restore).toFixed(2)} ms` },
    ],
    notes: [`One copy of ${(state.length / 1024 / 1024).toFixed(1)} MiB, and what BIOS and DOS keep outside of it.`],
  };
}
