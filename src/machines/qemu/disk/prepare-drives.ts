import { join } from 'node:path';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import { type Board, idePlaces } from '../launch/board.ts';
import type { OpenedFiles } from '../opened-files.ts';
import { type BlockNode, directNode, nodeOver, overlayNode } from './block-node.ts';
import { type DriveInterface, type DriveSpec, type DriveType, driveWords, parseDrive } from './drive-spec.ts';
import { type ImageFile, openImage } from './image-file.ts';
import { readQcow2Header } from './qcow2-header.ts';

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
  readonly files: OpenedFiles;
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
    const image = spec.path === undefined ? undefined : await openNamed(spec.path, spec, options.files);
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
  const { workDir, overlaysFrom, files } = options;
  const file = join(workDir, `${id}.qcow2`);
  const node =
    overlaysFrom === undefined
      ? await overlayNode(name, image, file)
      : await keptOverlay(files, overlaysFrom, name, `${id}.qcow2`, image, file);
  return { node, source: image.path, overlay: true };
}

/** What a guest wrote before, from a folder that anybody may have written: of its header nothing but its form counts. */
export async function keptOverlay(
  files: OpenedFiles,
  folder: string,
  name: string,
  kept: string,
  image: ImageFile,
  file: string,
): Promise<BlockNode> {
  await requireStandalone(await files.fileIn(folder, kept));
  await files.copyIn(folder, kept, file);
  return nodeOver(name, image, file);
}

/** A qcow2 file that holds its own data; where it says that it rests on something, QEMU is told otherwise. */
export async function requireStandalone(path: string): Promise<void> {
  const header = await readQcow2Header(path);
  const why = header
    ? (header.damage ?? (header.externalData ? 'its data lies elsewhere' : undefined))
    : 'it is not qcow2';
  if (why === undefined) return;
  throw new MachineError(
    'INVALID_ARGUMENT',
    `${path} cannot be used: ${why}.`,
    advice`Give a folder that ${call('snapshot_save')} wrote.`,
  );
}

/** A word that is not known becomes part of the path. */
async function openNamed(path: string, spec: DriveSpec, files: OpenedFiles): Promise<ImageFile> {
  try {
    return await openImage(path, spec.format, spec.write ? 'write' : 'read', files);
  } catch (error) {
    const word = /,([^,/]*)$/.exec(path)?.[1];
    if (word === undefined || !(error instanceof MachineError)) throw error;
    const hint = `If ${JSON.stringify(word)} is not a part of it: the words are ${driveWords.join(', ')}.`;
    throw new MachineError(error.type, error.message, [...error.advice, [hint]], error.data);
  }
}

export function isFloppySize(sizeBytes: number): boolean {
  return floppySizesKib.has(sizeBytes / 1024);
}

function guessType(sizeBytes: number, board: Board): DriveType {
  return board.isPc && isFloppySize(sizeBytes) ? 'floppy' : 'disk';
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
