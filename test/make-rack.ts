import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kind } from '../src/machine/kind.ts';
import { Rack, type RackLimits, type RackServices } from '../src/rack/rack.ts';

const runtimeDirs: string[] = [];
process.once('exit', () => {
  for (const path of runtimeDirs) rmSync(path, { recursive: true, force: true });
});

/** Nothing that is installed on this computer makes a difference: built-in machines have their own ROMs. */
export const settings: RackServices['settings'] = {
  terminal: 'auto',
  serialLinks: false,
  allowCommands: true,
  maxAnnotations: 1000,
  romFolders: ['own'],
  lock: undefined,
  environment: {},
  selfCommand: [],
};

/** A rack as the command line would build it, in a directory of its own. */
export function makeRack(
  kinds: readonly Kind[],
  limits: Partial<RackLimits> = {},
  services: Partial<RackServices> = {},
): Rack {
  const runtimeDir = mkdtempSync(join(tmpdir(), 'fp-'));
  runtimeDirs.push(runtimeDir);
  return new Rack(
    kinds,
    {
      runtimeDir,
      settings,
      allowedPath: async (path) => path,
      readFile: async (path) => readFileSync(path),
      writeNewFile: async (path, bytes) => writeFileSync(path, bytes, { flag: 'wx' }),
      guardProcessGroup: () => () => {},
      log: () => {},
      ...services,
    },
    { machines: 32, traceBytes: 10_000_000, idleTimeoutMs: 0, ...limits },
  );
}
