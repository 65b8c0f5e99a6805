import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { MachineError } from '../../../machine/errors.ts';
import type { Host } from '../../../machine/host.ts';
import type { DriveFormat } from './drive-spec.ts';
import { foreignFormat } from './foreign-format.ts';
import { readQcow2Header } from './qcow2.ts';

export interface ImageFile {
  readonly path: string;
  readonly format: DriveFormat;
  /** As the guest sees it, in whole sectors. */
  readonly sizeBytes: number;
}

const sectorBytes = 512;
const maxChain = 16;

/**
 * Looks at an image. A qcow2 file can name other files that QEMU would open in its place: those must lie below the
 * allowed paths as well.
 */
export async function openImage(
  path: string,
  format: DriveFormat | undefined,
  use: 'read' | 'write',
  host: Pick<Host, 'allowedPath'>,
): Promise<ImageFile> {
  const allowed = await host.allowedPath(path, use);
  const found = await stat(allowed).catch(() => undefined);
  if (!found) throw refusal(path, 'there is no such file', 'Check the path.');
  if (!found.isFile()) throw refusal(path, 'it is not a file', 'Name an image file.');
  const header = format === 'raw' ? undefined : await readQcow2Header(allowed);
  if (format === 'qcow2' && !header) throw refusal(path, 'it is not a qcow2 image', 'Leave "qcow2" out.');
  if (!header) {
    const other = format === undefined ? await foreignFormat(allowed, found.size) : undefined;
    if (other !== undefined)
      throw refusal(
        path,
        `it is a ${other} image`,
        'Convert it: qemu-img convert -O qcow2 FROM TO. With "raw" it is taken as it is.',
      );
    return { path: allowed, format: 'raw', sizeBytes: Math.ceil(found.size / sectorBytes) * sectorBytes };
  }
  await checkChain(allowed, host);
  return { path: allowed, format: 'qcow2', sizeBytes: header.sizeBytes };
}

async function checkChain(first: string, host: Pick<Host, 'allowedPath'>): Promise<void> {
  let path = first;
  for (let depth = 0; depth < maxChain; depth++) {
    const header = await readQcow2Header(path);
    if (!header) return;
    if (header.externalData)
      throw refusal(path, 'its data lies in another file', 'Convert it: qemu-img convert -O qcow2.');
    const { backingFile } = header;
    if (backingFile === undefined) return;
    if (/^[a-z][\w+.-]*:/i.test(backingFile)) {
      throw refusal(
        path,
        `it rests on ${backingFile.slice(0, 80)}, which is not a file`,
        'Convert it: qemu-img convert.',
      );
    }
    path = await host.allowedPath(isAbsolute(backingFile) ? backingFile : join(dirname(path), backingFile), 'read');
  }
  throw refusal(first, `it rests on more than ${maxChain} images`, 'Convert it: qemu-img convert -O qcow2.');
}

function refusal(path: string, why: string, fix: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', `The image ${path} cannot be used: ${why}.`, fix);
}
