/** Where a tree drive's first contents come from. Keys are the source's own and mean nothing to the drive. */
export interface TreeSource {
  readonly kind: 'folder' | 'zip';
  readonly rootKey: string;
  list(key: string): readonly SourceEntry[];
  read(key: string): Uint8Array;
  /** Of files that are too large to be read as a whole; shorter than asked at the end. */
  readPart?(key: string, position: number, length: number): Uint8Array;
  /** Only where changes are to reach the source. */
  readonly mirror?: TreeMirror;
}

export interface SourceEntry {
  readonly key: string;
  /** 11 bytes. */
  readonly name: string;
  readonly attributes: number;
  readonly stamp: number;
  readonly size: number;
}

/** Carries changes to the source. Keys of new entries are made by it. */
export interface TreeMirror {
  child(parentKey: string, name: string): string;
  write(key: string, bytes: Uint8Array): void;
  remove(key: string): void;
  rename(from: string, to: string): void;
  makeDirectory(key: string): void;
  removeDirectory(key: string): void;
}

/** Nothing to begin with: what is written stays in memory. */
export function emptySource(kind: TreeSource['kind']): TreeSource {
  return { kind, rootKey: '', list: () => [], read: () => new Uint8Array() };
}
