export interface SnapshotCapability {
  save(name: string): Promise<SnapshotInfo>;
  /** Rejects with the names there are. */
  restore(name: string): Promise<SnapshotInfo>;
  list(): Promise<readonly SnapshotInfo[]>;
  /** Memory as it was in one, where that can be told without restoring it. */
  peek?(name: string, space: string, address: number, length: number): Promise<Uint8Array>;
  /** The bytes of one, to start another machine from. */
  bytes(name: string): Promise<Uint8Array>;
  /** Becomes exactly what the bytes say. */
  load(bytes: Uint8Array): Promise<void>;
}

export interface SnapshotInfo {
  readonly name: string;
  readonly bytes: number;
  /** Emulated time, in the machine's words. */
  readonly time: string;
}
