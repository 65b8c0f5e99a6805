import { basename, dirname, join } from 'node:path';
import { CdImageError, parseCueSheet } from '../../../formats/cd/cue-sheet.ts';
import { type Disc, discOfCue, discOfData, type ImageBytes } from '../../../formats/cd/disc.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { HostFile, HostFiles } from '../../../machine/files.ts';

const longestSheet = 65_536;
const mostInFolder = 10_000;

/** The disc of an ISO, BIN or CUE file. What it reads stays open until it is closed. */
export async function openDisc(files: HostFiles, path: string): Promise<Disc> {
  const opened: HostFile[] = [];
  const close = () => {
    for (const file of opened) file.close();
  };
  const open = async (wanted: string) => {
    const file = await files.open(wanted, 'read');
    opened.push(file);
    return sourceOf(file);
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

function sourceOf(file: HostFile): ImageBytes {
  return { length: file.size, read: (at, length) => file.readNow(at, Math.max(0, Math.min(length, file.size - at))) };
}

function noDisc(path: string, error: CdImageError): MachineError {
  return new MachineError(
    'INVALID_ARGUMENT',
    `${path} is no CD image: ${error.message}.`,
    'Give an ISO image, or a CUE sheet with its BIN and WAV files beside it.',
    {},
    { cause: error },
  );
}
