/**
 * Runs a C64 with random inputs twice, and a third time through random snapshots and restores, here and in other machines:
 * `npm run suite:determinism -- [--frames 100000] [--snapshots 100] [--seed 1]`. All three must end with one hash.
 */
import { parseArgs } from 'node:util';
import { generator, RandomC64 } from '../test/support/random-c64.ts';

const { values } = parseArgs({
  options: {
    frames: { type: 'string', default: '100000' },
    snapshots: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
});
const [frames, snapshots, seed] = [Number(values.frames), Number(values.snapshots), Number(values.seed)];

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
  const machine = new RandomC64(seed);
  for (let frame = 0; frame < frames; frame++) machine.runFrame(frame);
  return machine.hash();
}

/** At random frames: a snapshot, some frames that are thrown away, and back, every second time in another machine. */
function withSnapshots(): string {
  const random = generator(seed + 1);
  const places = new Set(Array.from({ length: snapshots }, () => random(frames)));
  let machine = new RandomC64(seed);
  let other = new RandomC64(seed);
  let taken = 0;
  for (let frame = 0; frame < frames; frame++) {
    if (places.has(frame)) {
      const snapshot = machine.board.snapshot();
      for (let lost = 1 + random(40); lost > 0; lost--) machine.runFrame(random(frames));
      if (taken++ % 2 === 1) [machine, other] = [other, machine];
      machine.board.restore(snapshot);
    }
    machine.runFrame(frame);
  }
  return machine.hash();
}
