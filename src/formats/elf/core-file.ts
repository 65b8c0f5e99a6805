/** The bytes of a file, read in pieces; shorter than asked at its end. */
export interface CoreBytes {
  readonly size: number;
  read(at: number, length: number): Promise<Uint8Array>;
}

/** Memory that is in the file. */
export interface CoreSegment {
  readonly physical: bigint;
  readonly bytes: bigint;
  /** In the file. */
  readonly at: number;
}

export interface CoreNote {
  readonly owner: string;
  readonly type: number;
  readonly bytes: Uint8Array;
}

/** The head of an ELF core file of a whole machine: where each part lies in it, without the memory itself. */
export interface CoreFile {
  /** The number of the processor family. */
  readonly machine: number;
  readonly wide: boolean;
  /** By physical addresses, none of them over another. */
  readonly segments: readonly CoreSegment[];
  readonly notes: readonly CoreNote[];
  /** After the last byte that the file speaks of. */
  readonly end: number;
}

const headBytes = 64;
const core = 4;
const [load, note] = [1, 4];
const maxHeaders = 16_384;
const maxNoteBytes = 4 * 1024 * 1024;
const maxNotes = 4096;
const addressEnd = 1n << 64n;

interface Header {
  readonly type: number;
  readonly at: bigint;
  readonly physical: bigint;
  readonly bytes: bigint;
}

/** Throws a RangeError that says what is wrong with a file that is none, is cut off, or contradicts itself. */
export async function readCoreFile(file: CoreBytes): Promise<CoreFile> {
  const head = viewOf(await part(file, 0, Math.min(headBytes, file.size)));
  if (head.byteLength < 52 || head.getUint32(0) !== 0x7f454c46) throw new RangeError('it is not an ELF file');
  if (head.getUint8(5) !== 1) throw new RangeError('it is of a big-endian processor, which is not read');
  const wide = head.getUint8(4) === 2;
  if (wide && head.byteLength < headBytes) throw new RangeError('it is cut off');
  if (head.getUint16(16, true) !== core) throw new RangeError('it is an ELF file, but no core file');
  const headers = await readHeaders(file, head, wide);
  const held = headers.filter(({ type, bytes }) => (type === load || type === note) && bytes > 0n);
  for (const { at, bytes } of held) {
    if (at + bytes > BigInt(file.size))
      throw new RangeError(`it is cut off: ${at + bytes} bytes are told of, and there are ${file.size}`);
  }
  const segments = segmentsOf(held.filter(({ type }) => type === load));
  if (segments.length === 0) throw new RangeError('no memory is in it');
  const notes = await readNotes(
    file,
    held.filter(({ type }) => type === note),
  );
  const end = held.reduce((last, { at, bytes }) => Math.max(last, Number(at + bytes)), 0);
  return { machine: head.getUint16(18, true), wide, segments, notes, end };
}

async function readHeaders(file: CoreBytes, head: DataView, wide: boolean): Promise<Header[]> {
  const start = wide ? head.getBigUint64(32, true) : BigInt(head.getUint32(28, true));
  const each = head.getUint16(wide ? 54 : 42, true);
  const count = head.getUint16(wide ? 56 : 44, true);
  if (each !== (wide ? 56 : 32))
    throw new RangeError(`its program headers have ${each} bytes, which is not a valid size`);
  if (count > maxHeaders) throw new RangeError(`it has ${count} program headers; ${maxHeaders} are read`);
  if (start + BigInt(each * count) > BigInt(file.size))
    throw new RangeError('it is cut off within its program headers');
  const view = viewOf(await part(file, Number(start), each * count));
  return Array.from({ length: count }, (_, n) => headerAt(view, n * each, wide));
}

function headerAt(view: DataView, at: number, wide: boolean): Header {
  const type = view.getUint32(at, true);
  const word = (offset: number) => BigInt(view.getUint32(at + offset, true));
  const long = (offset: number) => view.getBigUint64(at + offset, true);
  return wide
    ? { type, at: long(8), physical: long(24), bytes: long(32) }
    : { type, at: word(4), physical: word(12), bytes: word(16) };
}

/** What lies there twice, as with tables that map it twice, must be the same bytes of the file. */
function segmentsOf(headers: readonly Header[]): CoreSegment[] {
  const sorted = headers.toSorted((a, b) => (a.physical < b.physical ? -1 : a.physical > b.physical ? 1 : 0));
  const segments: CoreSegment[] = [];
  for (const { physical, bytes, at } of sorted) {
    if (physical + bytes > addressEnd) throw new RangeError('it has memory beyond the last address');
    const before = segments.at(-1);
    const over = before === undefined ? 0n : before.physical + before.bytes - physical;
    if (before === undefined || over <= 0n) {
      segments.push({ physical, bytes, at: Number(at) });
      continue;
    }
    if (at - physical !== BigInt(before.at) - before.physical)
      throw new RangeError(`it has two contents for the memory at 0x${physical.toString(16)}`);
    const end = physical + bytes;
    if (end > before.physical + before.bytes)
      segments[segments.length - 1] = { ...before, bytes: end - before.physical };
  }
  return segments;
}

async function readNotes(file: CoreBytes, headers: readonly Header[]): Promise<CoreNote[]> {
  const total = headers.reduce((sum, { bytes }) => sum + bytes, 0n);
  if (total > maxNoteBytes) throw new RangeError(`its notes have ${total} bytes; ${maxNoteBytes} are read`);
  const notes: CoreNote[] = [];
  for (const { at, bytes } of headers) {
    const content = await part(file, Number(at), Number(bytes));
    const view = viewOf(content);
    for (let from = 0; from + 12 <= content.length; ) {
      const [nameBytes, length] = [view.getUint32(from, true), view.getUint32(from + 4, true)];
      const start = from + 12 + padded(nameBytes);
      if (start + length > content.length) throw new RangeError('a note in it is longer than the notes are');
      if (notes.length === maxNotes) throw new RangeError(`it has more than ${maxNotes} notes`);
      const owner = Buffer.from(content.subarray(from + 12, from + 12 + Math.min(nameBytes, 64))).toString('latin1');
      notes.push({
        owner: owner.replace(/\0.*$/s, ''),
        type: view.getUint32(from + 8, true),
        bytes: content.subarray(start, start + length),
      });
      from = start + padded(length);
    }
  }
  return notes;
}

function padded(length: number): number {
  return Math.ceil(length / 4) * 4;
}

async function part(file: CoreBytes, at: number, length: number): Promise<Uint8Array> {
  const bytes = await file.read(at, length);
  if (bytes.length !== length) throw new RangeError('it is cut off');
  return bytes;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
