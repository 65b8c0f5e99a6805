import { basename } from 'node:path';
import type { ToolHost } from '../api/tool-host.ts';
import { visibleJson } from '../api/visible.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { dialects } from '../dialects/index.ts';
import { AllowedFiles } from '../host/files/allowed-files.ts';
import { DroppedFiles } from '../host/files/dropped-files.ts';
import { OperatorFiles } from '../host/files/operator-files.ts';
import { StoredFiles } from '../host/files/stored-files.ts';
import { LineFile } from '../host/line-file.ts';
import { canTellPeers, strangerAt } from '../host/loopback-peer.ts';
import { ProcessGuard } from '../host/process-guard.ts';
import { ProfileFolder } from '../host/profile-folder.ts';
import { openRuntimeDir } from '../host/runtime-dir.ts';
import type { Endpoint } from '../host/server-record.ts';
import { PortServers } from '../ide/port-servers.ts';
import type { TeamFiles } from '../machine/files.ts';
import type { LineLeases } from '../machine/host.ts';
import type { PolicyRule } from '../machine/policy.ts';
import { ClaimedPlaces } from '../machines/console/claimed-places.ts';
import { LocalLeases } from '../machines/console/local-leases.ts';
import { kinds, limitHistory } from '../machines/index.ts';
import { type NameClaims, Rack } from '../rack/rack.ts';
import { conformanceSurface } from '../server/conformance/conformance-surface.ts';
import { dialectSurface } from '../server/dialect-surface.ts';
import { nativeSurface } from '../server/native-surface.ts';
import type { Surface } from '../server/surface.ts';
import { LocalToolHost } from '../station/local-tool-host.ts';
import type { Elsewhere } from '../tools/toolbox.ts';
import { embeddedScreen } from '../view/embedded-screen.ts';
import type { ConfigSections } from './config-sections.ts';
import { startDemo } from './demo.ts';
import { dialectValues } from './dialect-values.ts';
import { exeFolder } from './exe-folder.ts';
import type { Log } from './log.ts';
import type { EarlyThread } from './new-thread.ts';
import { openToolbox } from './open-toolbox.ts';
import { operatorPlaces } from './operator-places.ts';
import type { OptionValues } from './options.ts';
import { policyOf } from './policy.ts';
import { machineSettings, rackLimits } from './rack-settings.ts';
import { openThreads } from './threads.ts';

