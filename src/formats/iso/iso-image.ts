export interface IsoFile {
  /** As Joliet has it; for old readers it is made shorter. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const sectorBytes = 2048;
const nameChars = 64;
const labelChars = 16;
const sectors = {
  primary: 16,
  joliet: 17,
  end: 18,
  primaryPaths: 19,
  jolietPaths: 21,
  primaryRoot: 23,
  jolietRoot: 24,
  files: 25,
} as const;
/** 1 January 2000: the same files give the same image. */
const someDay = [100, 1, 1, 0, 0, 0, 0] as const;

/** One of the two views of the same files: names in capitals with 8 characters, or long ones in UCS-2. */
interface View {
  readonly root: number;
  readonly paths: number;
  text(value: string, chars: number): Uint8Array;
  fileName(name: string): Uint8Array;
}

const primaryView: View = {
  root: sectors.primaryRoot,
  paths: sectors.primaryPaths,
  text: (value, chars) => Buffer.from(value.padEnd(chars).slice(0, chars), 'latin1'),
  fileName: (name) => Buffer.from(`${shortName(name)};1`, 'latin1'),
};

const jolietView: View = {
  root: sectors.jolietRoot,
  paths: sectors.jolietPaths,
  text: (value, chars) => bigEndianText(value.padEnd(chars >> 1).slice(0, chars >> 1)),
  fileName: (name) => bigEndianText(name),
};

/** An ISO 9660 image with Joliet names: a few files in one folder. */
export function isoImage(label: string, files: readonly IsoFile[]): Uint8Array {
  check(label, files);
  let next: number = sectors.files;
  const placed = files.map((file) => {
    const sector = next;
    next += Math.ceil(file.bytes.length / sectorBytes);
    return { ...file, sector };
  });
  const image = Buffer.alloc(next * sectorBytes);
  const put = (sector: number, bytes: Uint8Array) => image.set(bytes, sector * sectorBytes);
  put(sectors.primary, descriptor(1, label, primaryView, next));
  put(sectors.joliet, descriptor(2, label, jolietView, next));
  put(sectors.end, Buffer.from([255, ...Buffer.from('CD001', 'latin1'), 1]));
  for (const view of [primaryView, jolietView]) {
    put(view.paths, pathTable(view.root, 'little'));
    put(view.paths + 1, pathTable(view.root, 'big'));
    put(view.root, folder(view, placed));
  }
  for (const { sector, bytes } of placed) put(sector, bytes);
  return image;
}

function check(label: string, files: readonly IsoFile[]): void {
  if (label.length > labelChars) throw new Error(`a label has at most ${labelChars} characters`);
  const long = files.find(({ name }) => name.length === 0 || name.length > nameChars);
  if (long) throw new Error(`${JSON.stringify(long.name)} is not a valid file name on a CD`);
  if (new Set(files.map(({ name }) => shortName(name))).size < files.length)
    throw new Error('two files have the same short name');
}

function descriptor(type: 1 | 2, label: string, view: View, size: number): Uint8Array {
  const bytes = Buffer.alloc(sectorBytes);
  bytes.set([type, ...Buffer.from('CD001', 'latin1'), 1]);
  bytes.set(view.text('', 32), 8);
  bytes.set(view.text(label, 32), 40);
  bytes.set(both32(size), 80);
  // UCS-2, level 3.
  if (type === 2) bytes.set(Buffer.from('%/E', 'latin1'), 88);
  bytes.set(both16(1), 120);
  bytes.set(both16(1), 124);
  bytes.set(both16(sectorBytes), 128);
  bytes.set(both32(pathTable(view.root, 'little').length), 132);
  bytes.writeUInt32LE(view.paths, 140);
  bytes.writeUInt32BE(view.paths + 1, 148);
  bytes.set(entry(Buffer.of(0), view.root, sectorBytes, true), 156);
  for (const at of [190, 318, 446, 574]) bytes.set(view.text('', 128), at);
  for (const at of [702, 739, 776]) bytes.set(view.text('', 36), at);
  for (const at of [813, 830, 847, 864]) bytes.set(Buffer.from('0'.repeat(16), 'latin1'), at);
  bytes[881] = 1;
  return bytes;
}

/** Of the one folder. */
function pathTable(root: number, order: 'little' | 'big'): Buffer {
  const bytes = Buffer.alloc(10);
  bytes[0] = 1;
  if (order === 'little') {
    bytes.writeUInt32LE(root, 2);
    bytes.writeUInt16LE(1, 6);
  } else {
    bytes.writeUInt32BE(root, 2);
    bytes.writeUInt16BE(1, 6);
  }
  return bytes;
}

function folder(view: View, files: readonly (IsoFile & { readonly sector: number })[]): Uint8Array {
  const own = files
    .map(({ name, bytes, sector }) => ({
      name: view.fileName(name),
      entry: entry(view.fileName(name), sector, bytes.length),
    }))
    .sort((a, b) => Buffer.compare(a.name, b.name));
  const entries = [
    entry(Buffer.of(0), view.root, sectorBytes, true),
    entry(Buffer.of(1), view.root, sectorBytes, true),
    ...own.map((each) => each.entry),
  ];
  const bytes = Buffer.concat(entries);
  if (bytes.length > sectorBytes) throw new Error('too many files for one folder');
  return bytes;
}

function entry(name: Uint8Array, sector: number, size: number, isFolder = false): Buffer {
  const length = 33 + name.length;
  const bytes = Buffer.alloc(length + (length & 1));
  bytes[0] = bytes.length;
  bytes.set(both32(sector), 2);
  bytes.set(both32(size), 10);
  bytes.set(someDay, 18);
  bytes[25] = isFolder ? 2 : 0;
  bytes.set(both16(1), 28);
  bytes[32] = name.length;
  bytes.set(name, 33);
  return bytes;
}

function shortName(name: string): string {
  const [stem = '', ending = ''] = name.split(/\.(?=[^.]*$)/);
  const plain = (text: string, chars: number) =>
    text
      .toUpperCase()
      .replaceAll(/[^A-Z0-9_]/g, '_')
      .slice(0, chars);
  return `${plain(stem, 8)}.${plain(ending, 3)}`;
}

function bigEndianText(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

function both16(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt16LE(value, 0);
  bytes.writeUInt16BE(value, 2);
  return bytes;
}

function both32(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(value, 0);
  bytes.writeUInt32BE(value, 4);
  return bytes;
}
