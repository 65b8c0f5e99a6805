import { type FileHandle, open } from 'node:fs/promises';

const magic = 0x514649fb;
const shortHeaderBytes = 72;
const fixedBytes = 104;
const externalDataBit = 4n;
const backingFormatExtension = 0xe2792aca;
const dataFileExtension = 0x44415441;
const maxNameBytes = 1023;
const maxExtensions = 64;
const maxExtensionBytes = 64 * 1024;

export interface Qcow2Header {
  readonly sizeBytes: number;
  readonly backingFile: string | undefined;
  /** As the image says it: `raw`, `qcow2` or any other; undefined where it leaves that to be guessed. */
  readonly backingFormat: string | undefined;
  /** The guest's bytes lie in another file, which the image names. */
  readonly externalData: boolean;
  /** What is wrong with it; QEMU would not open it, or not as it is read here. */
  readonly damage: string | undefined;
}

/** What a qcow2 file says of itself; undefined for anything else. */
export async function readQcow2Header(path: string): Promise<Qcow2Header | undefined> {
  const file = await open(path, 'r');
  try {
    const header = Buffer.alloc(fixedBytes);
    const { bytesRead } = await file.read(header, 0, fixedBytes, 0);
    if (bytesRead < shortHeaderBytes || header.readUInt32BE(0) !== magic) return undefined;
    const version = header.readUInt32BE(4);
    // The first version is another format under the same mark.
    if (version !== 2 && version !== 3) return damaged(`it is of version ${version}`);
    return await readRest(file, header, version);
  } finally {
    await file.close();
  }
}

async function readRest(file: FileHandle, header: Buffer, version: number): Promise<Qcow2Header> {
  const nameAt = header.readBigUInt64BE(8);
  const nameBytes = nameAt === 0n ? 0 : header.readUInt32BE(16);
  const sizeBytes = header.readBigUInt64BE(24);
  const incompatible = version === 3 ? header.readBigUInt64BE(72) : 0n;
  const headerBytes = version === 3 ? header.readUInt32BE(100) : shortHeaderBytes;
  if (headerBytes < (version === 3 ? fixedBytes : 0) || headerBytes > maxExtensionBytes)
    return damaged('its header is cut off');
  if (nameBytes > maxNameBytes || nameAt > BigInt(maxExtensionBytes))
    return damaged('the name of its base is too long');
  if (sizeBytes > BigInt(Number.MAX_SAFE_INTEGER)) return damaged('its size is impossible');
  const name = Buffer.alloc(nameBytes);
  const { bytesRead } = await file.read(name, 0, nameBytes, Number(nameAt));
  if (bytesRead < nameBytes || name.includes(0)) return damaged('the name of its base is cut off');
  const extensions = await readExtensions(file, headerBytes);
  if (!extensions) return damaged('its header is cut off');
  return {
    sizeBytes: Number(sizeBytes),
    backingFile: nameBytes > 0 ? name.toString('utf8') : undefined,
    backingFormat: extensions.get(backingFormatExtension)?.toString('latin1'),
    externalData: (incompatible & externalDataBit) !== 0n || extensions.has(dataFileExtension),
    damage: undefined,
  };
}

/** Undefined when they do not end. */
async function readExtensions(file: FileHandle, start: number): Promise<Map<number, Buffer> | undefined> {
  const found = new Map<number, Buffer>();
  let at = start;
  for (let count = 0; count < maxExtensions && at < maxExtensionBytes; count++) {
    const head = Buffer.alloc(8);
    if ((await file.read(head, 0, 8, at)).bytesRead < 8) return undefined;
    const [type, length] = [head.readUInt32BE(0), head.readUInt32BE(4)];
    if (type === 0) return found;
    if (length > maxExtensionBytes) return undefined;
    const content = Buffer.alloc(length);
    if ((await file.read(content, 0, length, at + 8)).bytesRead < length) return undefined;
    // As QEMU does it, the last one counts.
    found.set(type, content);
    at += 8 + Math.ceil(length / 8) * 8;
  }
  return undefined;
}

function damaged(damage: string): Qcow2Header {
  return { sizeBytes: 0, backingFile: undefined, backingFormat: undefined, externalData: false, damage };
}
