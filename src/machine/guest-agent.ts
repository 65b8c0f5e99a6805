import type { WritePolicy } from './console.ts';

/** A program in the guest that carries out what it is asked, without a console: qemu-ga. */
export interface GuestAgentCapability {
  /** What agents may do to the guest through it: the same as on its consoles. */
  readonly writePolicy: WritePolicy;
  about(): Promise<AgentAbout>;
  interfaces(): Promise<readonly GuestInterface[]>;
  /** Runs a program to its end. */
  execute(program: GuestProgram, timeoutMs: number, signal: AbortSignal): Promise<ProgramEnd>;
  /** At most `maxBytes` from `offset` on. */
  readFile(path: string, offset: number, maxBytes: number, signal: AbortSignal): Promise<FilePart>;
  /** Makes the file anew. */
  writeFile(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** Number of file systems. Nothing in the guest can write until they are thawed. */
  freeze(): Promise<number>;
  thaw(): Promise<number>;
}

export interface AgentAbout {
  readonly version: string;
  readonly system: string | undefined;
  readonly hostname: string | undefined;
  /** `thawed` or `frozen`, where the guest can say. */
  readonly fileSystems: string | undefined;
  /** What it was told to refuse is not among them. */
  readonly commands: readonly string[];
}

export interface GuestInterface {
  readonly name: string;
  readonly mac: string | undefined;
  readonly addresses: readonly string[];
}

export interface GuestProgram {
  readonly path: string;
  readonly args: readonly string[];
  readonly input?: Uint8Array | undefined;
}

export interface ProgramEnd {
  readonly exitCode: number | undefined;
  readonly signal: number | undefined;
  readonly output: Uint8Array;
  readonly errors: Uint8Array;
  /** The agent kept only the beginning of it. */
  readonly isCut: boolean;
}

export interface FilePart {
  readonly bytes: Uint8Array;
  readonly isEnd: boolean;
}
