import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { MachineError } from '../../../machine/errors.ts';
import type { OpenedFiles, OpenedPath } from '../opened-files.ts';
import type { DriveFormat } from './drive-spec.ts';
import { type ForeignFormat, foreignFormat } from './foreign-format.ts';
import { type Qcow2Header, readQcow2Header } from './qcow2-header.ts';

/** An image with everything it rests on, each part looked at and allowed. */
export interface ImageFile extends OpenedPath {
  readonly format: DriveFormat;
  /** As the guest sees it, in whole sectors. */
  readonly sizeBytes: number;
  /** What is read where nothing was written. */
  readonly base?: ImageFile | undefined;
}

const sectorBytes = 512;
const maxChain = 16;

/**
 * Looks at an image. Only formats are taken that are read here to the end: a raw one is its bytes, and a qcow2 one can
 * rest on another file, which must be allowed as well, and so on.
 */
export async function openImage(
  path: string,
  format: DriveFormat | undefined,
  use: 'read' | 'write',
  files: OpenedFiles,
): Promise<ImageFile> {
  return openPart(await files.file(path, use), format, files, []);
}

/** An image in a file of our own; what it rests on is not. */
export function openOwnImage(path: string, files: OpenedFiles): Promise<ImageFile> {
  return openPart({ path, grantedPath: path }, undefined, files, []);
}

async function openPart(
  { path, grantedPath }: OpenedPath,
  format: DriveFormat | undefined,
  files: OpenedFiles,
  above: readonly string[],
): Promise<ImageFile> {
  const found = await stat(grantedPath);
  const identity = `${found.dev} ${found.ino}`;
  if (above.includes(identity)) throw refusal(path, 'it rests on itself', flatten(path));
  if (above.length >= maxChain) throw refusal(path, `more than ${maxChain} images rest on each other`, flatten(path));
  const header = format === 'raw' ? undefined : await readQcow2Header(grantedPath);
  if (format === 'qcow2' && !header) throw refusal(path, 'it is not a qcow2 image', 'Leave "qcow2" out.');
  if (header) {
    const base = await openBase(path, header, files, [...above, identity]);
    return { path, grantedPath, format: 'qcow2', sizeBytes: header.sizeBytes, base };
  }
  const other = format === undefined ? await foreignFormat(grantedPath, found.size) : undefined;
  if (other !== undefined) throw refusal(path, `it is a ${other.name} image`, convert(path, other));
  return { path, grantedPath, format: 'raw', sizeBytes: Math.ceil(found.size / sectorBytes) * sectorBytes };
}

async function openBase(
  path: string,
  { backingFile, backingFormat, externalData, damage }: Qcow2Header,
  files: OpenedFiles,
  above: readonly string[],
): Promise<ImageFile | undefined> {
  if (damage !== undefined) throw refusal(path, damage, 'Check it: qemu-img check.');
  if (externalData) throw refusal(path, 'its data lies in another file', flatten(path));
  if (backingFile === undefined) return undefined;
  // `nbd:`, `json:` and the like: not a file, or one that is found in a way of QEMU's own.
  if (/^[^/]*:/.test(backingFile)) {
    throw refusal(path, `it rests on ${backingFile.slice(0, 80)}, which is not the name of a file`, flatten(path));
  }
  if (backingFormat !== undefined && backingFormat !== 'raw' && backingFormat !== 'qcow2') {
    throw refusal(path, `it rests on a ${printable(backingFormat)} image`, flatten(path));
  }
  const named = isAbsolute(backingFile) ? backingFile : join(dirname(path), backingFile);
  return openPart(await files.file(named, 'read'), backingFormat, files, above);
}

function refusal(path: string, why: string, fix: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', `The image ${path} cannot be used: ${why}.`, fix);
}

function flatten(path: string): string {
  return `Make one file of it: qemu-img convert -O qcow2 ${quoted(path)} ${quoted(`${path}.flat.qcow2`)}`;
}

function convert(path: string, { option }: ForeignFormat): string {
  const line = `qemu-img convert -f ${option} -O qcow2 ${quoted(path)} ${quoted(`${path}.qcow2`)}`;
  return `Convert it: ${line}. With "raw" its bytes are taken as they are.`;
}

/** For a shell. */
function quoted(path: string): string {
  return /^[\w./+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function printable(text: string): string {
  return text.slice(0, 40).replaceAll(/[^\x20-\x7e]/g, '?');
}
