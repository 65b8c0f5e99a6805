import { DosError } from '../drives/dos-error.ts';
import { attributes, type DirectoryEntry } from '../drives/drive.ts';
import { formatName } from '../drives/names.ts';
import type { Dos } from '../services/dos/dos.ts';
import { findEntry } from '../services/dos/functions/find.ts';

/** Files that a name with wildcards means, with their full paths; a directory means all that is in it. */
export function matchFiles(dos: Dos, text: string, wanted: number): { path: string; entry: DirectoryEntry }[] {
  const path = dos.paths.resolve(withWildcards(dos, text), true);
  if (path.device !== undefined) return [];
  const parents = path.names.slice(0, -1);
  const pattern = path.names.at(-1) ?? '';
  const directory = dos.drives.get(path.drive).directory(parents);
  const found: { path: string; entry: DirectoryEntry }[] = [];
  for (let slot = 0; ; ) {
    const entry = findEntry(dos, path.drive, directory, slot, pattern, wanted);
    if (entry === undefined) return found;
    found.push({ entry, path: dos.paths.format({ drive: path.drive, names: [...parents, entry.name] }) });
    slot = entry.slot + 1;
  }
}

export function withWildcards(dos: Dos, text: string): string {
  if (text === '') return '*.*';
  if (/[\\/:]$/.test(text)) return `${text}*.*`;
  return isDirectory(dos, text) ? `${text}\\*.*` : text;
}

export function isDirectory(dos: Dos, text: string): boolean {
  if (/[*?]/.test(text)) return false;
  try {
    const path = dos.paths.resolve(text);
    const entry = path.device ? undefined : dos.drives.get(path.drive).lookup(path.names);
    return entry !== undefined && (entry.attributes & attributes.directory) !== 0;
  } catch (error) {
    if (error instanceof DosError) return false;
    throw error;
  }
}

export function fileExists(dos: Dos, text: string): boolean {
  try {
    const path = dos.paths.resolve(text, true);
    if (path.device !== undefined) return true;
    return /[*?]/.test(text)
      ? matchFiles(dos, text, 0).length > 0
      : dos.drives.get(path.drive).lookup(path.names) !== undefined;
  } catch (error) {
    if (error instanceof DosError) return false;
    throw error;
  }
}

export function lastName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('\\'), path.lastIndexOf('/'), path.lastIndexOf(':')) + 1);
}

export function entryName(entry: DirectoryEntry): string {
  return formatName(entry.name);
}
