/**
 * Our environments beside Gymnasium's own vectors, with its wrappers, and under PettingZoo's tests: `npm run suite:gym -- DIR …`,
 * where DIRs are folders with `gymnasium`, `pettingzoo` and what they import; none are needed where Python has them installed.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = process.argv.slice(2).map((folder) => resolve(folder));
const { PYTHON = '/usr/bin/python3', PYTHONPATH = '' } = process.env;
const script = `${root}/test/gym/libraries.py`;
const { status, error } = spawnSync(PYTHON, [script, process.execPath, `${root}/dist/cli.js`], {
  stdio: 'inherit',
  env: { ...process.env, PYTHONPATH: [...folders, PYTHONPATH].filter(Boolean).join(':'), PYTHONDONTWRITEBYTECODE: '1' },
});
if (error) console.error(`${PYTHON}: ${error.message}. PYTHON=… names another Python with numpy.`);
process.exitCode = status ?? 1;
