import { constants } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import type { ImageFile } from './image-file.ts';
import { createQcow2 } from './qcow2.ts';

/** What a drive's node is made of, as `-blockdev` and `blockdev-add` take it. */
export interface BlockNode {
  readonly driver: 'raw' | 'qcow2';
  readonly 'node-name': string;
  readonly 'read-only': boolean;
  readonly file: { readonly driver: 'file'; readonly filename: string };
}

const overlayClusterBits = 16;

/** The image itself. */
export function directNode(name: string, { path, format }: ImageFile, readOnly: boolean): BlockNode {
  return { driver: format, 'node-name': name, 'read-only': readOnly, file: { driver: 'file', filename: path } };
}

/** A new file that takes what is written and leaves the image as it is; or a copy of one that already took something. */
export async function overlayNode(name: string, image: ImageFile, file: string, copyOf?: string): Promise<BlockNode> {
  const { path, format, sizeBytes } = image;
  if (copyOf !== undefined) await copyFile(copyOf, file, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  else await createQcow2(file, { sizeBytes, clusterBits: overlayClusterBits, backing: { path, format } });
  return { driver: 'qcow2', 'node-name': name, 'read-only': false, file: { driver: 'file', filename: file } };
}
