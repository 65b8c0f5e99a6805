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
  readonly policy: Policy;
  /** A directory of this server's own, mode 0700, for sockets. */
  readonly runtimeDir: string;
  readonly settings: HostSettings;
  /** Present for a machine that the user's configuration names: it is trusted, stays, and may keep a log. */
  readonly kept?: KeptMachine;
  /** Kills the process group when this server dies, however it dies. The answer forgets it again. */
  guardProcessGroup(pid: number): () => void;
}

/** What the configuration says of a machine beside its options. */
export interface KeptMachine {
  readonly log?: ConsoleLogSettings;
}

/** A log that goes on: time stamps, marks, rotation. */
export interface ConsoleLogSettings {
  readonly file: string;
  /** Begin each line with the time. */
  readonly timestamps: boolean;
  /** Begin a new file at a line's end beyond this size or age; 0 means never. */
  readonly maxBytes: number;
  readonly maxAgeHours: number;
  /** How many old files stay. */
  readonly keep: number;
  /** A mark with the time this often; 0 means none. */
  readonly markMinutes: number;
}

/** A command line with `{name}` where parameters go, and what each of them may be. */
export interface CommandPreset {
  readonly argv: readonly string[];
  /** Regular expressions that whole values must match. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** On a terminal of its own. */
  readonly pty?: boolean;
  /** What it prints when it takes what is typed; until then that waits. */
  readonly ready?: string;
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
  /** Without that, these alone: names, beginnings of names with `*`, and `safe`, those that stay inside the machine. */
  readonly monitorCommands?: readonly string[];
  /** Where the consoles lead that the configuration keeps, and their names. */
  readonly keptPlaces?: KeptPlaces;
  /** What this computer is called in its fleet: whoever reads its paths may sit at another one. */
  readonly fleetHost?: string | undefined;
  /** By which boards and lines have one holder at a time. */
  readonly leases?: LineLeases;
  readonly maxAnnotations: number;
  /** By which waits for built-in machines end, in milliseconds; that of this computer unless given. */
  readonly clock?: () => number;
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
/** Where consoles lead that the configuration keeps. */
export interface KeptPlaces {
  /** Holds these for the console of that name, from this call on: who asks meanwhile waits until they are known. */
  claim(name: string, places: Promise<readonly string[]>): Promise<void>;
  /** The name of the console that leads to one of these. Rejects where that is not known in time. */
  ownerOf(places: readonly string[]): Promise<string | undefined>;
}

/** Boards and lines that only one console has at a time, of all hosts that belong together. */
export interface LineLeases {
  /** Other hosts take part. */
  readonly isFleet: boolean;
  /** Rejects with who has it, in a text for people. `lost` is told before anybody else can have it. */
  take(what: string, lost: (why: string) => void): Promise<LineLease>;
  /** Calls back once when what could not be had may be had again, where that can be seen; the answer ends that. */
  onFree?(what: string, free: () => void): () => void;
}

export interface LineLease {
  /** Whether nobody else can have it at this very moment. */
  readonly isHeld: boolean;
  release(): Promise<void>;
}
