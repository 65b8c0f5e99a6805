import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'fp-fuzz-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** For readers that want a file: one that holds these bytes until the next call with its name. */
export function fileWith(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

export const scratchFolder = folder;
