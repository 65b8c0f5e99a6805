/** `npm run suite:drive -- DIR`: the 1541 and the datasette with original ROMs, from a folder with C64/ and DRIVES/ as VICE has them. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [folder] = process.argv.slice(2);
if (folder === undefined || !existsSync(join(folder, 'DRIVES'))) {
  console.error('Give the folder that holds C64/ and DRIVES/ with the original ROMs.');
  process.exit(2);
}
const env = { ...process.env, FRONTPANEL_ROMS: resolve(folder) };
process.exit(spawnSync('npx', ['vitest', 'run', 'test/with-roms'], { stdio: 'inherit', env }).status ?? 1);
