import type { ImageFile } from './image-file.ts';
import { createQcow2 } from './qcow2.ts';

interface FileNode {
  readonly driver: 'file';
  readonly filename: string;
}

/** A part of a chain: what it is and what it rests on is always said, so that QEMU neither guesses nor looks it up. */
interface ChainNode {
  readonly driver: 'raw' | 'qcow2';
  readonly file: FileNode;
  readonly backing?: ChainNode | null;
}

/** What a drive's node is made of, as `-blockdev` and `blockdev-add` take it. */
export interface BlockNode extends ChainNode {
  readonly 'node-name': string;
  readonly 'read-only': boolean;
}

const overlayClusterBits = 16;

/** The image itself. */
export function directNode(name: string, image: ImageFile, readOnly: boolean): BlockNode {
  return { ...chainOf(image), 'node-name': name, 'read-only': readOnly };
}

/** A new file that takes what is written and leaves the image as it is. */
export async function overlayNode(name: string, image: ImageFile, file: string): Promise<BlockNode> {
  const { path, format, sizeBytes } = image;
  await createQcow2(file, { sizeBytes, clusterBits: overlayClusterBits, backing: { path, format } });
  return nodeOver(name, image, file);
}

/** A file that already took something. Whatever it says itself, it rests on the image. */
export function nodeOver(name: string, image: ImageFile | null, file: string): BlockNode {
  const backing = image && chainOf(image);
  return { driver: 'qcow2', 'node-name': name, 'read-only': false, file: { driver: 'file', filename: file }, backing };
}

/** All files that QEMU opens for a node. */
export function filesOf({ file, backing }: ChainNode): string[] {
  return [file.filename, ...(backing ? filesOf(backing) : [])];
}

function chainOf({ grantedPath, format, base }: ImageFile): ChainNode {
  const file = { driver: 'file', filename: grantedPath } as const;
  if (format === 'raw') return { driver: 'raw', file };
  return { driver: 'qcow2', file, backing: base ? chainOf(base) : null };
}
