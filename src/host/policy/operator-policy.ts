import type { WritePolicy } from '../../machine/console.ts';
import type { CommandPreset } from '../../machine/host.ts';
import type { Policy, PolicyRule } from '../../machine/policy.ts';
import { TcpRules } from './tcp-rules.ts';

/** As the options of the command line and the configuration have it. */
export interface PolicySettings {
  /** Empty: every kind. */
  readonly kinds: readonly string[];
  readonly tcp: readonly string[];
  readonly networks: readonly string[];
  readonly commands: boolean;
  readonly monitor: boolean;
  /** Where `monitor` does not allow all of them. */
  readonly monitorCommands: readonly string[];
  readonly debuggers: boolean;
  readonly devices: readonly string[];
  readonly consoleCommands: Readonly<Record<string, CommandPreset>>;
  readonly keptConsoles: Readonly<Record<string, WritePolicy>>;
  readonly readFolders: readonly string[];
  readonly writeFolders: readonly string[];
  /** What a configuration file says that was found and not named, and that therefore does not hold. */
  readonly leftOut?: readonly string[];
}

export class OperatorPolicy implements Policy {
  readonly kinds: readonly string[] | undefined;
  readonly networks: readonly string[];
  readonly devices: readonly string[];
  readonly consoleCommands: Readonly<Record<string, CommandPreset>>;
  readonly keptConsoles: Readonly<Record<string, WritePolicy>>;
  readonly rules: readonly PolicyRule[];
  readonly #tcp: TcpRules;

  constructor(settings: PolicySettings) {
    this.kinds = settings.kinds.length === 0 ? undefined : settings.kinds;
    this.networks = settings.networks;
    this.devices = settings.devices;
    this.consoleCommands = settings.consoleCommands;
    this.keptConsoles = settings.keptConsoles;
    this.#tcp = new TcpRules(settings.tcp);
    this.rules = rulesOf(settings);
  }

  tcpHost(host: string, port: number): Promise<string> {
    return this.#tcp.host(host, port);
  }
}

function rulesOf(settings: PolicySettings): PolicyRule[] {
  const {
    kinds,
    tcp,
    networks,
    commands,
    monitor,
    debuggers,
    devices,
    readFolders,
    writeFolders,
    leftOut = [],
  } = settings;
  const consoles = Object.entries(settings.keptConsoles).map(([name, writing]) => `${name} (writing: ${writing})`);
  return [
    { topic: 'kinds', allows: list(kinds, 'all'), option: '--allow-kinds' },
    { topic: 'files to read and write below', allows: list(writeFolders, 'none'), option: '--allow-path' },
    { topic: 'files to read below', allows: list(readFolders, 'nothing more'), option: '--allow-read' },
    { topic: 'TCP', allows: list(tcp, 'none'), option: '--allow-tcp' },
    { topic: 'guest networks', allows: list(networks, 'none'), option: '--allow-networks' },
    { topic: 'programs that agents name', allows: commands ? 'any' : 'none', option: '--allow-commands' },
    {
      topic: 'commands as consoles',
      allows: list(Object.keys(settings.consoleCommands), 'none'),
      option: '"console-commands"',
    },
    { topic: 'devices', allows: list(['serial hardware', ...devices], 'none'), option: '--allow-devices' },
    {
      topic: "commands for QEMU's monitor",
      allows: monitor ? 'any' : list(settings.monitorCommands.map(monitorWords), 'none'),
      option: monitor ? '--allow-monitor' : '--allow-monitor-commands',
    },
    { topic: 'ports for debuggers', allows: debuggers ? 'on loopback' : 'none', option: '--allow-debuggers' },
    { topic: 'kept consoles', allows: list(consoles, 'none'), option: '"consoles"' },
    ...(leftOut.length > 0
      ? [
          {
            topic: 'configuration found here',
            allows: `may only restrict; not taken: ${leftOut.join(', ')}`,
            option: '--config',
          },
        ]
      : []),
  ];
}

function monitorWords(command: string): string {
  return command === 'safe' ? 'those that are safe' : command;
}

function list(values: readonly string[], none: string): string {
  return values.length === 0 ? none : values.join(', ');
}
