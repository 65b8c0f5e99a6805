/** More fuzzing than the test command does: `npm run fuzz -- --minutes N --seed S`, and words to choose by file name. */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('usage: npm run fuzz -- [--minutes N] [--seed S] [parsers|tools|http]');
  process.exit(2);
}

const wanted = positionals.length > 0 ? positionals : ['parsers', 'tools', 'http'];
console.log(`seed ${seed}, ${minutes} minutes for ${wanted.join(', ')}`);
const env = {
  ...process.env,
  FUZZ_SEED: String(seed),
  FUZZ_MS: String((minutes * 60_000) / wanted.length),
  // Of the cases over HTTP each takes some milliseconds.
  FUZZ_RUNS: String(Math.round((minutes * 60_000) / wanted.length / 40)),
};
if (spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' }).status !== 0) process.exit(1);
const files = wanted.map((name) => `test/fuzz/${name}`);
const { status } = spawnSync('npx', ['vitest', 'run', '--no-file-parallelism', ...files], { stdio: 'inherit', env });
console.log(`seed ${seed}`);
process.exit(status ?? 1);
