import { sectorBytes } from './disk.ts';

export interface FormatOptions {
  readonly sectors: number;
  readonly sectorsPerCluster: number;
  readonly rootEntries: number;
  readonly media: number;
  readonly sectorsPerTrack: number;
  readonly heads: number;
  /** Sectors in front of the volume on its disk. */
  readonly hidden?: number;
  readonly serial?: number;
}

export const floppyFormats = {
  '360K': { sectors: 720, sectorsPerCluster: 2, rootEntries: 112, media: 0xfd, sectorsPerTrack: 9, heads: 2 },
  '720K': { sectors: 1440, sectorsPerCluster: 2, rootEntries: 112, media: 0xf9, sectorsPerTrack: 9, heads: 2 },
  '1.2M': { sectors: 2400, sectorsPerCluster: 1, rootEntries: 224, media: 0xf9, sectorsPerTrack: 15, heads: 2 },
  '1.44M': { sectors: 2880, sectorsPerCluster: 1, rootEntries: 224, media: 0xf0, sectorsPerTrack: 18, heads: 2 },
} as const satisfies Record<string, FormatOptions>;

const maxClusters12 = 4084;

/** An empty volume: boot sector, two tables, an empty root. */
export function formatVolume(options: FormatOptions): Uint8Array {
  const { sectors, sectorsPerCluster, rootEntries, media, hidden = 0 } = options;
  const rootSectors = Math.ceil((rootEntries * 32) / sectorBytes);
  const clusters = Math.floor((sectors - 1 - rootSectors) / sectorsPerCluster);
  const bits = clusters <= maxClusters12 ? 12 : 16;
  const sectorsPerFat = Math.ceil(((clusters + 2) * bits) / 8 / sectorBytes);
  const image = new Uint8Array(sectors * sectorBytes);
  const view = new DataView(image.buffer);
  // jmp over the parameters, then an endless loop: the volume does not boot anything.
  image.set([0xeb, 0x3c, 0x90]);
  put(image, 3, 'FRONTPNL');
  view.setUint16(0x0b, sectorBytes, true);
  view.setUint8(0x0d, sectorsPerCluster);
  view.setUint16(0x0e, 1, true);
  view.setUint8(0x10, 2);
  view.setUint16(0x11, rootEntries, true);
  view.setUint16(0x13, sectors < 0x10000 ? sectors : 0, true);
  view.setUint8(0x15, media);
  view.setUint16(0x16, sectorsPerFat, true);
  view.setUint16(0x18, options.sectorsPerTrack, true);
  view.setUint16(0x1a, options.heads, true);
  view.setUint32(0x1c, hidden, true);
  view.setUint32(0x20, sectors < 0x10000 ? 0 : sectors, true);
  view.setUint8(0x24, media === 0xf8 ? 0x80 : 0);
  view.setUint8(0x26, 0x29);
  view.setUint32(0x27, options.serial ?? 0, true);
  put(image, 0x2b, 'NO NAME    ');
  put(image, 0x36, bits === 12 ? 'FAT12   ' : 'FAT16   ');
  image.set([0xeb, 0xfe], 0x3e);
  image.set([0x55, 0xaa], 510);
  for (let copy = 0; copy < 2; copy++) {
    const start = (1 + copy * sectorsPerFat) * sectorBytes;
    image.set(bits === 12 ? [media, 0xff, 0xff] : [media, 0xff, 0xff, 0xff], start);
  }
  return image;
}

function put(image: Uint8Array, offset: number, text: string): void {
  for (let i = 0; i < text.length; i++) image[offset + i] = text.charCodeAt(i);
}
