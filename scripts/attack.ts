/** Attacks a server of this checkout in every way there is, and says whether anything got through: `npm run attack`. */
import { spawnSync } from 'node:child_process';
import { attack } from '../test/attack/attack.ts';

if (spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' }).status !== 0) process.exit(1);
const { cases, through } = await attack(console.log);
for (const line of through) console.log(`GOT THROUGH: ${line}`);
console.log(`${cases} cases, ${through.length} got through`);
process.exit(through.length === 0 && cases >= 500 ? 0 : 1);
