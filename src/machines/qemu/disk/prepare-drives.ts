import { join } from 'node:path';
import { MachineError } from '../../../machine/errors.ts';
import type { Host } from '../../../machine/host.ts';
import { type Board, idePlaces } from '../launch/board.ts';
import { type BlockNode, directNode, overlayNode } from './block-node.ts';
import { type DriveInterface, type DriveSpec, type DriveType, driveWords, parseDrive } from './drive-spec.ts';
import { type ImageFile, openImage } from './image-file.ts';

export interface PreparedDrive {
  /** The name of the slot and of QEMU's device: `drive0`, `cd0`, `floppy0`. */
  readonly id: string;
  readonly type: DriveType;
  readonly interface: DriveInterface | 'floppy' | 'board';
  readonly medium: DriveMedium | undefined;
}

export interface DriveMedium {
  readonly node: BlockNode;
  /** The file that was named, for people and for the next start. */
  readonly source: string;
  /** Changes go to a file of ours, and `source` stays as it is. */
  readonly overlay: boolean;
}

export interface PrepareOptions {
  readonly board: Board;
  readonly workDir: string;
  readonly host: Pick<Host, 'allowedPath'>;
  /** Where overlays of an earlier machine lie, as `ID.qcow2`. */
  readonly overlaysFrom?: string | undefined;
}

const floppySizesKib: ReadonlySet<number> = new Set([160, 180, 320, 360, 720, 1200, 1440, 2880]);
const floppyPlaces = 2;
const idWords = { disk: 'drive', cdrom: 'cd', floppy: 'floppy' } as const;

/** Looks at every drive and puts an overlay over each that may be written but not changed. */
export async function prepareDrives(texts: readonly string[], options: PrepareOptions): Promise<PreparedDrive[]> {
  const { board } = options;
  const drives: PreparedDrive[] = [];
  const counts = { disk: 0, cdrom: 0, floppy: 0 };
  for (const text of texts) {
    const spec = parseDrive(text);
    const image = spec.path === undefined ? undefined : await openNamed(spec.path, spec, options.host);
    const type = spec.type ?? guessType(image?.sizeBytes ?? 0, board);
    const where = chooseInterface(spec, type, board);
    const id = `${idWords[type]}${counts[type]++}`;
    const medium = image && (await prepareMedium(id, image, { ...spec, type }, options));
    drives.push({ id, type, interface: where, medium });
  }
  checkPlaces(drives, board);
  const onIde = drives.filter((drive) => drive.interface === 'ide').length;
  if (board.isPc && board.bus !== 'none' && counts.cdrom === 0 && onIde < idePlaces(board)) {
    drives.push({ id: 'cd0', type: 'cdrom', interface: 'ide', medium: undefined });
  }
  return drives;
}

/** QEMU's own words about it name units and buses. */
function checkPlaces(drives: readonly PreparedDrive[], board: Board): void {
  const places = { ide: idePlaces(board), floppy: floppyPlaces };
  for (const where of ['ide', 'floppy'] as const) {
    const count = drives.filter((drive) => drive.interface === where).length;
    if (count <= places[where]) continue;
    const message =
      places[where] === 0
        ? `This board has no ${where} drives.`
        : `This board has places for ${places[where]} ${where} drives, not ${count}.`;
    const word = where === 'floppy' ? '"disk"' : '"virtio", "usb" or "nvme"';
    throw new MachineError('INVALID_ARGUMENT', message, `Leave some out of "drives", or add ${word} to them.`);
  }
}

async function prepareMedium(
  id: string,
  image: ImageFile,
  spec: DriveSpec,
  options: PrepareOptions,
): Promise<DriveMedium> {
  const name = `${id}-image`;
  const readOnly = spec.readOnly || spec.type === 'cdrom';
  if (readOnly || spec.write) return { node: directNode(name, image, readOnly), source: image.path, overlay: false };
  const { workDir, overlaysFrom, host } = options;
  const earlier = overlaysFrom === undefined ? undefined : join(overlaysFrom, `${id}.qcow2`);
  // It names the image below it, which has to be an allowed one.
  if (earlier !== undefined) await openImage(earlier, 'qcow2', 'read', { allowedPath: rootedIn(overlaysFrom, host) });
  return {
    node: await overlayNode(name, image, join(workDir, `${id}.qcow2`), earlier),
    source: image.path,
    overlay: true,
  };
}

/** The folder itself has been allowed already. */
function rootedIn(folder: string | undefined, host: Pick<Host, 'allowedPath'>): Host['allowedPath'] {
  return async (path, use) =>
    folder !== undefined && path.startsWith(`${folder}/`) ? path : host.allowedPath(path, use);
}

/** A word that is not known becomes part of the path. */
async function openNamed(path: string, spec: DriveSpec, host: Pick<Host, 'allowedPath'>): Promise<ImageFile> {
  try {
    return await openImage(path, spec.format, spec.write ? 'write' : 'read', host);
  } catch (error) {
    const word = /,([^,/]*)$/.exec(path)?.[1];
    if (word === undefined || !(error instanceof MachineError)) throw error;
    const fix = `${error.fix} If ${JSON.stringify(word)} is no part of it: the words are ${driveWords.join(', ')}.`;
    throw new MachineError(error.type, error.message, fix, error.data);
  }
}

function guessType(sizeBytes: number, board: Board): DriveType {
  return board.isPc && floppySizesKib.has(sizeBytes / 1024) ? 'floppy' : 'disk';
}

function chooseInterface(spec: DriveSpec, type: DriveType, board: Board): PreparedDrive['interface'] {
  if (type === 'floppy') {
    if (board.isPc) return 'floppy';
    throw new MachineError('INVALID_ARGUMENT', 'This board has no floppy drive.', 'Use "disk", or machine "pc".');
  }
  const where = spec.interface ?? (type === 'cdrom' && board.disk === 'virtio' ? 'scsi' : board.disk);
  if (spec.readOnly && type === 'disk' && where === 'ide') {
    throw new MachineError(
      'INVALID_ARGUMENT',
      `${spec.path}: an IDE disk cannot be write-protected.`,
      'Leave "readonly" out (the file is not changed without "write"), or add "virtio".',
    );
  }
  return where;
}
