/** `npm run suite:drive -- [DIRECTORIES]`: the 1541 and the datasette with original ROMs from folders as `--roms` has them. */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { originalRoms, romFoldersOfSuites } from './commodore/original-roms.ts';

const folders = (process.argv[2] ?? romFoldersOfSuites()).split(',').filter(Boolean);
const originals = await originalRoms(folders.join());
if ('problem' in originals || originals.driveRoms['1541'] === undefined) {
  console.error('problem' in originals ? originals.problem : `No ROM of a 1541: ${originals.description}.`);
  process.exit(2);
}
const env = { ...process.env, FRONTPANEL_ROMS: folders.map((folder) => resolve(folder)).join() };
process.exit(spawnSync('npx', ['vitest', 'run', 'test/with-roms'], { stdio: 'inherit', env }).status ?? 1);
