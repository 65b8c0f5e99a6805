#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

try {
  const { main } = await import('./cli/main.ts');
  process.exitCode = await main({
    argv: process.argv.slice(2),
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    self: { version, command: [process.execPath, ...process.execArgv, here] },
  });
} catch (error) {
  if (!(error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE'))) throw error;
  process.stderr.write(
    'frontpanel: this process may not open enough files (EMFILE).\nRaise the limit: ulimit -n 1024\n',
  );
  process.exitCode = 1;
}
