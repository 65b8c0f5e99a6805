import { dirname, isAbsolute, join } from 'node:path';
import { MachineError } from '../../../machine/errors.ts';
import type { HostFiles } from '../../../machine/files.ts';

const mostFiles = 200;
const longestFile = 2 * 1024 * 1024;
const longestTogether = 16 * 1024 * 1024;
/** A debug file often lies in a folder of its own, below the one that the sources are named from. */
const foldersUp = ['.', '..', '../..'];

/**
 * The texts of the sources that a debug file names, by these names, as far as they lie below an allowed path. Names are taken from the
 * debug file's folder and from those above it.
 */
export async function readSources(
  debugFile: string,
  names: Iterable<string>,
  files: Pick<HostFiles, 'read'>,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  let room = longestTogether;
  for (const name of [...new Set(names)].slice(0, mostFiles)) {
    const bytes = await readFirst(pathsOf(debugFile, name), Math.min(longestFile, room), files);
    if (bytes === undefined) continue;
    room -= bytes.length;
    texts.set(name, new TextDecoder().decode(bytes));
  }
  return texts;
}

function pathsOf(debugFile: string, name: string): readonly string[] {
  const path = name.replaceAll('\\', '/');
  if (isAbsolute(path)) return [path];
  return foldersUp.map((up) => join(dirname(debugFile), up, path));
}

async function readFirst(
  paths: readonly string[],
  maxBytes: number,
  files: Pick<HostFiles, 'read'>,
): Promise<Uint8Array | undefined> {
  for (const path of paths) {
    try {
      return await files.read(path, maxBytes);
    } catch (error) {
      // It is not there, too large, or not allowed: the names and lines of the debug file serve without it.
      if (!(error instanceof MachineError)) throw error;
    }
  }
  return undefined;
}
