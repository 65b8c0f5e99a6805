/**
 * Runs a machine with random inputs twice, and a third time through random snapshots and restores, here and in other machines:
 * `npm run suite:determinism -- [c64|vic20|plus4|dos] [--frames 100000] [--snapshots 100] [--seed 1]`. All three must end with one hash.
 */
import { parseArgs } from 'node:util';
import { generator, RandomC64 } from '../test/support/random-c64.ts';
import { RandomDos } from '../test/support/random-dos.ts';
import { RandomPlus4 } from '../test/support/random-plus4.ts';
import { RandomVic20 } from '../test/support/random-vic20.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    frames: { type: 'string', default: '100000' },
    snapshots: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
});
const [frames, snapshots, seed] = [Number(values.frames), Number(values.snapshots), Number(values.seed)];

const machines = { c64: RandomC64, vic20: RandomVic20, plus4: RandomPlus4, dos: RandomDos } as const;
const kind = positionals[0] ?? 'c64';
if (kind !== 'c64' && kind !== 'vic20' && kind !== 'plus4' && kind !== 'dos') {
  console.error('usage: npm run suite:determinism -- [c64|vic20|plus4|dos] [--frames N] [--snapshots N] [--seed N]');
  process.exit(2);
}

interface RandomMachine {
  runFrame(frame: number): void;
  save(): unknown;
  restore(saved: unknown): void;
  hash(): string;
}

const newMachine = (): RandomMachine => new machines[kind](seed);

const runs = [
  { name: 'first', run: straight },
  { name: 'again', run: straight },
  { name: `through ${snapshots} snapshots`, run: withSnapshots },
];
const hashes = new Set<string>();
const began = performance.now();
for (const { name, run } of runs) {
  const start = performance.now();
  const hash = run();
  hashes.add(hash);
  console.log(`${name.padEnd(24)} ${frames} frames  ${hash}  ${((performance.now() - start) / 1000).toFixed(1)} s`);
}
const verdict = hashes.size === 1 ? 'one hash' : `${hashes.size} DIFFERENT HASHES`;
console.log(`${verdict} after ${((performance.now() - began) / 1000).toFixed(1)} s`);
process.exitCode = hashes.size === 1 ? 0 : 1;

function straight(): string {
  const machine = newMachine();
  for (let frame = 0; frame < frames; frame++) machine.runFrame(frame);
  return machine.hash();
}

/** At random frames: a snapshot, some frames that are thrown away, and back, every second time in another machine. */
function withSnapshots(): string {
  const random = generator(seed + 1);
  const places = new Set(Array.from({ length: snapshots }, () => random(frames)));
  let machine = newMachine();
  let other = newMachine();
  let taken = 0;
  for (let frame = 0; frame < frames; frame++) {
    if (places.has(frame)) {
      const snapshot = machine.save();
      for (let lost = 1 + random(40); lost > 0; lost--) machine.runFrame(random(frames));
      if (taken++ % 2 === 1) [machine, other] = [other, machine];
      machine.restore(snapshot);
    }
    machine.runFrame(frame);
  }
  return machine.hash();
}
