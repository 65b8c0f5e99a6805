/** A Linux that runs in a machine, read from the memory of its kernel. */
export interface LinuxCapability {
  overview(): Promise<LinuxOverview>;
  /** What it has logged, the oldest first. */
  log(): Promise<readonly LogRecord[]>;
  tasks(): Promise<readonly LinuxTask[]>;
  /** One of them, with the calls it waits in. */
  task(pid: number): Promise<LinuxTaskDetail>;
  modules(): Promise<readonly LinuxModule[]>;
  mounts(): Promise<readonly LinuxMount[]>;
  /** Every oops, bug, warning and panic in the log. */
  oopses(): Promise<readonly LinuxOops[]>;
  /** Adds the names of the kernel and of its modules to the machine's symbols. */
  loadSymbols(): Promise<{ readonly kernel: number; readonly modules: number }>;
}

export interface LinuxOverview {
  readonly banner: string;
  /** Of its first byte of code. */
  readonly text: bigint | undefined;
  /** How far it was moved from where it was linked to, where that is known. */
  readonly moved: bigint | undefined;
  readonly symbols: number;
  /** Where its types come from. */
  readonly types: 'BTF' | 'DWARF' | undefined;
  readonly notes: readonly string[];
}

export interface LogRecord {
  readonly seq: bigint;
  readonly seconds: number;
  /** 0 emergency to 7 debug. */
  readonly level: number;
  readonly text: string;
}

export interface LinuxTask {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  /** R, S, D … as `ps` shows them. */
  readonly state: string;
  readonly isKernel: boolean;
  readonly threads: number;
  /** Of the processor that runs it now. */
  readonly cpu: number | undefined;
  readonly address: bigint;
}

export interface LinuxTaskDetail extends LinuxTask {
  readonly calls: readonly LinuxCall[];
  /** The calls are what looks like return addresses on its stack, and some may be left over. */
  readonly isGuess: boolean;
}

export interface LinuxCall {
  readonly address: bigint;
  /** `schedule+0x2c`, with `[module]` where it is in one, and the source line where known. */
  readonly place: string;
}

export interface LinuxModule {
  readonly name: string;
  readonly base: bigint;
  readonly bytes: number;
  readonly state: 'live' | 'coming' | 'going' | 'unformed';
  readonly symbols: number;
}

export interface LinuxMount {
  readonly device: string;
  readonly path: string;
  readonly type: string;
  readonly isReadOnly: boolean;
}

export interface LinuxOops {
  readonly seconds: number;
  /** What happened, in the kernel's words. */
  readonly reason: string;
  /** The task it happened in. */
  readonly task: string | undefined;
  readonly calls: readonly LinuxCall[];
}
