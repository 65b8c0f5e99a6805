// Runs a program of the packages in `tools`, which are installed when the first of them is wanted: `node scripts/tool.js NAME ARGUMENT…`.
// Without a name it only installs them.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tools = join(root, 'tools');
const installed = join(tools, 'node_modules', '.package-lock.json');

if (!isInstalled()) run('npm', ['ci'], { cwd: tools, stdio: ['ignore', 'ignore', 'inherit'] });
const [name, ...options] = process.argv.slice(2);
if (name !== undefined) run(join(tools, 'node_modules', '.bin', name), options, { stdio: 'inherit' });

function isInstalled() {
  const wanted = ['package.json', 'package-lock.json'].map((file) => statSync(join(tools, file)).mtimeMs);
  return existsSync(installed) && statSync(installed).mtimeMs >= Math.max(...wanted);
}

function run(command, options, how) {
  const { status, error } = spawnSync(command, options, how);
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
