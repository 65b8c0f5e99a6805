import type { WritePolicy } from './console.ts';
import type { CommandPreset } from './host.ts';

/** What the operator lets agents do on this computer. Set when the server starts; no call changes it. */
export interface Policy {
  /** Undefined: every kind. */
  readonly kinds: readonly string[] | undefined;
  /** Networks that guests may be put on. */
  readonly networks: readonly string[];
  /** Devices beside serial hardware that agents may open; `*` stands for anything within one part of a path. */
  readonly devices: readonly string[];
  /** Commands that agents may run as consoles, by name. */
  readonly consoleCommands: Readonly<Record<string, CommandPreset>>;
  /** Consoles that the configuration keeps, and what agents may send to them. */
  readonly keptConsoles: Readonly<Record<string, WritePolicy>>;
  /** The host to connect to for this one, checked anew each time because names may come to mean other addresses. */
  tcpHost(host: string, port: number): Promise<string>;
  /** For people and agents. */
  readonly rules: readonly PolicyRule[];
}

export interface PolicyRule {
  readonly topic: string;
  readonly allows: string;
  /** The option, or the key of the configuration file, that sets it. */
  readonly option: string;
}
