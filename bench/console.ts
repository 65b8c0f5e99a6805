import { latency } from './console/latency.ts';
import { load } from './console/load.ts';
import { protocol } from './console/protocol.ts';
import { reaction } from './console/reaction.ts';
import { start } from './console/start.ts';
import { throughput } from './console/throughput.ts';
import type { Bench, Table } from './harness/bench.ts';

const measurements = { throughput, latency, load, reaction, start, protocol };

export const consoleBench: Bench = {
  summary: 'Serial consoles: the built program over stdio, against `socat` in the same rounds.',
  async run(progress) {
    const tables: Table[] = [];
    for (const [name, measure] of Object.entries(measurements)) {
      progress(`${name} …`);
      tables.push(await measure());
    }
    return tables;
  },
};
