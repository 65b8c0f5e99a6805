import { basename, dirname, join } from 'node:path';
import { CdImageError, parseCueSheet } from '../../../formats/cd/cue-sheet.ts';
import { type Disc, discOfCue, discOfData, type ImageBytes } from '../../../formats/cd/disc.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { HostFile, HostFiles } from '../../../machine/files.ts';
import type { Host } from '../../../machine/host.ts';

const longestSheet = 65_536;
const mostInFolder = 10_000;

/** Where a file that can no longer be read is told. */
export type DiscHost = Pick<Host, 'files' | 'report'>;

/** The disc of an ISO, BIN or CUE file. What it reads stays open until it is closed. */
export async function openDisc(host: DiscHost, path: string): Promise<Disc> {
  const { files } = host;
  const opened: HostFile[] = [];
  const close = () => {
    for (const file of opened) file.close();
  };
  const open = async (wanted: string) => {
    const file = await files.open(wanted, 'read');
    opened.push(file);
    return sourceOf(file, (text) => host.report({ type: 'cdrom', text }));
  };
  try {
    if (!/\.cue$/i.test(path)) return discOfData(await open(path), close);
    const sheet = parseCueSheet(Buffer.from(await files.read(path, longestSheet)).toString('latin1'));
    const sources: ImageBytes[] = [];
    for (const { name } of sheet.files) sources.push(await open(await placeOf(files, path, name)));
    return discOfCue(sheet, sources, close);
  } catch (error) {
    close();
    throw error instanceof CdImageError ? noDisc(path, error) : error;
  }
}

/** A disc of bytes in memory: one data track. */
export function discInMemory(name: string, bytes: Uint8Array): Disc {
  try {
    return discOfData({ length: bytes.length, read: (at, length) => bytes.subarray(at, at + length) });
  } catch (error) {
    throw error instanceof CdImageError ? noDisc(name, error) : error;
  }
}

/** Beside the sheet, whatever path it had where it was made, in capitals or not. */
async function placeOf(files: HostFiles, sheet: string, name: string): Promise<string> {
  const folder = dirname(sheet);
  const wanted = basename(name.replaceAll('\\', '/'));
  const opened = await files.openFolder(folder, 'read');
  try {
    const names = opened.list('', mostInFolder).map((entry) => entry.name);
    const found =
      names.find((each) => each === wanted) ?? names.find((each) => each.toLowerCase() === wanted.toLowerCase());
    if (found === undefined) throw new CdImageError(`${wanted}, which it names, is not beside it`);
    return join(folder, found);
  } finally {
    opened.close();
  }
}

/** Trouble with the file is told once; each sector that has it is a bad one. */
function sourceOf(file: HostFile, tell: (text: string) => void): ImageBytes {
  const { size, path } = file;
  let isTold = false;
  const failed = (why: string, cause?: unknown) => {
    if (!isTold) tell(`${path}: ${why}; the machine meets bad sectors there`);
    isTold = true;
    return new CdImageError(`${path} cannot be read`, { cause });
  };
  const read = (at: number, wanted: number) => {
    try {
      return file.readNow(at, wanted);
    } catch (error) {
      throw failed(error instanceof Error ? error.message : String(error), error);
    }
  };
  return {
    length: size,
    read(at, length) {
      const wanted = Math.max(0, Math.min(length, size - at));
      const bytes = read(at, wanted);
      if (bytes.length < wanted) throw failed('it is shorter than it was when it was opened');
      return bytes;
    },
  };
}

function noDisc(path: string, error: CdImageError): MachineError {
  return new MachineError(
    'INVALID_ARGUMENT',
    `${path} is not a CD image: ${error.message}.`,
    'Give an ISO image, or a CUE sheet with its BIN and WAV files beside it.',
    {},
    { cause: error },
  );
}
