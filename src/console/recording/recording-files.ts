import { basename, dirname } from 'node:path';
import type { HostFiles } from '../../machine/files.ts';
import type { RecordingFile } from './append-file.ts';

/** What recordings need of the files that agents may name. */
export type RecordingFiles = Pick<HostFiles, 'create' | 'open' | 'openFolder'>;

/** A new file to append to, and where it really lies. */
export async function createRecording(
  files: RecordingFiles,
  path: string,
): Promise<RecordingFile & { readonly path: string }> {
  const file = await files.create(path);
  return {
    path: file.path,
    write: async (bytes, offset, length, position) => ({
      bytesWritten: await file.writeSome(bytes.subarray(offset, offset + length), position),
    }),
    sync: () => file.sync(),
    close: async () => file.close(),
  };
}

/** Takes back what could not be finished; what is gone already is no error. */
export async function removeRecording(files: RecordingFiles, path: string): Promise<void> {
  const folder = await files.openFolder(dirname(path), 'write').catch(() => undefined);
  try {
    folder?.remove(basename(path));
  } catch {
    // It stays, incomplete: the failure that led here is what the agent is told of.
  } finally {
    folder?.close();
  }
}
