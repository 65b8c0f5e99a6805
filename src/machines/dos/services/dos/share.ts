import { DosError } from '../../drives/dos-error.ts';
import { openModes, type SystemFile, type SystemFiles } from './system-files.ts';

/** What a file was opened for, and what its opener denies to others: bits 4 to 6 of the mode. */
const denials = { compatible: 0, all: 1, write: 2, read: 3, none: 4 } as const;
/** Function 6Ch: errors are returned and not given to INT 24h. */
const quiet = 0x2000;

interface Lock {
  /** In the system file table. */
  readonly file: number;
  readonly process: number;
  readonly start: number;
  readonly end: number;
}

interface SavedShare {
  readonly loaded: boolean;
  readonly paths: readonly (readonly [file: number, path: string])[];
  readonly locks: readonly Lock[];
}

/** SHARE: who may open a file together with whom, and which parts of it are locked. Nothing is checked before it is loaded. */
export class Share {
  readonly #files: SystemFiles;
  #loaded = false;
  #locks: Lock[] = [];
  /** Of files opened since it was loaded, by their place in the system file table. */
  #paths = new Map<number, string>();

  constructor(files: SystemFiles) {
    this.#files = files;
  }

  get loaded(): boolean {
    return this.#loaded;
  }

  load(): void {
    this.#loaded = true;
  }

  /** Throws where those who have this file open do not allow it, or would not be allowed by the new mode. */
  checkOpen(drive: number, id: number, mode: number, readOnly: boolean): void {
    if (!this.#loaded) return;
    const denial = denialOf(mode);
    if (denial > denials.none) throw new DosError('invalidAccess');
    for (const file of this.#files.open()) {
      if (file.isDevice || file.drive !== drive || file.id !== id || together(file.mode, mode, readOnly)) continue;
      throw new DosError('sharingViolation', undefined, denial === denials.compatible && !(mode & quiet));
    }
  }

  opened(file: SystemFile, path: string): void {
    if (this.#loaded) this.#paths.set(file.index, path);
  }

  /** Function 5D05h: of all open files the one with this number, and of those who have it open this one. */
  find(number: number, user: number): { readonly path: string; readonly locks: number } | undefined {
    const names = [...new Set(this.#paths.values())];
    const path = names[number];
    const users = [...this.#paths].filter(([, name]) => name === path).map(([index]) => index);
    const file = users[user];
    if (path === undefined || file === undefined) return undefined;
    return { path, locks: this.#locks.filter((lock) => lock.file === file).length };
  }

  /** Throws where a part of the file is locked by another. */
  checkAccess(file: SystemFile, process: number, start: number, length: number): void {
    if (this.#locks.length === 0) return;
    const others = this.#locks.filter((lock) => lock.file !== file.index || lock.process !== process);
    if (others.some((lock) => this.#sameFile(lock, file) && overlaps(lock, start, start + length))) {
      throw new DosError('lockViolation', undefined, !(file.mode & quiet));
    }
  }

  lock(file: SystemFile, process: number, start: number, length: number): void {
    const end = start + length;
    if (this.#locks.some((lock) => this.#sameFile(lock, file) && overlaps(lock, start, end))) {
      throw new DosError('lockViolation');
    }
    if (length > 0) this.#locks.push({ file: file.index, process, start, end });
  }

  /** Only what was locked in one piece, by the same handle. */
  unlock(file: SystemFile, process: number, start: number, length: number): void {
    const index = this.#locks.findIndex(
      (lock) =>
        lock.file === file.index && lock.process === process && lock.start === start && lock.end === start + length,
    );
    if (index < 0 && length > 0) throw new DosError('lockViolation');
    if (index >= 0) this.#locks.splice(index, 1);
  }

  /** A file was closed by all who had it open. */
  closed(file: SystemFile): void {
    this.#paths.delete(file.index);
    this.#locks = this.#locks.filter((lock) => lock.file !== file.index);
  }

  ended(process: number): void {
    this.#locks = this.#locks.filter((lock) => lock.process !== process);
  }

  reset(): void {
    this.#loaded = false;
    this.#locks = [];
    this.#paths.clear();
  }

  save(): SavedShare {
    return { loaded: this.#loaded, locks: structuredClone(this.#locks), paths: [...this.#paths] };
  }

  restore({ loaded, locks, paths }: SavedShare): void {
    this.#paths = new Map(paths);
    this.#loaded = loaded;
    this.#locks = structuredClone([...locks]);
  }

  #sameFile(lock: Lock, { drive, id }: SystemFile): boolean {
    const locked = this.#files.get(lock.file);
    return locked.drive === drive && locked.id === id;
  }
}

function denialOf(mode: number): number {
  return (mode >> 4) & 7;
}

function overlaps(lock: Lock, start: number, end: number): boolean {
  return start < lock.end && end > lock.start;
}

/** Whether a file may be open in both modes. In compatibility mode only with its like; read-only files are more patient. */
function together(first: number, second: number, readOnly: boolean): boolean {
  const [one, other] = [denialOf(first), denialOf(second)];
  if (one === denials.compatible && other === denials.compatible) return true;
  if (one === denials.compatible || other === denials.compatible) {
    const strict = one === denials.compatible ? other : one;
    const reading = (first & 7) === openModes.read && (second & 7) === openModes.read;
    return readOnly && reading && (strict === denials.write || strict === denials.none);
  }
  return allows(one, second & 7) && allows(other, first & 7);
}

function allows(denial: number, access: number): boolean {
  if (denial === denials.none) return true;
  if (denial === denials.write) return access === openModes.read;
  return denial === denials.read && access === openModes.write;
}
