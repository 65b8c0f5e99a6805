import type { Policy, PolicyRule } from '../../machine/policy.ts';
import { TcpRules } from './tcp-rules.ts';

/** As the options of the command line and the configuration have it. */
export interface PolicySettings {
  /** Empty: every kind. */
  readonly kinds: readonly string[];
  readonly tcp: readonly string[];
  readonly networks: readonly string[];
  readonly commands: boolean;
  readonly readFolders: readonly string[];
  readonly writeFolders: readonly string[];
}

export class OperatorPolicy implements Policy {
  readonly kinds: readonly string[] | undefined;
  readonly networks: readonly string[];
  readonly rules: readonly PolicyRule[];
  readonly #tcp: TcpRules;

  constructor(settings: PolicySettings) {
    this.kinds = settings.kinds.length === 0 ? undefined : settings.kinds;
    this.networks = settings.networks;
    this.#tcp = new TcpRules(settings.tcp);
    this.rules = rulesOf(settings);
  }

  tcpHost(host: string, port: number): Promise<string> {
    return this.#tcp.host(host, port);
  }
}

function rulesOf({ kinds, tcp, networks, commands, readFolders, writeFolders }: PolicySettings): PolicyRule[] {
  return [
    { topic: 'kinds', allows: list(kinds, 'all'), option: '--allow-kinds' },
    { topic: 'files to read and write below', allows: list(writeFolders, 'none'), option: '--allow-path' },
    { topic: 'files to read below', allows: list(readFolders, 'nothing more'), option: '--allow-read' },
    { topic: 'TCP', allows: list(tcp, 'none'), option: '--allow-tcp' },
    { topic: 'guest networks', allows: list(networks, 'none'), option: '--allow-networks' },
    { topic: 'programs that agents name', allows: commands ? 'any' : 'none', option: '--allow-commands' },
  ];
}

function list(values: readonly string[], none: string): string {
  return values.length === 0 ? none : values.join(', ');
}
