import { MachineError } from '../../../machine/errors.ts';
import type { HostFile, HostFiles } from '../../../machine/files.ts';
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
  /** Gives back what it holds open. */
  close(): void;
}

const maxBytes = 512 * 1024 * 1024;

/** A folder, a zip file or a disk image as drives. */
export async function openDrive(files: HostFiles, path: string, options: OpenDriveOptions = {}): Promise<OpenedDrive> {
  const use = options.writeThrough ? 'write' : 'read';
  try {
    if ((await files.kindOf(path)) === 'folder') {
      const folder = await files.openFolder(path, use);
      return { drives: [new TreeDrive(new FolderSource(folder, options.writeThrough))], close: () => folder.close() };
    }
    const bytes = await files.read(path, maxBytes);
    const zip = bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);
    if (zip) return { drives: [new TreeDrive(await ZipSource.open(bytes))], close() {} };
    const file = options.writeThrough && !options.readOnly ? await files.open(path, 'write') : undefined;
    return openImage(bytes, file, options);
  } catch (error) {
    if (error instanceof MachineError && error.type === 'PATH_NOT_ALLOWED') throw error;
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

function openImage(bytes: Uint8Array, file: HostFile | undefined, { readOnly }: OpenDriveOptions): OpenedDrive {
  const sink = (sector: number, data: Uint8Array) => {
    try {
      file?.writeNow(data, sector * sectorBytes);
    } catch (error) {
      throw new DosError('writeFault', error instanceof Error ? error.message : undefined);
    }
  };
  const disk = new Disk(bytes, { readOnly: readOnly ?? false, sink });
  const drives = findVolumes(disk).map((layout) => new FatDrive(disk, layout));
  return { drives, disk, close: () => file?.close() };
}
