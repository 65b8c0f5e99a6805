import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflate, inflate, type ZlibOptions } from 'node:zlib';
import { z } from 'zod';

/**
 * A machine's state as a file.
 *
 *   0  "FPSNAP", 1Ah, 0Ah      20  SHA-256 of all other bytes
 *   8  version                 52  header: JSON, as long as 12 says
 *  12  length of the header        body: the parts one after the other, deflated, as long as 16 says
 *  16  length of the body
 *
 * Numbers have four bytes, the lowest first.
 */
export interface SnapshotFile {
  readonly kind: string;
  /** Options that a machine has to be started with to take it. */
  readonly options: Readonly<Record<string, unknown>>;
  /** What must be the same there and is no option. */
  readonly model: Readonly<Record<string, string>>;
  /** When it was made, in the machine's words. */
  readonly time: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly parts: ReadonlyMap<string, Uint8Array>;
}

/** Says what is wrong with a file. */
export class SnapshotFileError extends Error {
  override readonly name = 'SnapshotFileError';
}

export const snapshotVersion = 2;
export const longestSnapshotFile = 64 * 1024 * 1024;
/** Of all parts together, unpacked. */
const mostBytes = 128 * 1024 * 1024;
/** It is read at once: whatever may be longer is a part. */
const mostHeaderBytes = 128 * 1024;

const magic = Uint8Array.from('FPSNAP\x1a\n', (letter) => letter.charCodeAt(0));
/** Hashed before others have their turn: some milliseconds. */
const hashedAtOnce = 4 * 1024 * 1024;
const hashAt = 20;
const headerAt = 52;

const headerShape = z.strictObject({
  kind: z.string().max(32),
  options: z.record(z.string(), z.unknown()),
  model: z.record(z.string(), z.string().max(200)),
  time: z.string().max(200),
  facts: z.record(z.string(), z.unknown()),
  parts: z.array(z.tuple([z.string().max(64), z.number().int().min(0).max(mostBytes)])).max(256),
});

export async function writeSnapshotFile({ parts, ...rest }: SnapshotFile): Promise<Uint8Array> {
  const lengths = [...parts].map(([name, bytes]) => [name, bytes.length]);
  const header = Buffer.from(JSON.stringify({ ...rest, parts: lengths }), 'utf8');
  const total = [...parts.values()].reduce((sum, { length }) => sum + length, 0);
  if (total > mostBytes || header.length > mostHeaderBytes) throw new SnapshotFileError(tooLarge(total));
  const body = await promisify(deflate)(Buffer.concat([...parts.values()]));
  const file = Buffer.alloc(headerAt + header.length + body.length);
  if (file.length > longestSnapshotFile) throw new SnapshotFileError(tooLarge(total));
  file.set(magic);
  file.writeUInt32LE(snapshotVersion, 8);
  file.writeUInt32LE(header.length, 12);
  file.writeUInt32LE(body.length, 16);
  file.set(header, headerAt);
  file.set(body, headerAt + header.length);
  file.set(await hashOf(file), hashAt);
  return file;
}

/** Rejects with a `SnapshotFileError` about everything that is not such a file, before it takes more memory than that needs. */
export async function readSnapshotFile(bytes: Uint8Array): Promise<SnapshotFile> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (file.length < headerAt || magic.some((byte, at) => file[at] !== byte)) {
    throw new SnapshotFileError('it is not a snapshot file');
  }
  const version = file.readUInt32LE(8);
  if (version !== snapshotVersion) {
    throw new SnapshotFileError(`it has version ${version}, and this program reads version ${snapshotVersion}`);
  }
  const [headerBytes, bodyBytes] = [file.readUInt32LE(12), file.readUInt32LE(16)];
  if (headerBytes > mostHeaderBytes || file.length !== headerAt + headerBytes + bodyBytes) {
    throw new SnapshotFileError('it is not as long as it says; it may have been cut off');
  }
  if (!(await hashOf(file)).equals(file.subarray(hashAt, headerAt))) {
    throw new SnapshotFileError('its checksum is wrong: it is damaged');
  }
  const { parts, ...rest } = readHeader(file.subarray(headerAt, headerAt + headerBytes));
  const total = parts.reduce((sum, [, length]) => sum + length, 0);
  if (total > mostBytes) throw new SnapshotFileError(tooLarge(total));
  const body = await inflated(file.subarray(headerAt + headerBytes), total);
  const found = new Map<string, Uint8Array>();
  let at = 0;
  for (const [name, length] of parts) {
    found.set(name, new Uint8Array(body.subarray(at, at + length)));
    at += length;
  }
  return { ...rest, parts: found };
}

function readHeader(bytes: Buffer): z.output<typeof headerShape> {
  let header: unknown;
  try {
    header = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new SnapshotFileError('its header is not JSON');
  }
  const { data, error } = headerShape.safeParse(header);
  if (data) return data;
  const [issue] = error.issues;
  throw new SnapshotFileError(`its header is wrong at ${issue?.path.join('.') || 'its top'}: ${issue?.message}`);
}

/** Never more than was announced. */
async function inflated(body: Buffer, total: number): Promise<Buffer> {
  let bytes: Buffer;
  try {
    bytes = await promisify<Buffer, ZlibOptions, Buffer>(inflate)(body, { maxOutputLength: Math.max(1, total) });
  } catch {
    throw new SnapshotFileError('its content cannot be unpacked, or is longer than announced');
  }
  if (bytes.length !== total) throw new SnapshotFileError('its content is shorter than announced');
  return bytes;
}

async function hashOf(file: Buffer): Promise<Buffer> {
  const hash = createHash('sha256').update(file.subarray(0, hashAt));
  for (let at = headerAt; at < file.length; at += hashedAtOnce) {
    hash.update(file.subarray(at, at + hashedAtOnce));
    await setImmediate();
  }
  return hash.digest();
}

function tooLarge(bytes: number): string {
  return `it holds ${bytes} bytes, and ${mostBytes} are the limit`;
}
