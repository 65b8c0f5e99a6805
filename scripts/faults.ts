/** The faults of the test command again and again: `npm run faults -- --rounds N`. */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10' } } });
if (!(Number(values.rounds) > 0)) {
  console.error('usage: npm run faults -- [--rounds N]');
  process.exit(2);
}
if (spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' }).status !== 0) process.exit(1);
const env = { ...process.env, FAULT_ROUNDS: values.rounds };
process.exit(spawnSync('npx', ['vitest', 'run', 'test/faults'], { stdio: 'inherit', env }).status ?? 1);
