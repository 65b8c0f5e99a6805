import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AllowedFiles } from '../src/host/files/allowed-files.ts';
import { openPolicy } from '../src/host/policy/open-policy-testing.ts';
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
      files: new AllowedFiles({ read: [], write: ['/'] }),
      policy: openPolicy,
      guardProcessGroup: () => () => {},
      log: () => {},
      ...services,
    },
    { machines: 32, traceBytes: 10_000_000, idleTimeoutMs: 0, ...limits },
  );
}
