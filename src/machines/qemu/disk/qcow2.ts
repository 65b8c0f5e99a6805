import { open } from 'node:fs/promises';

const magic = 0x514649fb;
const backingFormatExtension = 0xe2792aca;
const headerBytes = 104;
/** Entries of 16 bits, the usual width. */
const refcountOrder = 4;

export interface NewQcow2 {
  readonly sizeBytes: number;
  readonly clusterBits: number;
  /** What is read where nothing was written. */
  readonly backing?: { readonly path: string; readonly format: 'raw' | 'qcow2' };
}

/** Makes an empty image; refuses to replace a file. Large clusters make saving and loading of states quick. */
export async function createQcow2(path: string, image: NewQcow2): Promise<void> {
  const clusterBytes = 2 ** image.clusterBits;
  const bytesPerL1Entry = (clusterBytes / 8) * clusterBytes;
  const l1Entries = Math.max(1, Math.ceil(image.sizeBytes / bytesPerL1Entry));
  const l1Clusters = Math.ceil((l1Entries * 8) / clusterBytes);
  const usedClusters = 3 + l1Clusters;
  const table = Buffer.alloc(8);
  table.writeBigUInt64BE(BigInt(2 * clusterBytes));
  const refcounts = Buffer.alloc(usedClusters * 2);
  for (let cluster = 0; cluster < usedClusters; cluster++) refcounts.writeUInt16BE(1, cluster * 2);
  const file = await open(path, 'wx', 0o600);
  try {
    await file.truncate(usedClusters * clusterBytes);
    await file.write(header(image, l1Entries), 0, undefined, 0);
    await file.write(table, 0, undefined, clusterBytes);
    await file.write(refcounts, 0, undefined, 2 * clusterBytes);
  } finally {
    await file.close();
  }
}

function header({ sizeBytes, clusterBits, backing }: NewQcow2, l1Entries: number): Buffer {
  const clusterBytes = 2 ** clusterBits;
  const name = Buffer.from(backing?.path ?? '');
  const format = Buffer.from(backing?.format ?? '');
  const extension = Buffer.alloc(backing ? 8 + Math.ceil(format.length / 8) * 8 : 0);
  if (backing) {
    extension.writeUInt32BE(backingFormatExtension, 0);
    extension.writeUInt32BE(format.length, 4);
    format.copy(extension, 8);
  }
  const endOfExtensions = Buffer.alloc(8);
  const fixed = Buffer.alloc(headerBytes);
  fixed.writeUInt32BE(magic, 0);
  fixed.writeUInt32BE(3, 4);
  if (backing) {
    fixed.writeBigUInt64BE(BigInt(headerBytes + extension.length + endOfExtensions.length), 8);
    fixed.writeUInt32BE(name.length, 16);
  }
  fixed.writeUInt32BE(clusterBits, 20);
  fixed.writeBigUInt64BE(BigInt(sizeBytes), 24);
  fixed.writeUInt32BE(l1Entries, 36);
  fixed.writeBigUInt64BE(BigInt(3 * clusterBytes), 40);
  fixed.writeBigUInt64BE(BigInt(clusterBytes), 48);
  fixed.writeUInt32BE(1, 56);
  fixed.writeUInt32BE(refcountOrder, 96);
  fixed.writeUInt32BE(headerBytes, 100);
  return Buffer.concat([fixed, extension, endOfExtensions, name]);
}