/** Everything a server is made of, put together from the options. */
export interface World {
  readonly rack: Rack;
  readonly host: ToolHost;
  readonly surface: Surface;
  /** Starts a machine that no client has asked for, whose tools come when one works with it. */
  showDemo(): Promise<void>;
  /** Starts what the dialect needs before a client comes. */
  prepare(): Promise<void>;
  /** Lets other programs of this user find the server. */
  announce(endpoint: Endpoint): void;
  stop(machine: string, why: string): Promise<void>;
  /** The consoles of a machine, and what their sockets in this server's directory begin with. */
  socketsOf(machine: string): readonly { readonly name: string; readonly file: string }[];
  readonly socketDirectory: string;
  /** A picture that was taken around a call, as PNG, as long as it is kept. */
  still(number: number): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

/** What a fleet changes: where names are claimed, or that the machines are on other hosts. */
export interface FleetPart {
  readonly fleetHost?: string;
  readonly names?: NameClaims;
  readonly leases?: LineLeases;
  readonly store?: TeamFiles;
  readonly gateway?: {
    readonly elsewhere: Elsewhere;
    /** What operators of other hosts allow. */
    rules(): readonly PolicyRule[];
    /** `directory` is for sockets of consoles. */
    open(local: ToolHost, rack: Rack, directory: string): Promise<ToolHost>;
  };
}

export async function openWorld(
  options: OptionValues,
  sections: ConfigSections,
  env: NodeJS.ProcessEnv,
  self: { readonly version: string; readonly command: readonly string[] },
  log: Log,
  introducePage?: () => Promise<string | undefined>,
  { fleetHost, names, leases, store, gateway }: FleetPart = {},
  { endsWithCall = false, early }: { readonly endsWithCall?: boolean; readonly early?: EarlyThread | undefined } = {},
): Promise<World> {
  const programs = options.exe === undefined ? [] : [await exeFolder(options.exe)];
  const runtime = await openRuntimeDir(env, { version: self.version, report: (text) => log('error', text) });
  const guard = new ProcessGuard();
  const operators = operatorPlaces(options, sections, env, runtime.root);
  const roots = { read: [...options.allowRead, ...programs], write: options.allowPath };
  const allowed = new AllowedFiles(roots, new OperatorFiles(operators));
  const files = new DroppedFiles(allowed);
  const journal = options.journal === undefined ? undefined : jsonLines('journal', options.journal, log);
  const audit = options.audit === undefined ? undefined : jsonLines('audit', options.audit, log);
  limitHistory(options.maxHistoryBytes);
  const keptPlaces = new ClaimedPlaces({ directory: runtime.root });
  const threads =
    options.threads > 0 && !gateway
      ? await openThreads({ options, sections, env, self, runtimeDir: runtime.dir, programs, operators }, log, early)
      : undefined;
  const rack = new Rack(
    kinds,
    {
      runtimeDir: runtime.dir,
      settings: {
        ...machineSettings(options, env, self.command),
        keptPlaces,
        fleetHost,
        leases: leases ?? new LocalLeases(runtime.root),
      },
      files: store ? new StoredFiles(files, store) : files,
      profiles: ProfileFolder.ofUser(env),
      policy: policyOf(options, sections),
      ...(gateway && { furtherRules: () => gateway.rules() }),
      guardProcessGroup(pid) {
        const forget = guard.guard(pid);
        runtime.recordProcessGroup(pid);
        return () => {
          forget();
          runtime.forgetProcessGroup(pid);
        };
      },
      log,
      ...(journal && { journalSink: (line: string) => journal.write(visibleJson(line)) }),
      ...(introducePage && { introducePage }),
      names,
      debugPorts: () => debugPorts,
      ...(audit && { auditSink: (line: string) => audit.write(visibleJson(line)) }),
    },
    { ...rackLimits(options), endsWithCall },
  );
  threads?.join(rack);
  rack.events.onEvent(({ machine, type, text }) => log('info', `${machine} ${type}: ${text}`));
  const toolbox = openToolbox(options, { rack, log, elsewhere: gateway?.elsewhere ?? threads?.elsewhere });
  const local = new LocalToolHost(toolbox, (name, bytes) => files.drop(name, bytes));
  const withThreads = threads?.open(local, {
    ...{ rack, toolbox },
    debugPorts: () => debugPorts,
    dropped: (path) => files.read(path, Number.POSITIVE_INFINITY),
    store,
    writeAudit: (line) => audit?.write(visibleJson(line)),
  });
  if (early) threads?.warmUp();
  const host = gateway ? await gateway.open(local, rack, runtime.dir) : (withThreads ?? local);
  const debugPorts: PortServers = new PortServers(host, options.allowDebuggers, {
    ...{ canTellPeers, strangerAt },
    log: (text) => log('error', text),
  });
  const dialect = dialectOf(options, self.version);
  const surface = surfaceOf(options, dialect, host);
  return {
    rack,
    host,
    surface: options.conformance ? conformanceSurface(surface) : surface,
    showDemo: () => toolbox.shelf.unasked(() => threads?.showDemo() ?? startDemo(rack)),
    prepare: async () => dialect?.prepare?.(host, dialectValues(dialect.name, options)),
    announce: (endpoint) => runtime.announce(endpoint),
    async stop(machine, why) {
      await (threads?.stop(machine, why) ?? rack.stop(machine, why));
    },
    socketsOf: (machine) => threads?.socketsOf(machine) ?? socketsOf(rack, machine),
    socketDirectory: runtime.dir,
    still: (number) => toolbox.stills.read(number),
    async close() {
      debugPorts.closeAll();
      await threads?.close();
      await rack.close();
      await keptPlaces.close();
      await guard.close();
      await runtime.close();
      await Promise.all([journal?.close(), audit?.close()]);
    },
  };
}

function socketsOf(rack: Rack, machine: string) {
  const ports = rack.machines.find(({ handle }) => handle === machine)?.machine.console?.ports ?? [];
  return ports.map(({ name, humans }) => ({ name, file: basename(humans.socketOut, '.out') }));
}

function dialectOf(options: OptionValues, version: string): Dialect | undefined {
  const dialect = dialects.find(({ name }) => name === options.dialect);
  return dialect?.configured?.(dialectValues(dialect.name, options), { version }) ?? dialect;
}

function surfaceOf(options: OptionValues, dialect: Dialect | undefined, host: ToolHost): Surface {
  if (dialect) return dialectSurface(dialect, host, options.dialectNames);
  const style = { structured: options.structured, omitImages: options.imageResponses === 'omit' };
  return nativeSurface(host, style, [embeddedScreen]);
}

function jsonLines(what: string, path: string, log: Log): LineFile {
  return new LineFile(path, {
    report: (text) => log('error', `${what}: ${text}`),
    lossLine: (lost) => JSON.stringify({ time: new Date().toISOString(), lost }),
  });
}
