import { closeSync, openSync, writeSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { MachineError } from '../../../machine/errors.ts';
import { DosError } from './dos-error.ts';
import type { Drive } from './drive.ts';
import { Disk, sectorBytes } from './fat/disk.ts';
import { FatDrive } from './fat/fat-drive.ts';
import { findVolumes } from './fat/volume-layout.ts';
import { FolderSource } from './folder-source.ts';
import { TreeDrive } from './tree-drive.ts';
import { ZipSource } from './zip-source.ts';

export interface OpenDriveOptions {
  /** Changes reach the host's files at once. Zip files are only read. */
  readonly writeThrough?: boolean;
  /** An image that is write-protected for the machine. */
  readonly readOnly?: boolean;
}

/** What a path of the host gives the machine. */
export interface OpenedDrive {
  /** One for a folder or zip file, one for each FAT volume of an image: possibly none. */
  readonly drives: readonly Drive[];
  /** The image itself, for INT 13h and booting. */
  readonly disk?: Disk;
  /** Gives back what write-through holds open. */
  close(): void;
}

const maxBytes = 512 * 1024 * 1024;

/** A folder, a zip file or a disk image as drives. The caller has checked that the path is allowed. */
export async function openDrive(path: string, options: OpenDriveOptions = {}): Promise<OpenedDrive> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) return single(new TreeDrive(new FolderSource(path, options.writeThrough)));
    if (!found.isFile() || found.size > maxBytes) throw new DosError('unknownMedia', 'it is no file of up to 512 MiB');
    const bytes: Uint8Array = await readFile(path);
    const zip = bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);
    return zip ? single(new TreeDrive(await ZipSource.open(bytes))) : openImage(path, bytes, options);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new MachineError(
      'INVALID_ARGUMENT',
      `${path} cannot be a drive: ${why}`,
      'Give a folder, a zip file, or an image of a floppy or hard disk.',
      {},
      { cause: error },
    );
  }
}

function single(drive: Drive): OpenedDrive {
  return { drives: [drive], close() {} };
}

function openImage(path: string, bytes: Uint8Array, { writeThrough, readOnly }: OpenDriveOptions): OpenedDrive {
  const file = writeThrough && !readOnly ? openSync(path, 'r+') : undefined;
  const sink = (sector: number, data: Uint8Array) => {
    if (file === undefined) return;
    try {
      writeSync(file, data, 0, data.length, sector * sectorBytes);
    } catch (error) {
      throw new DosError('writeFault', error instanceof Error ? error.message : undefined);
    }
  };
  const disk = new Disk(bytes, { readOnly: readOnly ?? false, sink });
  const drives = findVolumes(disk).map((layout) => new FatDrive(disk, layout));
  const close = () => {
    if (file !== undefined) closeSync(file);
  };
  return { drives, disk, close };
}
