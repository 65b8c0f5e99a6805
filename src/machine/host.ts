import type { ReportedEvent } from './events.ts';
import type { HostFiles } from './files.ts';
import type { Policy } from './policy.ts';

/** What the world outside gives a machine at its start. */
export interface Host {
  readonly handle: string;
  /** Aborts when the machine has to go. */
  readonly signal: AbortSignal;
  report(event: ReportedEvent): void;
  log(level: 'debug' | 'info' | 'error', text: string): void;
  /** The only way to files that agents name. */
  readonly files: HostFiles;
  allowedPath: HostFiles['resolve'];
  readonly policy: Policy;
  /** A directory of this server's own, mode 0700, for sockets. */
  readonly runtimeDir: string;
  readonly settings: HostSettings;
  /** Kills the process group when this server dies, however it dies. The answer forgets it again. */
  guardProcessGroup(pid: number): () => void;
}

/** Options of the server that concern machines. */
export interface HostSettings {
  /** The terminal program a person prefers; `auto` unless told. */
  readonly terminal: string;
  /** Also link `/tmp/serial_NAME.in` and `.out` to each console's sockets. */
  readonly serialLinks: boolean;
  /** Agents may name programs to run on this computer. */
  readonly allowCommands: boolean;
  /** Agents may give QEMU's monitor any command, with which files and sockets of this computer can be reached. */
  readonly allowMonitor?: boolean;
  readonly maxAnnotations: number;
  /** Folders with ROM images of the user's, looked at first. */
  readonly romFolders: readonly string[];
  /** Folders with QEMU's programs, looked at before those of PATH. */
  readonly qemuFolders?: readonly string[];
  /** Held by every QEMU while it runs: one owner at a time on this computer. */
  readonly lock: string | undefined;
  /** The variables of the server's own environment, for programs it starts for people. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The command line that runs this program, for windows and helpers that must call it again. */
  readonly selfCommand: readonly string[];
}
