/** Uses machines of every kind over MCP all the time and measures what that costs: `npm run soak -- --minutes 30`. */
import { spawnSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { soak } from '../test/soak/server-soak.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) {
  console.error('usage: npm run soak -- [--minutes N]');
  process.exit(2);
}
if (spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' }).status !== 0) process.exit(1);
const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
console.log(`${minutes} minutes on ${machine}`);
const report = await soak(minutes * 60_000, console.log);
console.log(JSON.stringify(report, undefined, 1));
process.exit(report.problems.length === 0 ? 0 : 1);
