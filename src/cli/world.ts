import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dialects } from '../dialects/index.ts';
import { PathRoots } from '../host/path-roots.ts';
import { ProcessGuard } from '../host/process-guard.ts';
import { openRuntimeDir } from '../host/runtime-dir.ts';
import { openNewPrivateFile } from '../host/safe-file.ts';
import type { Endpoint } from '../host/server-record.ts';
import { kinds } from '../machines/index.ts';
import { Rack } from '../rack/rack.ts';
import { conformanceSurface } from '../server/conformance/conformance-surface.ts';
import { dialectSurface } from '../server/dialect-surface.ts';
import { nativeSurface } from '../server/native-surface.ts';
import type { Surface } from '../server/surface.ts';
import { Confirmations } from '../tools/confirmations.ts';
import { tools } from '../tools/index.ts';
import { Toolbox } from '../tools/toolbox.ts';
import type { ConfigSections } from './config-sections.ts';
import type { Log } from './log.ts';
import type { OptionValues } from './options.ts';

/** Everything a server is made of, put together from the options. */
export interface World {
  readonly toolbox: Toolbox;
  readonly surface: Surface;
  /** Lets other programs of this user find the server. */
  announce(endpoint: Endpoint): void;
  close(): Promise<void>;
}

export async function openWorld(
  options: OptionValues,
  sections: ConfigSections,
  env: NodeJS.ProcessEnv,
  self: { readonly version: string; readonly command: readonly string[] },
  log: Log,
): Promise<World> {
  const runtime = await openRuntimeDir(env, { version: self.version });
  const guard = new ProcessGuard();
  const roots = new PathRoots(options.allowPath);
  const rack = new Rack(
    kinds,
    {
      runtimeDir: runtime.dir,
      settings: {
        terminal: options.terminal,
        serialLinks: options.serialLinks,
        allowCommands: options.allowCommands,
        consoleCommands: sections.consoleCommands,
        allowedDevices: options.allowDevices,
        keptPlaces: new Map(),
        maxAnnotations: options.maxAnnotations,
        romFolders: options.roms,
        qemuFolders: options.qemuDir,
        lock: options.lock,
        environment: env,
        selfCommand: self.command,
      },
      allowedPath: (path, use) => roots.allowed(path, use),
      readFile,
      writeNewFile,
      guardProcessGroup(pid) {
        const forget = guard.guard(pid);
        runtime.recordProcessGroup(pid);
        return () => {
          forget();
          runtime.forgetProcessGroup(pid);
        };
      },
      log,
      ...(options.journal !== undefined && { journalSink: fileSink(options.journal, log) }),
    },
    {
      machines: options.maxMachines,
      traceBytes: options.maxTraceBytes,
      idleTimeoutMs: options.idleTimeout * 1000,
    },
  );
  rack.events.onEvent(({ machine, type, text }) => log('info', `${machine} ${type}: ${text}`));
  const toolbox = new Toolbox(
    tools,
    options.dialect === undefined ? options.toolset : ['all'],
    rack,
    new Confirmations(!options.yes, () => randomBytes(9).toString('base64url')),
    (error, tool) => log('error', `${tool}: ${error instanceof Error ? error.stack : String(error)}`),
  );
  const surface = surfaceOf(options, toolbox);
  return {
    toolbox,
    surface: options.conformance ? conformanceSurface(surface) : surface,
    announce: (endpoint) => runtime.announce(endpoint),
    async close() {
      await rack.close();
      await guard.close();
      await runtime.close();
    },
  };
}

function surfaceOf(options: OptionValues, toolbox: Toolbox): Surface {
  const dialect = dialects.find(({ name }) => name === options.dialect);
  if (dialect) {
    const configured = dialect.configured?.({ cfgCpu: options.cfgCpu }) ?? dialect;
    return dialectSurface(configured, toolbox, options.dialectNames);
  }
  return nativeSurface(toolbox, {
    structured: options.structured,
    omitImages: options.imageResponses === 'omit',
  });
}

async function writeNewFile(path: string, bytes: Uint8Array): Promise<void> {
  const file = await openNewPrivateFile(path);
  try {
    await file.writeFile(bytes);
  } finally {
    await file.close();
  }
}

/** Appends lines without waiting for the disk; a journal that cannot be written is not silent about it. */
function fileSink(path: string, log: Log): (line: string) => void {
  const file = createWriteStream(path, { flags: 'a', mode: 0o600 });
  file.on('error', (error) => log('error', `journal: ${error.message}`));
  return (line) => void file.write(`${line}\n`);
}
