import { isAbsolute, resolve } from 'node:path';

/** Where the files are that debug files name by relative paths. */
export class SourcePaths {
  /** As the person who starts the session says. */
  folder = process.cwd();

  /** As an IDE can open it. */
  absolute(file: string): string {
    return isAbsolute(file) || /^[A-Za-z]:[\\/]/.test(file) ? file : resolve(this.folder, file);
  }
}

const mostEndings = 64;

/** The ways in which a debug file may name this file, the longest first: a compiler was called from some folder. */
export function endingsOf(path: string): readonly string[] {
  const parts = path.replaceAll('\\', '/').split('/').filter(Boolean).slice(-mostEndings);
  return [path, ...parts.map((_, index) => parts.slice(index).join('/'))];
}
