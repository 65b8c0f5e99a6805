/** Faults at random in a fleet of processes: `npm run chaos -- --minutes 10 --seed 1`. The same seed makes the same choices. */
import { parseArgs } from 'node:util';
import { runChaos } from '../test/support/fleet-chaos.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error('--minutes is a number above 0, --seed a whole number.');
  process.exit(2);
}
const began = performance.now();
const report = await runChaos(seed, minutes * 60, (text) =>
  console.log(`${((performance.now() - began) / 1000).toFixed(1)} s: ${text}`),
);
const { faults, calls, refused, longestMs, violations } = report;
console.log(
  `Faults: ${Object.entries(faults)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(', ')}.`,
);
console.log(
  `${calls} calls, ${refused} of them answered with an error, the longest after ${(longestMs / 1000).toFixed(1)} s.`,
);
for (const violation of violations) console.error(`VIOLATION ${violation}`);
console.log(
  violations.length === 0
    ? 'No violations.'
    : `${violations.length} ${violations.length === 1 ? 'violation' : 'violations'}.`,
);
process.exit(violations.length === 0 ? 0 : 1);
