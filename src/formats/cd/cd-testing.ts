/** A folder for an image: its files by name, and folders in it. */
export interface TestFolder {
  readonly [name: string]: Uint8Array | string | TestFolder;
}

const sectorBytes = 2048;
const descriptorSector = 16;
const rootSector = 18;

/** An ISO 9660 image of level 1 with folders, each of one sector. */
export function isoOf(label: string, root: TestFolder): Uint8Array {
  const sectors: Uint8Array[] = [];
  let next = rootSector;
  const put = (sector: number, bytes: Uint8Array) => {
    sectors[sector] = bytes;
  };
  const addFolder = (folder: TestFolder, parent: number | undefined): number => {
    const own = next++;
    const records = [record('\0', own, sectorBytes, 2), record('\x01', parent ?? own, sectorBytes, 2)];
    for (const [name, content] of Object.entries(folder).sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (typeof content === 'object' && !(content instanceof Uint8Array)) {
        records.push(record(name, addFolder(content, own), sectorBytes, 2));
        continue;
      }
      const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
      records.push(record(`${name};1`, next, bytes.length, 0));
      for (let at = 0; at < bytes.length; at += sectorBytes) put(next++, bytes.subarray(at, at + sectorBytes));
    }
    put(own, Buffer.concat(records));
    return own;
  };
  addFolder(root, undefined);
  const descriptor = Buffer.alloc(sectorBytes);
  descriptor.set([1, ...Buffer.from('CD001\x01', 'latin1')]);
  descriptor.write(label.padEnd(32), 40, 'latin1');
  descriptor.writeUInt32LE(next, 80);
  descriptor.writeUInt16LE(sectorBytes, 128);
  descriptor.set(record('\0', rootSector, sectorBytes, 2), 156);
  descriptor.write('COPY.TXT'.padEnd(37), 702, 'latin1');
  put(descriptorSector, descriptor);
  put(descriptorSector + 1, Buffer.from('\xffCD001\x01', 'latin1'));
  const image = new Uint8Array(next * sectorBytes);
  sectors.forEach((bytes, sector) => {
    image.set(bytes, sector * sectorBytes);
  });
  return image;
}

function record(name: string, sector: number, size: number, flags: number): Buffer {
  const length = 33 + name.length;
  const bytes = Buffer.alloc(length + (length & 1));
  bytes[0] = bytes.length;
  bytes.writeUInt32LE(sector, 2);
  bytes.writeUInt32LE(size, 10);
  bytes.set([93, 5, 17, 12, 30, 20], 18);
  bytes[25] = flags;
  bytes[32] = name.length;
  bytes.write(name, 33, 'latin1');
  return bytes;
}

/** So many sectors of a square wave of both channels. */
export function toneOf(sectors: number, halfPeriod: number, level: number): Uint8Array {
  const bytes = Buffer.alloc(sectors * 2352);
  for (let sample = 0; sample * 4 < bytes.length; sample++) {
    const value = Math.floor(sample / halfPeriod) % 2 === 0 ? level : -level;
    bytes.writeInt16LE(value, sample * 4);
    bytes.writeInt16LE(value, sample * 4 + 2);
  }
  return bytes;
}
