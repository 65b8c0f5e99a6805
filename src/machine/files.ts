/** What an agent means to do with a path it names. */
export type PathUse = 'read' | 'write';

/**
 * Files of this computer that agents name. One module opens them for everyone: below the folders that the operator
 * allows, never through a link that leads out of them, never a device or a pipe.
 */
export interface HostFiles {
  /** A whole regular file; refused when it is larger. */
  read(path: string, maxBytes: number): Promise<Uint8Array>;
  open(path: string, use: PathUse): Promise<HostFile>;
  /** A new file that only this user can read; refuses to replace anything. */
  create(path: string): Promise<HostFile>;
  /** A whole new file, as `create` makes it. */
  writeNew(path: string, bytes: Uint8Array): Promise<void>;
  /** Refuses what `writeNew` would refuse, as far as it can be seen now: before work whose result goes there. */
  requireNew(path: string): Promise<void>;
  openFolder(path: string, use: PathUse): Promise<HostFolder>;
  /** One that another program is given as a whole, so that nobody looks at what it opens there. */
  shareFolder(path: string, use: PathUse): Promise<HostFolder>;
  /** One to write in, made where it is missing. */
  makeFolder(path: string): Promise<HostFolder>;
  /** The path without links, as it is now: for sockets and devices, which are connected to rather than opened. */
  resolve(path: string, use: PathUse): Promise<string>;
  /** What lies there. */
  kindOf(path: string): Promise<'file' | 'folder' | 'other'>;
}

export interface HostFile {
  /** Where it really lies, for people. It may lead elsewhere by the time somebody else opens it. */
  readonly path: string;
  /** A name under which programs of this server open this very file, wherever `path` leads by then. Valid until `close`. */
  readonly grantedPath: string;
  readonly size: number;
  read(at: number, length: number): Promise<Uint8Array>;
  write(bytes: Uint8Array, at?: number): Promise<void>;
  /** As much as the disk takes at once; answers how much that is. */
  writeSome(bytes: Uint8Array, at: number): Promise<number>;
  /** What was written is on the disk. */
  sync(): Promise<void>;
  /** For machines whose guests wait for the disk. */
  writeNow(bytes: Uint8Array, at?: number): void;
  /** Shorter than asked at the end. */
  readNow(at: number, length: number): Uint8Array;
  close(): void;
}

/**
 * A folder and what lies below it, for machines whose guests wait for the disk. Paths are relative to it, with `/`;
 * the folder itself is ''. Links inside it work, links that lead out of it do not exist.
 */
export interface HostFolder {
  readonly path: string;
  readonly grantedPath: string;
  list(path: string, maxEntries: number): readonly HostEntry[];
  read(path: string, maxBytes: number): Uint8Array;
  /** So many bytes from there on, or as many as there are. */
  readPart(path: string, at: number, length: number): Uint8Array;
  write(path: string, bytes: Uint8Array): void;
  remove(path: string): void;
  rename(from: string, to: string): void;
  makeFolder(path: string): void;
  removeFolder(path: string): void;
  close(): void;
}

export interface HostEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder';
  readonly size: number;
  readonly modified: Date;
  readonly readOnly: boolean;
}

/** Files that all hosts of a fleet have, by name. */
export interface TeamFiles {
  /** Throws which there are where there is none. */
  readStored(name: string): Promise<Uint8Array>;
  /** A new one; throws where there is one of that name. */
  store(name: string, bytes: Uint8Array): Promise<void>;
}
