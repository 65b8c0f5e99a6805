import { CdImageError, type CueSheet, type CueTrack } from './cue-sheet.ts';

/** Bytes of an image; shorter than asked at its end. */
export interface ImageBytes {
  readonly length: number;
  read(position: number, length: number): Uint8Array;
}

export interface DiscTrack {
  readonly number: number;
  readonly kind: 'audio' | 'data';
  /** First sector, counted from the first one after the lead-in's two seconds. */
  readonly start: number;
  readonly end: number;
}

/** Sectors that lie together in one file. */
interface Stretch {
  readonly first: number;
  readonly end: number;
  readonly kind: 'audio' | 'data';
  readonly sectorBytes: number;
  readonly dataOffset: number;
  /** None: silence. */
  readonly bytes?: ImageBytes;
  readonly position: number;
  readonly swapped: boolean;
}

export const dataBytes = 2048;
/** 588 samples of two channels with 16 bits. */
export const audioBytes = 2352;
export const sectorsPerSecond = 75;
/** Between the lead-in's end (00:00:00) and sector 0. */
export const leadInSectors = 150;
/** 99 minutes, 59 seconds: what addresses in minutes can name. */
const mostSectors = 100 * 60 * sectorsPerSecond - leadInSectors - 1;

/** A CD by sectors. */
export class Disc {
  readonly tracks: readonly DiscTrack[];
  /** The sector after the last. */
  readonly leadOut: number;
  readonly catalog: string | undefined;
  readonly #stretches: readonly Stretch[];
  readonly #close: () => void;

  constructor(stretches: readonly Stretch[], tracks: readonly DiscTrack[], catalog?: string, close = () => {}) {
    this.#stretches = stretches;
    this.tracks = tracks;
    this.catalog = catalog;
    this.leadOut = stretches.at(-1)?.end ?? 0;
    this.#close = close;
    if (this.leadOut > mostSectors) throw new CdImageError('a CD has less than 100 minutes');
  }

  trackAt(sector: number): DiscTrack | undefined {
    return this.tracks.findLast(({ start }) => sector >= start) ?? this.tracks[0];
  }

  /** The 2,048 bytes of a data sector; undefined where there is none, or the file cannot be read any more. */
  data(sector: number): Uint8Array | undefined {
    const found = this.#stretch(sector);
    if (found?.kind !== 'data' || !found.bytes) return undefined;
    const { bytes } = found;
    const at = found.position + (sector - found.first) * found.sectorBytes + found.dataOffset;
    return readable(() => padded(bytes.read(at, dataBytes), dataBytes));
  }

  /** A whole sector of 2,352 bytes as far as the image has it; undefined where it has none or only the data. */
  raw(sector: number): Uint8Array | undefined {
    const found = this.#stretch(sector);
    if (!found || found.sectorBytes !== audioBytes) return undefined;
    return readable(() => this.#whole(found, sector));
  }

  /** Samples of an audio sector, left and right by turns; undefined for data. */
  samples(sector: number): Int16Array | undefined {
    const found = this.#stretch(sector);
    if (found?.kind !== 'audio') return undefined;
    const bytes = readable(() => this.#whole(found, sector));
    if (!bytes) return undefined;
    const samples = new Int16Array(audioBytes / 2);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let i = 0; i < samples.length; i++) samples[i] = view.getInt16(i * 2, true);
    return samples;
  }

  close(): void {
    this.#close();
  }

  #whole({ bytes, position, first, sectorBytes, swapped }: Stretch, sector: number): Uint8Array {
    if (!bytes) return new Uint8Array(audioBytes);
    const whole = padded(bytes.read(position + (sector - first) * sectorBytes, sectorBytes), audioBytes);
    return swapped ? Buffer.from(whole).swap16() : whole;
  }

  #stretch(sector: number): Stretch | undefined {
    return this.#stretches.find(({ first, end }) => sector >= first && sector < end);
  }
}

/** An image of one data track: 2,048 bytes a sector, or 2,352 with sync marks. */
export function discOfData(bytes: ImageBytes, close?: () => void): Disc {
  const start = bytes.read(0, 16);
  const isRaw =
    start.length === 16 && start.every((byte, at) => at >= 12 || byte === (at === 0 || at === 11 ? 0 : 0xff));
  const sectorBytes = isRaw ? audioBytes : dataBytes;
  const dataOffset = isRaw ? (start[15] === 2 ? 24 : 16) : 0;
  const end = Math.ceil(bytes.length / sectorBytes);
  if (end === 0) throw new CdImageError('the image is empty');
  const place = { first: 0, end, kind: 'data', sectorBytes, dataOffset, bytes, position: 0, swapped: false } as const;
  return new Disc([place], [{ number: 1, kind: 'data', start: 0, end }], undefined, close);
}

