export interface SnapshotCapability {
  save(name: string): Promise<SnapshotInfo>;
  /** The machine as it was at a moment that is remembered, or at the last one before it that is kept. It goes on meanwhile. */
  saveAt?(name: string, time: number, signal: AbortSignal): Promise<SnapshotInfo>;
  /** Rejects with the names there are. */
  restore(name: string): Promise<SnapshotInfo>;
  list(): Promise<readonly SnapshotInfo[]>;
  /** Memory as it was in one, where that can be told without restoring it. */
  peek?(name: string, space: string, address: bigint, length: number): Promise<Uint8Array>;
  /** Rejects with the names there are. */
  delete(name: string): Promise<void>;
  /** How to start another machine from one. */
  fork(name: string): Promise<Fork>;
  /** A snapshot as it can leave this computer. Rejects with the names there are. */
  pack?(name: string): Promise<SnapshotImage>;
  /**
   * Becomes what an image says. One of this process is taken as it is; one from elsewhere may say anything, and is refused
   * if this machine cannot have been that.
   */
  unpack?(image: SnapshotImage, from: 'here' | 'elsewhere', signal: AbortSignal): Promise<void>;
}

export interface Fork {
  /** Put over the options that this machine was started with. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** For the new machine to unpack. */
  readonly image?: SnapshotImage;
}

/** Everything that another machine of the same kind needs to go on from there, on any computer. */
export interface SnapshotImage {
  /** What it has to be started with. */
  readonly options: Readonly<Record<string, unknown>>;
  /** What must be the same and is no option, such as its ROMs. */
  readonly model: Readonly<Record<string, string>>;
  /** Emulated time, in the machine's words. */
  readonly time: string;
  /** JSON. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly parts: ReadonlyMap<string, Uint8Array>;
}

export interface SnapshotInfo {
  readonly name: string;
  readonly bytes: number;
  /** Emulated time, in the machine's words. */
  readonly time: string;
  /** The same in its smallest unit, where it has one. */
  readonly at?: number;
}
