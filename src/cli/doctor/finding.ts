import type { ReadConfigFile } from '../config-file.ts';

/** The result of one check. */
export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** What to do about it. */
  readonly fix?: string;
}

/** What checks may look at. */
export interface Patient {
  readonly env: NodeJS.ProcessEnv;
  /** Fix what can be fixed without asking. */
  readonly fix: boolean;
  readonly config: string | undefined;
  /** Folders that are looked at for QEMU before those of PATH. */
  readonly qemuFolders?: readonly string[];
  /** Where links to consoles lie; /tmp unless told. */
  readonly serialLinkFolder?: string;
  readonly readConfigFile: ReadConfigFile;
  /** The command line that runs this program. */
  readonly selfCommand: readonly string[];
}

export type Check = (patient: Patient) => Promise<readonly Finding[]>;

/** Emulators that are other programs. */
export interface Installed {
  readonly qemu: boolean;
  readonly vice: boolean;
}