/** `files` are those of the sheet, in its order. */
export function discOfCue(sheet: CueSheet, files: readonly ImageBytes[], close?: () => void): Disc {
  const stretches: Stretch[] = [];
  const tracks: DiscTrack[] = [];
  let next = 0;
  const add = (sectors: number, place: Omit<Stretch, 'first' | 'end'>) => {
    if (sectors <= 0) return;
    stretches.push({ ...place, first: next, end: next + sectors });
    next += sectors;
  };
  for (const [index, track] of sheet.tracks.entries()) {
    const silence = { kind: track.kind, sectorBytes: audioBytes, dataOffset: 0, position: 0, swapped: false } as const;
    const { bytes, position, swapped } = placeOf(sheet, files, index);
    const following = sheet.tracks[index + 1];
    const inFile = (bytes.length - position) / track.sectorBytes;
    const length =
      following?.file === track.file ? (following.gap ?? following.start) - track.start : Math.floor(inFile);
    if (length <= 0 || length > inFile + 1) throw new CdImageError(`track ${track.number} has no sectors in its file`);
    // The first track's gap is the lead-in's.
    if (index > 0) add(track.pregap, silence);
    const gap = index === 0 || track.gap === undefined ? 0 : Math.max(0, track.start - track.gap);
    const { kind, sectorBytes, dataOffset } = track;
    const place = { kind, sectorBytes, dataOffset, bytes, swapped };
    add(gap, { ...place, position: position - gap * sectorBytes });
    const start = next;
    add(length, { ...place, position });
    add(track.postgap, silence);
    tracks.push({ number: track.number, kind, start, end: start + length });
  }
  return new Disc(stretches, tracks, sheet.catalog, close);
}

function placeOf({ files: named, tracks }: CueSheet, files: readonly ImageBytes[], index: number) {
  const track = tracks[index] as CueTrack;
  const file = named[track.file];
  const bytes = files[track.file];
  if (!file || !bytes) throw new CdImageError(`track ${track.number} has no file`);
  if (file.type === 'wave') {
    if (track.kind !== 'audio') throw new CdImageError(`track ${track.number} is data and cannot be in a WAVE file`);
    const sound = soundOf(bytes, file.name);
    return { bytes: sound, position: track.start * audioBytes, swapped: false };
  }
  // Tracks of other sectors may lie before it.
  let position = 0;
  let frames = 0;
  tracks.slice(0, index).forEach((before, at) => {
    const after = tracks[at + 1];
    if (before.file !== track.file || after?.file !== track.file) return;
    const end = after.gap ?? after.start;
    position += (end - frames) * before.sectorBytes;
    frames = end;
  });
  position += (track.start - frames) * track.sectorBytes;
  if (position < 0) throw new CdImageError(`track ${track.number} begins before its file`);
  return { bytes, position, swapped: file.type === 'motorola' };
}

/** The samples of a WAV file as a CD has them: 44,100 a second, two channels, 16 bits. */
function soundOf(bytes: ImageBytes, name: string): ImageBytes {
  const view = (at: number, length: number) => {
    const part = padded(bytes.read(at, length), length);
    return new DataView(part.buffer, part.byteOffset, part.byteLength);
  };
  const head = view(0, 12);
  if (head.getUint32(0) !== 0x52494646 || head.getUint32(8) !== 0x57415645)
    throw new CdImageError(`${name} is not a WAV file`);
  let fits = false;
  for (let at = 12, chunks = 0; at + 8 <= bytes.length && chunks < 64; chunks++) {
    const chunk = view(at, 24);
    const [id, length] = [chunk.getUint32(0), chunk.getUint32(4, true)];
    if (id === 0x666d7420)
      fits =
        chunk.getUint16(8, true) === 1 &&
        chunk.getUint16(10, true) === 2 &&
        chunk.getUint32(12, true) === 44_100 &&
        chunk.getUint16(22, true) === 16;
    if (id === 0x64617461 && fits) {
      const start = at + 8;
      const whole = Math.min(length, bytes.length - start);
      return {
        length: whole,
        read: (position, wanted) => bytes.read(start + position, Math.max(0, Math.min(wanted, whole - position))),
      };
    }
    at += 8 + length + (length & 1);
  }
  throw new CdImageError(`${name} has no PCM sound of two channels with 16 bits at 44,100 Hz`);
}

/** What an image does not give is a bad sector to the machine; whoever opened the image tells why. */
function readable(read: () => Uint8Array): Uint8Array | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CdImageError) return undefined;
    throw error;
  }
}

function padded(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length === length) return bytes;
  const whole = new Uint8Array(length);
  whole.set(bytes.subarray(0, length));
  return whole;
}
