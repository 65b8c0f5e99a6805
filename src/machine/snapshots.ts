import type { Machine } from './machine.ts';

export interface SnapshotCapability {
  save(name: string): Promise<SnapshotInfo>;
  /** Rejects with the names there are. */
  restore(name: string): Promise<SnapshotInfo>;
  list(): Promise<readonly SnapshotInfo[]>;
  /** Memory as it was in one, where that can be told without restoring it. */
  peek?(name: string, space: string, address: bigint, length: number): Promise<Uint8Array>;
  /** Rejects with the names there are. */
  delete(name: string): Promise<void>;
  /** How to start another machine from one. */
  fork(name: string): Promise<Fork>;
}

export interface Fork {
  /** Put over the options that this machine was started with. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Called with the new machine, of the same kind, once it has started. */
  enter?(machine: Machine): Promise<void>;
}

export interface SnapshotInfo {
  readonly name: string;
  readonly bytes: number;
  /** Emulated time, in the machine's words. */
  readonly time: string;
}
