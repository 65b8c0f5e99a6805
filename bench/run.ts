/** `npm run bench -- NAME … [--write]`: measures and prints; with `--write` also into `docs/benchmarks.md`. */
import { fileURLToPath } from 'node:url';
import type { Bench } from './harness/bench.ts';
import { describeComputer, loadAverage } from './harness/computer.ts';
import { writeSection } from './harness/document.ts';
import { markdownTable } from './harness/report.ts';

/**
 * Each loaded alone: what some of them use (test tools, fetch) detaches array buffers, after which the engine checks every
 * access to a typed array in the whole process, and machines run a fifth slower than users have them.
 */
const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  c64: async () => (await import('./c64.ts')).c64Bench,
  console: async () => (await import('./console.ts')).consoleBench,
  qemu: async () => (await import('./qemu.ts')).qemuBench,
  dos: async () => (await import('./dos.ts')).dosBench,
  rack: async () => (await import('./rack.ts')).rackBench,
  fleet: async () => (await import('./fleet.ts')).fleetBench,
  gym: async () => (await import('./gym.ts')).gymBench,
  page: async () => (await import('./page.ts')).pageBench,
};

const document = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url));

const args = process.argv.slice(2);
const write = args.includes('--write');
const wanted = args.filter((arg) => arg !== '--write');
const unknown = wanted.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`No bench ${unknown.join(', ')}. Benches: ${Object.keys(benches).join(', ')}; option: --write`);
  process.exit(2);
}

for (const [name, load] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const bench = await load();
  console.log(`${name}: ${bench.summary}`);
  const loadBefore = loadAverage();
  const began = Date.now();
  const tables = await bench.run((text) => console.log(`  ${text}`));
  const seconds = Math.round((Date.now() - began) / 1000);
  const facts =
    `${new Date().toISOString().slice(0, 10)}; ${describeComputer()}. ` +
    `Load average ${loadBefore} before and ${loadAverage()} after; the run took ${seconds} s.`;
  const text = [`## ${name}`, `${bench.summary}\n\n${facts}`, ...tables.map(markdownTable)].join('\n\n');
  console.log(`\n${text}\n`);
  const missed = tables.flatMap(({ rows }) => rows).filter(({ target }) => target?.met === false);
  console.log(missed.length === 0 ? 'All targets met.' : `Missed: ${missed.map(({ what }) => what).join('; ')}`);
  if (write) writeSection(document, name, text);
}
