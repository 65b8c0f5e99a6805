import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const variable = 'TESTS_IN_FOLDER';

/** All that tests make in temporary folders is gone after them: workers are ended by a signal, and have no time to clean up. */
export function setup(): (() => void) | undefined {
  // Asked once for each project.
  if (process.env[variable] !== undefined) return undefined;
  // Short, for the sake of sockets below it.
  const folder = mkdtempSync(join(tmpdir(), 't-'));
  process.env[variable] = folder;
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
